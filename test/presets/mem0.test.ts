import { afterEach, describe, expect, test } from "vitest";
import type { Entry } from "../../src/base/entry.ts";
import type { Json } from "../../src/base/json.ts";
import { loadPreset, parsePreset } from "../../src/preset/load.ts";
import { hashEmbedder } from "../../src/testing/hash-embedder.ts";
import type { SeenRequest } from "../../src/testing/model-server.ts";
import {
  openPresetWorld,
  type PresetWorld,
  type PresetWorldOptions,
} from "../../src/testing/preset-world.ts";

const worlds: PresetWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});
async function open(options: PresetWorldOptions = {}, variant = ""): Promise<PresetWorld> {
  const text = `name: variant\nextends: mem0\ndefaults: recommended\n${variant}`;
  const preset = variant === "" ? "mem0" : await parsePreset(text, "variant.yaml");
  const world = await openPresetWorld(preset, { embedder: hashEmbedder(), ...options });
  worlds.push(world);
  return world;
}

const START = Date.UTC(2026, 3, 1, 9);
const told = (turns: readonly (readonly [speaker: string, text: string])[]) =>
  turns.map(([speaker, text], place) => ({ speaker, text, happenedAt: START + place * 60_000 }));

const EN = told([
  ["Mia", "Hi Ben! My city is Rome. I work at the museum."],
  ["Ben", "Nice to hear from you. I play the violin in a small orchestra."],
  ["Mia", "Guess what: I moved to Oslo."],
  ["Ben", "Wow! I still play the violin in a small orchestra."],
]);
const ZH = told([
  ["小美", "你好大伟！我住在罗马。我在博物馆工作。"],
  ["大伟", "好久不见。我在一个小乐团拉小提琴。"],
  ["小美", "告诉你一件事：我搬到了奥斯陆。"],
  ["大伟", "哇！我还在那个小乐团拉小提琴。"],
]);

const texts = (entries: readonly Entry[]) => entries.map(({ content }) => content);
const current = (entries: readonly Entry[]) => entries.filter(({ supersededBy }) => supersededBy === null);
const shown = ({ body }: SeenRequest): string =>
  String(Array.isArray(body.messages) ? JSON.parse(JSON.stringify(body.messages.at(-1))).content : "");
/** The number under which a memory was shown. */
const numberOf = (request: SeenRequest, memory: string): number => {
  const memories = shown(request).split("<memories>")[1] ?? "";
  return Number(/\[(\d+)\]$/.exec(memories.split(` ${memory}`)[0] ?? "")?.[1] ?? -1);
};
const decision = (event: string, id: number | null, text: string): Json => ({
  decisions: [{ fact: 0, event, id, text }],
});

describe("with a model", () => {
  const golden = [
    {
      language: "English",
      turns: EN,
      facts: ["Mia lives in Rome.", "Ben plays the violin.", "Mia lives in Oslo.", "Ben plays the violin."],
      question: "Where does Mia live?",
    },
    {
      language: "Chinese",
      turns: ZH,
      facts: ["小美住在罗马。", "大伟拉小提琴。", "小美住在奥斯陆。", "大伟拉小提琴。"],
      question: "小美住在哪里？",
    },
  ] as const;

  test.each(golden)(
    "[S0-78][S0-97][C-28] $language: facts of a pair, each compared with what is near",
    async ({ turns, facts, question }) => {
      const [rome, violin, oslo, again] = facts;
      const of = (...some: readonly string[]): Json => ({
        facts: some.map((text, place) => ({
          text,
          speaker: turns[place]?.speaker ?? null,
          sources: [place],
        })),
      });
      const world = await open({
        replies: {
          extract_new_facts: [of(rome, violin), of(oslo, again)],
          decide_crud: (request) => {
            const fact = /\[0\] (.+)/.exec(shown(request))?.[1] ?? "";
            const known = numberOf(request, rome);
            if (fact.startsWith(oslo)) return decision("UPDATE", known, oslo);
            const twin = numberOf(request, violin);
            return twin >= 0 ? decision("NOOP", twin, violin) : decision("ADD", null, violin);
          },
        },
      });
      const { done } = await world.say(turns);
      // The very first fact has nothing to be compared with.
      expect(world.calls()).toEqual([
        "extract_new_facts",
        "decide_crud",
        "extract_new_facts",
        "decide_crud",
        "decide_crud",
      ]);
      expect(
        done.map(({ result }) => result.stages.find(({ action }) => action === "mem0_crud")?.notes.events),
      ).toEqual([{ ADD: 2 }, { UPDATE: 1, NOOP: 1 }]);
      const entries = await world.entries();
      expect(texts(entries)).toEqual([...facts]);
      expect(entries[0]?.supersededBy).toBe(entries[2]?.id);
      expect(entries[3]?.supersededBy).toBe(entries[1]?.id);
      expect(entries[0]).toMatchObject({ kind: "fact", metadata: { speaker: turns[0]?.speaker } });
      expect(entries.map(({ sources }) => sources.length)).toEqual([1, 1, 1, 1]);
      const { hits } = await world.ask(question);
      expect(hits[0]?.content).toBe(oslo);
      expect(texts(hits)).not.toContain(rome);
    },
  );

  test("[P13-1] memories are shown under small numbers: UPDATE of number 1 changes the second that was shown", async () => {
    let changed = "";
    const world = await open({
      replies: {
        extract_new_facts: [
          { facts: ["Mia likes tea.", "Mia likes jazz.", "Mia likes chess."] },
          { facts: ["Mia likes green tea and jazz."] },
        ],
        decide_crud: (request) => {
          if (!shown(request).includes("green")) return decision("ADD", null, "x");
          changed = /\[1\] (Mia likes \w+\.)/.exec(shown(request))?.[1] ?? "";
          return decision("UPDATE", 1, "Mia likes green tea and jazz.");
        },
      },
    });
    await world.say(EN);
    const gone = (await world.entries()).filter(({ supersededBy }) => supersededBy !== null);
    expect(changed).not.toBe("");
    expect(texts(gone)).toEqual([changed]);
  });

  test("[P13-1] as first released, one call decides about all facts with all memories near to any of them", async () => {
    const world = await open(
      {
        replies: {
          extract_new_facts: [
            { facts: ["Mia lives in Rome.", "Ben plays the violin."] },
            { facts: ["Mia lives in Oslo.", "Ben plays the cello."] },
          ],
          decide_crud: (request) => ({
            decisions: [
              {
                fact: 0,
                event: "UPDATE",
                id: numberOf(request, "Mia lives in Rome."),
                text: "Mia lives in Oslo.",
              },
              { fact: 1, event: "ADD", id: null, text: "Ben plays the cello." },
            ],
          }),
        },
      },
      "stages: { post_insert: { action: mem0_crud, decide: together, topk: 5 } }",
    );
    await world.say(EN);
    expect(world.calls()).toEqual(["extract_new_facts", "extract_new_facts", "decide_crud"]);
    expect(texts(current(await world.entries()))).toEqual([
      "Ben plays the violin.",
      "Mia lives in Oslo.",
      "Ben plays the cello.",
    ]);
  });

  test("what went before is shown with the pair, and facts are asked of the pair only; also after a restart", async () => {
    const world = await open({ replies: { extract_new_facts: { facts: [] } } });
    await world.say(EN.slice(0, 2));
    await world.restart();
    await world.say(EN.slice(2));
    const [first, second] = world.requests.map(shown);
    expect(first).toContain("My city is Rome");
    expect(second).toMatch(/<earlier>[\s\S]*My city is Rome[\s\S]*<\/earlier>/);
    expect(second).toMatch(/<dialogue>[\s\S]*\[0\].*Oslo[\s\S]*<\/dialogue>/);
    expect(second?.split("<dialogue>")[1]).not.toContain("Rome");
  });

  test("every ten messages the talk so far is put in short, shown from then on, and never recalled", async () => {
    const said = told(
      Array.from({ length: 24 }, (_, place) => ["Mia", `Message number ${place} is about tea.`]),
    );
    const world = await open({
      replies: {
        extract_new_facts: { facts: [] },
        summarize: [{ summary: "Mia counts." }, { summary: "Mia counts on." }],
      },
    });
    await world.say(said);
    const summaries = await world.entries();
    expect(summaries.map(({ kind, content }) => [kind, content])).toEqual([
      ["summary", "Mia counts."],
      ["summary", "Mia counts on."],
    ]);
    expect(summaries[0]?.supersededBy).toBe(summaries[1]?.id);
    expect(summaries[1]?.sources).toContain(summaries[0]?.id);
    const asked = world.requests.map(shown).filter((text) => text.includes("<dialogue>"));
    expect(asked.findIndex((text) => text.includes("Mia counts."))).toBe(5);
    expect(asked.at(-1)).toContain("Mia counts on.");
    expect((await world.ask("What does Mia count? tea")).hits).toEqual([]);
    const bare = await open(
      { replies: { extract_new_facts: { facts: [] } } },
      "stages: { pre_insert: { action: transform, transform_type: new_fact_extract, summary: null } }",
    );
    await bare.say(said);
    expect(await bare.entries()).toEqual([]);
  });
});

describe("without a model", () => {
  test.each([
    {
      language: "English",
      turns: EN,
      rome: /Rome/,
      oslo: /Oslo/,
      besides: "Mia works at the museum.",
      question: "Where does Mia live?",
    },
    {
      language: "Chinese",
      turns: ZH,
      rome: /罗马/,
      oslo: /奥斯陆/,
      besides: "小美在博物馆工作。",
      question: "小美住在哪里？",
    },
  ])(
    "[S0-97][C-11] $language: the rules decide, the newest holds, and what was told besides stays",
    async ({ turns, rome, oslo, besides, question }) => {
      const world = await open();
      await world.say(turns);
      const entries = await world.entries();
      const old = entries.find(({ content }) => rome.test(content));
      const fresh = entries.find(({ content }) => oslo.test(content));
      expect(old?.supersededBy).toBe(fresh?.id);
      expect(texts(current(entries))).toContain(besides);
      const { hits } = await world.ask(question);
      expect(texts(hits).some((text) => oslo.test(text))).toBe(true);
      expect(texts(hits).some((text) => rome.test(text))).toBe(false);
    },
  );

  test.each([
    [
      "English",
      "My sister is Anna.",
      "My sister is Lucy.",
      "I like tea.",
      "I like coffee.",
      "I'm a teacher.",
    ],
    ["Chinese", "我姐姐叫小红。", "我姐姐叫小兰。", "我喜欢茶。", "我喜欢咖啡。", "我是一名老师。"],
  ])("%s: what may hold side by side stays, and a short fact is a fact", async (_language, ...said) => {
    const world = await open();
    await world.say(told(said.map((text) => ["Mia", text])));
    const entries = await world.entries();
    expect(entries).toHaveLength(said.length);
    expect(current(entries)).toHaveLength(said.length);
  });

  test.each([
    ["English", "I live in Oslo.", "I live in Rome."],
    ["Chinese", "我住在奥斯陆。", "我住在罗马。"],
  ])(
    "%s: old talk that is told late retires nothing that was said after it",
    async (_language, newer, older) => {
      for (const decide of ["each", "together"]) {
        const world = await open({}, `stages: { post_insert: { action: mem0_crud, decide: ${decide} } }`);
        await world.say([{ speaker: "Mia", text: newer, happenedAt: START }]);
        await world.say([{ speaker: "Mia", text: older, happenedAt: START - 86_400_000 }]);
        expect(current(await world.entries())).toHaveLength(2);
        await world.say([{ speaker: "Mia", text: older, happenedAt: START + 86_400_000 }]);
        expect(current(await world.entries()).length).toBeLessThan(3);
      }
    },
  );

  test.each([
    ["English", "Hey Ben! Good to see you!", "I adopted a grey cat.", /cat/],
    ["Chinese", "你好大伟！好久不见！", "我收养了一只灰猫。", /猫/],
  ])("%s: the summary is of what was told, with who told it", async (_language, greeting, news, gist) => {
    const world = await open();
    const talk = Array.from({ length: 11 }, (_, place) => [
      ["Mia", greeting] as const,
      ["Mia", place === 1 ? news : greeting] as const,
    ]);
    await world.say(told(talk.flat()));
    const summary = current(await world.entries()).find(({ kind }) => kind === "summary");
    expect(summary?.content).toMatch(gist);
    expect(summary?.content).toMatch(/^Mia: /);
    expect(summary?.content).not.toContain(greeting.slice(0, 4));
  });

  test("with the built-in embedder, pronouns resolved by what went before", async () => {
    const world = await openPresetWorld("mem0");
    worlds.push(world);
    await world.say([
      ...told([
        ["Mia", "My friend Anna Berg is a vet."],
        ["Ben", "Interesting!"],
        ["Mia", "She has two horses."],
        ["Ben", "我住在成都。"],
        ["Mia", "That is far away."],
        ["Ben", "我搬到了重庆。"],
      ]),
    ]);
    const stored = texts(current(await world.entries()));
    expect(stored.some((text) => /Anna.*two horses/.test(text))).toBe(true);
    expect(stored.some((text) => text.includes("重庆"))).toBe(true);
    expect(stored.some((text) => text.includes("成都"))).toBe(false);
    expect((await world.ask("How many horses does Anna have?")).hits[0]?.content).toMatch(/two horses/);
  });

  test("what rules cannot tell apart is kept, and the newest of the same comes first; a question that names one gets that", async () => {
    const world = await open();
    await world.say(
      told([
        ["", "Zorro Club is famous for wooden boats."],
        ["", "佐罗俱乐部以木船闻名。"],
        ["", "Zorro Club is famous for paper kites."],
        ["", "佐罗俱乐部以风筝闻名。"],
      ]),
    );
    expect(current(await world.entries())).toHaveLength(4);
    const first = async (question: string) => (await world.ask(question)).hits[0]?.content;
    expect(await first("What is Zorro Club famous for?")).toContain("kites");
    expect(await first("Is Zorro Club famous for wooden boats?")).toContain("boats");
    expect(await first("佐罗俱乐部以什么闻名？")).toContain("风筝");
  });
});

describe("variants", () => {
  test("[S0-97] locomo_mem0_pipeline is mem0 without a graph", async () => {
    const preset = await loadPreset("variants/locomo_mem0_pipeline");
    expect(preset.service.options).toMatchObject({ graph_enabled: false, graph: null });
    expect(preset.stages.post_insert.map(({ action }) => action)).toEqual(["mem0_crud"]);
  });

  test("graph_enabled: true is enough: what depends on it is recommended with it", async () => {
    const { service } = await parsePreset(
      "name: x\nextends: mem0\ndefaults: recommended\nservice: { graph_enabled: true }",
      "x.yaml",
    );
    expect(service.options).toMatchObject({
      graph: { walk: "spread", link_threshold: 0.7, synonymy_threshold: 0.9 },
      weights: { graph: expect.any(Number) },
    });
    const rrf = await parsePreset(
      "name: x\nextends: mem0\ndefaults: recommended\nservice: { fusion_strategy: rrf, graph_enabled: true }",
      "x.yaml",
    );
    expect(rrf.service.options).toMatchObject({ rrf_k: 60, weights: { vector: 1, text: 1, graph: 1 } });
  });
});
