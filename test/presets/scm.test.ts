import { afterEach, describe, expect, test } from "vitest";
import type { Json } from "../../src/base/json.ts";
import { parsePreset } from "../../src/preset/load.ts";
import type { SeenRequest } from "../../src/testing/model-server.ts";
import {
  openPresetWorld,
  type PresetWorld,
  type PresetWorldOptions,
} from "../../src/testing/preset-world.ts";
import { countTokens } from "../../src/text/token-count.ts";

const worlds: PresetWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});
async function open(options: PresetWorldOptions = {}, variant = ""): Promise<PresetWorld> {
  const text = `name: variant\nextends: scm\ndefaults: recommended\n${variant}`;
  const preset = variant === "" ? "scm" : await parsePreset(text, "variant.yaml");
  const world = await openPresetWorld(preset, options);
  worlds.push(world);
  return world;
}

const HOUR = 3_600_000;
const START = Date.UTC(2026, 3, 1, 9);
type Exchange = readonly [asked: string, answered: string];
const told = (talk: readonly Exchange[], who = "User", apart = HOUR) =>
  talk.flatMap(([text, answer], place) => [
    { speaker: who, text, role: "user" as const, happenedAt: START + place * apart },
    {
      speaker: "Assistant",
      text: answer,
      role: "assistant" as const,
      happenedAt: START + place * apart + 1000,
    },
  ]);

const EN: readonly Exchange[] = [
  ["My dog Pepper is a beagle and hates thunder.", "Poor Pepper! A quiet room may help."],
  ["I plan to repaint the kitchen in sage green.", "Sage green is calming."],
  ["Which screws hold a shelf in plaster?", "Use wall plugs with four millimetre screws."],
  ["My doctor told me to avoid grapefruit because of my pills.", "Then no grapefruit for you."],
  ["The kitchen paint arrived today.", "Have fun painting!"],
];
const ZH: readonly Exchange[] = [
  ["我的狗花椒是一只比格犬，很怕打雷。", "可怜的花椒，安静的房间会有帮助。"],
  ["我打算把厨房刷成灰绿色。", "灰绿色让人平静。"],
  ["石膏墙上装架子用什么螺丝？", "用膨胀管和四毫米的螺丝。"],
  ["医生让我别吃西柚，因为我在吃药。", "那就不要吃西柚了。"],
  ["厨房的油漆今天到了。", "祝你刷得开心！"],
];

/** What the model is shown, without what it is told to do with it. */
function shown({ body }: SeenRequest): string {
  return JSON.stringify(Array.isArray(body.messages) ? body.messages.at(-1) : "");
}
const GATE_OPEN = { needs_memory: true, reason: "asks about the user" };

describe("golden dialogues", () => {
  test.each([
    ["en", EN, "What breed is my dog Pepper?", "beagle"],
    ["zh", ZH, "我的狗花椒是什么品种？", "比格犬"],
  ])(
    "[S0-77] with a model (%s): a stream of exchanges, the gate, the nearest in order of time, the last one behind them",
    async (_language, talk, question, wanted) => {
      const it = await open({ replies: { gate_memory: GATE_OPEN } });
      await it.say(told(talk));
      // Nothing is long: nothing is summed up.
      expect(it.calls()).toEqual([]);
      const stored = await it.entries();
      expect(stored.map(({ content }) => content)).toEqual(
        talk.map(([text, answer]) => `User: ${text}\nAssistant: ${answer}`),
      );
      for (const { sources, metadata, content } of stored) {
        expect(sources).toHaveLength(2);
        expect(metadata.summary ?? content).toBe(content);
      }
      const { hits, context, stages } = await it.ask({ text: question, at: START + 6 * HOUR });
      expect(it.calls()).toEqual(["gate_memory"]);
      expect(hits.map(({ content }) => content)).toEqual(stored.map(({ content }) => content));
      const best = [...hits].sort(
        (a, b) => (b.scoreParts.relevance ?? -1) - (a.scoreParts.relevance ?? -1),
      )[0];
      expect(best?.content).toContain(wanted);
      expect(hits.at(-1)?.scoreParts).toMatchObject({ previous: 1 });
      expect(context).toContain(wanted);
      expect(context?.trimEnd().endsWith(talk.at(-1)?.[1] ?? "")).toBe(true);
      const loop = stages.find(({ action }) => action === "scm_three_way");
      expect(Object.values(loop?.notes.choices ?? {})).toEqual(["raw", "raw", "raw", "raw"]);
    },
  );

  test.each([
    ["en", EN, "What breed is my dog Pepper?", "beagle", "Hello!", "What is 12 + 30?"],
    ["zh", ZH, "我的狗花椒是什么品种？", "比格犬", "你好！", "12 + 30 等于多少？"],
  ] as const)(
    "[S0-77] with no model (%s): rules open the gate for what is personal and close it for the rest",
    async (_language, talk, question, wanted, greeting, sum) => {
      const it = await open();
      await it.say(told(talk));
      const { hits, context } = await it.ask(question);
      expect(hits).toHaveLength(talk.length);
      expect(context).toContain(wanted);
      for (const idle of [greeting, sum]) {
        const closed = await it.ask(idle);
        expect(closed.hits).toEqual([]);
        expect(closed.question.skip).toContain("scm_gate");
      }
    },
  );
});

const filler = (name: string, words: number): Exchange => [
  Array.from({ length: words }, (_, place) => `${name}${place % 7}`).join(" "),
  `Noted, ${name}.`,
];

describe("papers.md §7 (g)", () => {
  test("[P7-1] within 2500 tokens nobody is asked; [P7-4] the order is that of time", async () => {
    const it = await open({ replies: { gate_memory: GATE_OPEN } });
    await it.say(told(EN));
    const { hits } = await it.ask("What did I say about the kitchen and my dog?");
    expect(it.calls()).toEqual(["gate_memory"]);
    const times = hits.map(({ happenedAt }) => happenedAt);
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });

  test("[P7-2] over the budget all but the most similar are judged: dropped, summed up, or raw; and it fits", async () => {
    const long = ["alpha", "beta", "gamma", "delta"].map((name) => filler(name, 330));
    const it = await open({
      replies: {
        gate_memory: GATE_OPEN,
        summarize: (request: SeenRequest): Json => {
          const name = /alpha|beta|gamma|delta/.exec(shown(request))?.[0] ?? "";
          return { summary: `${name} in short` };
        },
        can_answer: (request: SeenRequest): Json => ({ can_answer: !/beta/.test(shown(request)) }),
      },
    });
    await it.say(told([...long, ["Good night.", "Sleep well."]]));
    expect(it.calls()).toEqual(["summarize", "summarize", "summarize", "summarize"]);
    const { hits, stages } = await it.ask(`What about ${long[3]?.[0].slice(0, 60)}?`);
    const asked = it.calls();
    expect(asked[0]).toBe("gate_memory");
    expect(new Set(asked.slice(1))).toEqual(new Set(["can_answer"]));
    expect(asked.length - 1).toBeLessThanOrEqual(2 * 3);
    const judged = it.requests
      .slice(-(asked.length - 1))
      .map(shown)
      .join();
    const best = [...hits].sort((a, b) => b.score - a.score)[0];
    expect(best?.content).toContain("delta");
    expect(judged).not.toContain("Noted, delta");
    const tokens = hits.reduce((sum, { text }) => sum + countTokens(text), 0);
    expect(tokens).toBeLessThanOrEqual(2500);
    const texts = hits.map(({ text }) => text);
    expect(texts.join()).not.toContain("beta");
    expect(texts.some((text) => text === "alpha in short")).toBe(true);
    expect(
      Object.values(stages.find(({ action }) => action === "scm_three_way")?.notes.choices ?? {}),
    ).toContain("drop");
  });

  test("[P7-3] the last exchange is never among those looked for, however like the question it is; six at most are", async () => {
    const it = await open();
    const talk = Array.from(
      { length: 9 },
      (_, place): Exchange => [`My cat Mo ate bowl ${place}.`, "Noted."],
    );
    await it.say(told([...talk, ["What did my cat Mo eat?", "Bowls."]]));
    const { hits } = await it.ask("What did my cat Mo eat?");
    expect(hits).toHaveLength(7);
    expect(hits.filter(({ scoreParts }) => scoreParts.previous === 1).map(({ content }) => content)).toEqual([
      "User: What did my cat Mo eat?\nAssistant: Bowls.",
    ]);
    expect(hits.at(-1)?.scoreParts.previous).toBe(1);
  });

  test("a first question has nothing, a second only what was said just before", async () => {
    const it = await open();
    expect((await it.ask("我的狗叫什么？")).hits).toEqual([]);
    await it.say(told(ZH.slice(0, 1)));
    expect((await it.ask("我的狗叫什么？")).hits.map(({ scoreParts }) => scoreParts.previous)).toEqual([1]);
  });

  test("[P7-5] up to 300 tokens an exchange is its own summary; a longer one gets one", async () => {
    const it = await open({ replies: { summarize: { summary: "It was long." } } });
    await it.say(told([filler("short", 20), filler("long", 400)]));
    expect(it.calls()).toEqual(["summarize"]);
    const [short, long] = await it.entries();
    expect(short?.metadata.summary ?? short?.content).toBe(short?.content);
    expect(long?.metadata.summary).toBe("It was long.");
    // Over 500 tokens, what was said last is shown by its summary.
    const { hits } = await it.ask("What did I say?");
    expect(hits.at(-1)?.text).toBe(countTokens(long?.content ?? "") > 500 ? "It was long." : long?.content);
  });
});

describe("switches", () => {
  test("the gate: on, a question that needs no memory gets none; off, as released, it is looked up", async () => {
    const replies = { gate_memory: { needs_memory: false, reason: "small talk" } };
    const on = await open({ replies });
    await on.say(told(EN));
    expect((await on.ask("Nice weather today")).hits).toEqual([]);
    const off = await open({ replies }, "stages: { pre_retrieval: embedding }");
    await off.say(told(EN));
    expect((await off.ask("Nice weather today")).hits).toHaveLength(EN.length);
    expect(off.calls()).toEqual([]);
  });

  test("recency: on, of two alike the newer ranks higher; off, as released, nearness alone decides", async () => {
    const variant = (recency: number) => `
stages:
  post_retrieval:
    - action: rerank
      rerank_type: weighted
      scaling: none
      weights: { recency: ${recency}, importance: 0, relevance: 1, topic_overlap: 0 }
      recency: { form: hours, factor_per_hour: 0.995, time_field: happened_at }
    - { action: scm_three_way, previous_turn: stream, top_k: 1 }
`;
    const twice: Exchange = ["My bike lock code changed, it is on the fridge.", "Good to know."];
    const run = async (recency: number, talk: readonly Exchange[]) => {
      const it = await open({}, variant(recency));
      await it.say(told([...talk, ["Good night.", "Sleep well."]], "User", 48 * HOUR));
      const { hits } = await it.ask({ text: "Where is my bike lock code?", at: START + 200 * HOUR });
      return hits[0]?.happenedAt;
    };
    expect(await run(1, [twice, EN[1] ?? twice, twice])).toBe(START + 2 * 48 * HOUR + 1000);
    expect(await run(0, [twice, EN[1] ?? twice, twice])).toBe(START + 1000);
  });

  test.each([
    ["English", EN, "Why did my doctor tell me to avoid grapefruit?", "grapefruit"],
    ["中文", ZH, "医生让我别吃什么？", "西柚"],
  ] as const)(
    "a long talk of today does not hide what was said a month ago: %s",
    async (_, talk, question, word) => {
      const it = await open();
      await it.say(told(talk));
      const month = 30 * 24 * HOUR;
      const day = Array.from(
        { length: 12 },
        (_, n): Exchange => [
          `${n + 1}. Train to Leeds, platform ${n + 3}.`,
          `Train ${n + 1} noted, platform ${n + 3}.`,
        ],
      );
      await it.say(
        told(day, "User", 60_000).map((turn) => ({ ...turn, happenedAt: turn.happenedAt + month })),
      );
      const { hits } = await it.ask({ text: question, at: START + month + HOUR });
      expect(hits.map(({ text }) => text).join()).toContain(word);
    },
  );
});
