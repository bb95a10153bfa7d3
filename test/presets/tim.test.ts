import { afterEach, describe, expect, test } from "vitest";
import type { Entry } from "../../src/base/entry.ts";
import type { Json } from "../../src/base/json.ts";
import { type EmbedderSet, oneSpace } from "../../src/models/local/embedder-set.ts";
import { loadPreset, parsePreset } from "../../src/preset/load.ts";
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
async function open(options: PresetWorldOptions = {}, name = "tim", variant = ""): Promise<PresetWorld> {
  const text = `name: variant\nextends: ${name}\ndefaults: recommended\n${variant}`;
  const preset = variant === "" ? name : await parsePreset(text, "variant.yaml");
  const world = await openPresetWorld(preset, options);
  worlds.push(world);
  return world;
}

/** Texts that match lie at one end of a line, all others at the opposite one: two buckets, half way round. */
function twoBuckets(there: RegExp): EmbedderSet {
  return oneSpace({
    id: "line-4",
    provider: "test",
    dimension: 4,
    maxBatch: 100,
    embed: async (texts) =>
      texts.map((text) =>
        Float32Array.of(0.5, 0.5, 0.5, 0.5).map((value) => (there.test(text) ? value : -value)),
      ),
  });
}
const ONE_BUCKET = () => twoBuckets(/./);

const START = Date.UTC(2026, 3, 1, 9);
const told = (turns: readonly (readonly [speaker: string, text: string])[]) =>
  turns.map(([speaker, text], place) => ({ speaker, text, happenedAt: START + place * 60_000 }));
const texts = (entries: readonly Entry[]) => entries.map(({ content }) => content);
const current = (entries: readonly Entry[]) => entries.filter(({ supersededBy }) => supersededBy === null);
const shown = ({ body }: SeenRequest): string =>
  String(Array.isArray(body.messages) ? JSON.parse(JSON.stringify(body.messages.at(-1))).content : "");

const EN = told([
  ["user", "Which book does Alice like best?"],
  ["assistant", "Alice likes the book Emma by Jane Austen."],
  ["user", "And does she like it still?"],
  ["assistant", "Alice likes the book Emma by Jane Austen very much."],
  ["user", "Where does Alice live now?"],
  ["assistant", "Alice lives in Lyon."],
]);
const ZH = told([
  ["用户", "小红最喜欢哪本书？"],
  ["助手", "小红喜欢《红楼梦》。"],
  ["用户", "她现在还喜欢吗？"],
  ["助手", "小红非常喜欢《红楼梦》。"],
  ["用户", "小红现在住在哪里？"],
  ["助手", "小红住在里昂。"],
]);

describe("with a model", () => {
  const golden = [
    {
      language: "English",
      turns: EN,
      thoughts: ["Alice likes the book Emma.", "Alice loves the book Emma.", "Alice lives in Lyon."],
      merged: "Alice likes and loves the book Emma.",
      triple: { subject: "Alice", object: "Lyon" },
      question: "Where does Alice live?",
    },
    {
      language: "Chinese",
      turns: ZH,
      thoughts: ["小红喜欢《红楼梦》。", "小红非常喜欢《红楼梦》。", "小红住在里昂。"],
      merged: "小红一直非常喜欢《红楼梦》。",
      triple: { subject: "小红", object: "里昂" },
      question: "小红住在哪里？",
    },
  ] as const;

  test.each(golden)(
    "[S0-70][S0-101] $language: thoughts of each exchange, merged with those of their bucket",
    async ({ turns, thoughts, merged, triple, question }) => {
      const of = (text: string): Json => ({ facts: [{ text, speaker: null, sources: [1] }] });
      const world = await open({
        embedder: ONE_BUCKET(),
        replies: {
          extract_facts: thoughts.map(of),
          distil: (request) =>
            shown(request).includes(thoughts[2]) ? { merged: null, replaced: [] } : { merged, replaced: [0] },
        },
      });
      const { done } = await world.say(turns);
      // The first thought is alone in its bucket.
      expect(world.calls()).toEqual(["extract_facts", "extract_facts", "distil", "extract_facts", "distil"]);
      expect(
        done.map(({ result }) => result.stages.find(({ action }) => action === "distillation")?.notes.merged),
      ).toEqual([0, 1, 0]);
      const entries = await world.entries();
      expect(texts(current(entries))).toEqual([merged, thoughts[2]]);
      const [first, second] = entries;
      const whole = entries.find(({ content }) => content === merged);
      expect([first?.supersededBy, second?.supersededBy]).toEqual([whole?.id, whole?.id]);
      expect(whole?.sources).toHaveLength(2);
      const lives = entries.find(({ content }) => content === thoughts[2]);
      expect(lives?.metadata.triples).toEqual([expect.objectContaining(triple)]);
      const { hits, context } = await world.ask(question);
      expect(texts(hits)).toContain(thoughts[2]);
      expect(context).toMatch(/^## Thoughts\n- /);
    },
  );

  test("[P12-4] a thought is shown, merged and removed only beside those of its own bucket", async () => {
    const replies = {
      extract_facts: [
        { facts: [{ text: "Ada's city is Rome.", sources: [0] }] },
        { facts: [{ text: "Ada's city is Oslo.", sources: [0] }] },
      ],
      distil: { merged: "Ada's city is Oslo.", replaced: [0] },
    };
    const talk = told([
      ["user", "Rome"],
      ["assistant", "Yes."],
      ["user", "Oslo"],
      ["assistant", "Yes."],
    ]);
    const together = await open({ embedder: ONE_BUCKET(), replies });
    await together.say(talk);
    expect(together.calls()).toContain("distil");
    expect(texts(current(await together.entries()))).toEqual(["Ada's city is Oslo."]);
    const apart = await open({ embedder: twoBuckets(/Rome/), replies });
    await apart.say(talk);
    expect(apart.calls()).not.toContain("distil");
    expect(texts(current(await apart.entries()))).toEqual(["Ada's city is Rome.", "Ada's city is Oslo."]);
    // Nor is it recalled from another one.
    expect(texts((await apart.ask("What about Oslo?")).hits)).toEqual(["Ada's city is Oslo."]);
  });

  test("[C-11] hard_delete removes what was merged for good, as published", async () => {
    const world = await open(
      {
        embedder: ONE_BUCKET(),
        replies: {
          extract_facts: [{ facts: ["Ada's city is Rome."] }, { facts: ["Ada's city is Oslo."] }],
          distil: { merged: "Ada moved from Rome to Oslo.", replaced: [0] },
        },
      },
      "tim",
      "stages: { post_insert: { action: distillation, hard_delete: true } }",
    );
    await world.say(EN.slice(0, 4));
    expect(texts(await world.entries())).toEqual(["Ada moved from Rome to Oslo."]);
  });
});

describe("without a model", () => {
  test.each([
    { language: "English", said: ["Ada's city is Rome.", "Ada's city is Oslo."], question: "Ada's city?" },
    { language: "Chinese", said: ["小明住在北京。", "小明住在上海。"], question: "小明住在哪里？" },
  ])(
    "[S0-101][S0-102] $language: tim forgets what is contradicted, tim_basic keeps it",
    async ({ said, question }) => {
      const turns = told(said.map((text) => ["", text]));
      const tim = await open({ embedder: ONE_BUCKET() });
      const basic = await open({ embedder: ONE_BUCKET() }, "tim_basic");
      for (const world of [tim, basic]) await world.say(turns);
      expect(texts(current(await tim.entries()))).toEqual([said[1]]);
      expect(texts(current(await basic.entries()))).toEqual(said);
      expect(texts((await tim.ask(question)).hits)).toEqual([said[1]]);
      expect((await basic.ask(question)).hits).toHaveLength(2);
    },
  );

  test("with the built-in embedder a question meets the thoughts of its bucket, in both languages", async () => {
    const world = await open();
    await world.say(EN);
    await world.say(ZH);
    const meets = async (thought: string, questions: readonly string[]) => {
      const found = await Promise.all(questions.map((question) => world.ask(question)));
      return found.some(({ hits }) => texts(hits).includes(thought));
    };
    const english = [
      "Where does Alice live?",
      "Does Alice live in Lyon?",
      "In which city does Alice live now?",
    ];
    expect(await meets("Alice lives in Lyon.", english)).toBe(true);
    const chinese = ["小红住在哪里？", "小红住在里昂吗？", "小红现在住在哪个城市？"];
    expect(await meets("小红住在里昂。", chinese)).toBe(true);
  });
});

describe("variants", () => {
  test("[S0-101][S0-102] the one merges, the other does not", async () => {
    const [merging, plain] = await Promise.all(
      ["variants/locomo_tim_pipeline", "variants/locomo_tim_basic_pipeline"].map(loadPreset),
    );
    expect(merging?.stages.post_insert.map(({ action }) => action)).toEqual(["distillation"]);
    expect(plain?.stages.post_insert.map(({ action }) => action)).toEqual(["none"]);
    const said = told([
      ["", "Ada's city is Rome."],
      ["", "Ada's city is Oslo."],
    ]);
    const counts: number[] = [];
    for (const name of ["variants/locomo_tim_pipeline", "variants/locomo_tim_basic_pipeline"]) {
      const world = await open({ embedder: ONE_BUCKET() }, name);
      await world.say(said);
      counts.push(current(await world.entries()).length);
    }
    expect(counts).toEqual([1, 2]);
  });

  test("[S0-70] TiM's own form of hashing is what the preset asks for, and its name is enough", async () => {
    const { service } = await loadPreset("tim");
    expect(service).toMatchObject({
      name: "vector_hash_memory",
      options: { form: "argmax", lsh_nbits: 2, max_hamming: null },
    });
  });
});
