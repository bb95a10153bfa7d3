import { afterEach, describe, expect, test } from "vitest";
import type { Json } from "../../src/base/json.ts";
import { presetDiff } from "../../src/preset/diff.ts";
import { loadPreset, parsePreset } from "../../src/preset/load.ts";
import { extractEntities } from "../../src/tasks/extract-entities.ts";
import { filterFacts } from "../../src/tasks/filter-facts.ts";
import { ALICE, openPresetWorld, type PresetWorld, type Replies } from "../../src/testing/preset-world.ts";
import { promptVariants } from "../../src/testing/prompt-variant.ts";

const worlds: PresetWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

interface Talk {
  readonly turns: readonly (readonly [speaker: string, text: string])[];
  /** What a model reads out of each turn. */
  readonly triples: readonly (readonly (readonly [string, string, string])[])[];
  readonly question: string;
  readonly names: readonly string[];
  /** What must be recalled: the first hop, and the second, which the question does not name. */
  readonly hops: readonly [string, string];
}

const EN: Talk = {
  turns: [
    ["Mia", "Thomas Weber repaired my violin last week."],
    ["Ben", "Thomas Weber has his workshop in Salzburg."],
    ["Mia", "My sister Clara sings in a choir."],
    ["Ben", "The choir rehearses on Mondays."],
    ["Mia", "Clara baked a lemon cake."],
    ["Ben", "My cat sleeps all day."],
  ],
  triples: [
    [["Thomas Weber", "repaired", "Mia's violin"]],
    [["Thomas Weber", "has his workshop in", "Salzburg"]],
    [
      ["Clara", "is sister of", "Mia"],
      ["Clara", "sings in", "choir"],
    ],
    [["choir", "rehearses on", "Mondays"]],
    [["Clara", "baked", "lemon cake"]],
    [["Ben's cat", "sleeps", "all day"]],
  ],
  question: "In which city is the workshop of the man who repaired Mia's violin?",
  names: ["Mia's violin"],
  hops: ["repaired", "Salzburg"],
};
const ZH: Talk = {
  turns: [
    ["小美", "李师傅上周修好了我的小提琴。"],
    ["王芳", "李师傅的工作室在苏州。"],
    ["小美", "我妹妹小兰在合唱团唱歌。"],
    ["王芳", "合唱团每周一排练。"],
    ["小美", "小兰烤了一个柠檬蛋糕。"],
    ["王芳", "我的猫整天睡觉。"],
  ],
  triples: [
    [["李师傅", "修好了", "小美的小提琴"]],
    [["李师傅", "工作室在", "苏州"]],
    [
      ["小兰", "是妹妹", "小美"],
      ["小兰", "唱歌在", "合唱团"],
    ],
    [["合唱团", "排练在", "每周一"]],
    [["小兰", "烤了", "柠檬蛋糕"]],
    [["王芳的猫", "整天", "睡觉"]],
  ],
  question: "修好小美的小提琴的人，工作室在哪个城市？",
  names: ["小美的小提琴"],
  hops: ["修好", "苏州"],
};
const TALKS = [
  ["English", EN],
  ["Chinese", ZH],
] as const;

function repliesOf({ triples, names }: Talk, more: Replies = {}): Replies {
  let [asked, read] = [0, 0];
  return {
    extract_entities: (): Json => ({ entities: asked++ < triples.length ? [] : [...names] }),
    extract_triples: (): Json => ({ triples: (triples[read++] ?? []).map((triple) => [...triple]) }),
    filter_facts: { keep: [0] },
    ...more,
  };
}

async function heard(name: string, talk: Talk, replies?: Replies, variant = ""): Promise<PresetWorld> {
  const text = `name: variant\nextends: ${name}\ndefaults: recommended\n${variant}`;
  const preset = variant === "" ? name : await parsePreset(text, "variant.yaml");
  const world = await openPresetWorld(preset, replies === undefined ? {} : { replies });
  worlds.push(world);
  await world.say(talk.turns.map(([speaker, text]) => ({ speaker, text })));
  return world;
}

const memoriesOf = async (world: PresetWorld) =>
  (await world.entries()).filter(({ kind }) => kind === "triple");
const kindsOf = async (world: PresetWorld) => new Set((await world.entries()).map(({ kind }) => kind));
const notesOf = ({ stages }: Awaited<ReturnType<PresetWorld["ask"]>>, action: string) =>
  stages.find((stage) => stage.action === action)?.notes;

describe.each(TALKS)("[S0-75] HippoRAG, %s", (_language, talk) => {
  test("with a model: names, then triples of a turn; at a question its names", async () => {
    const world = await heard("hipporag", talk, repliesOf(talk));
    expect(world.calls()).toEqual(talk.turns.flatMap(() => ["extract_entities", "extract_triples"]));
    const memories = await memoriesOf(world);
    expect(memories.map(({ content }) => content)).toEqual(
      talk.turns.map(([who, said]) => `${who}: ${said}`),
    );
    expect(memories.every(({ sources }) => sources.length === 1)).toBe(true);
    expect(await kindsOf(world)).toEqual(new Set(["triple", "entity"]));
    const found = await world.ask(talk.question);
    expect(world.calls()).toEqual(["extract_entities"]);
    expect(notesOf(found, "optimize")).toMatchObject({ entities: talk.names });
    expect(found.hits[0]?.content).toContain(talk.hops[0]);
    expect(found.hits[1]?.content).toContain(talk.hops[1]);
    expect(found.hits[0]?.scoreParts.carried).toBe(found.hits[0]?.score);
  });

  test("with no model: rules read names and triples, and what is near answers", async () => {
    const world = await heard("hipporag", talk);
    expect(await memoriesOf(world)).toHaveLength(talk.turns.length);
    const { hits } = await world.ask(talk.question);
    expect(
      hits
        .slice(0, 3)
        .map(({ content }) => content)
        .join("\n"),
    ).toContain(talk.hops[0]);
  });
});

describe.each(TALKS)("[S0-75] HippoRAG 2, %s", (_language, talk) => {
  test("with a model: facts are kept, recognised, and the walk leads on from them", async () => {
    const world = await heard("hipporag2", talk, repliesOf(talk));
    world.calls();
    expect(await kindsOf(world)).toEqual(new Set(["triple", "entity", "fact_node"]));
    const facts = (await world.entries()).filter(({ kind }) => kind === "fact_node");
    expect(facts).toHaveLength(talk.triples.flat().length);
    const found = await world.ask(talk.question);
    expect(world.calls()).toEqual(["filter_facts"]);
    expect(found.hits).toHaveLength(5);
    expect(
      found.hits
        .slice(0, 2)
        .map(({ content }) => content)
        .join("\n"),
    ).toContain(talk.hops[1]);
    expect(found.lists[0]?.hints.strategy).toBe("graph");
    expect(found.hits[0]?.scoreParts.seed).toBeLessThanOrEqual(0.05);
  });

  test("[P1-1] nearness alone decides if and only if no fact is recognised", async () => {
    const world = await heard(
      "hipporag2",
      talk,
      repliesOf(talk, { filter_facts: [{ keep: [] }, { keep: [1] }] }),
    );
    const none = await world.ask(talk.question);
    expect(notesOf(none, "recognition")).toMatchObject({ facts: { kept: [] } });
    const dense = await world.memory().service.retrieve(ALICE, {
      ...{ vectors: none.question.queries[0]?.vectors ?? [], hints: { strategy: "semantic" }, touch: false },
    });
    expect(none.hits.map(({ id, score }) => [id, score])).toEqual(dense.map(({ id, score }) => [id, score]));
    const one = await world.ask(talk.question);
    expect(one.lists[0]?.hints).toMatchObject({ strategy: "graph" });
    expect(one.hits.map(({ score }) => score)).not.toEqual(none.hits.map(({ score }) => score));
  });

  test("with no model: facts by their nearness; both hops are recalled", async () => {
    const world = await heard("hipporag2", talk);
    const found = await world.ask(talk.question);
    const { shown, kept } = Object(notesOf(found, "recognition")?.facts);
    expect(shown.length).toBeGreaterThan(kept.length);
    expect(kept).toHaveLength(1);
    expect(found.hits.map(({ content }) => content).join("\n")).toContain(talk.hops[0]);
  });

  test("without a model min_nearness says which facts are recognised, max_facts how many come to mind", async () => {
    const notes = async (options: string) => {
      const stages = `stages: { memory_retrieval: { action: recognition, ${options} } }`;
      const world = await heard("hipporag2", talk, undefined, stages);
      const { shown, kept } = Object(notesOf(await world.ask(talk.question), "recognition")?.facts);
      return [shown.length, kept.length];
    };
    expect(await notes("max_facts: 2, min_nearness: 0")).toEqual([2, 2]);
    expect(await notes("max_facts: 2, min_nearness: 1")).toEqual([2, 1]);
    expect(await notes("max_facts: 1, min_nearness: 0")).toEqual([1, 1]);
  });
});

describe("options of the actions", () => {
  const sent = (world: PresetWorld) => world.requests.map(({ body }) => JSON.stringify(body.messages));

  test("filter_prompt and entity_prompt are the prompts that the model gets at a question", async () => {
    const own = await promptVariants({ recognise: filterFacts, names_asked: extractEntities });
    const second = `prompts: ${own.folder}\nstages: { memory_retrieval: { action: recognition, filter_prompt: recognise } }`;
    const world = await heard("hipporag2", EN, repliesOf(EN), second);
    await world.ask(EN.question);
    expect(sent(world).at(-1)).toContain("This is recognise.");
    const first = `prompts: ${own.folder}\nstages: { pre_retrieval: [{ action: entity_extract, entity_prompt: names_asked }, embedding] }`;
    const older = await heard("hipporag", EN, repliesOf(EN), first);
    await older.ask(EN.question);
    expect(sent(older).at(-1)).toContain("This is names_asked.");
    await own.close();
  });

  test("every query recognises facts of its own, and fusion makes their lists one", async () => {
    const asked = async (fusion: string) => {
      const stages = `stages:
  pre_retrieval: [{ action: decompose, decompose_strategy: rule, keep_original: false }, embedding]
  memory_retrieval: { action: recognition, fusion: { ${fusion} } }`;
      const world = await heard("hipporag2", EN, undefined, stages);
      return world.ask("Who repaired the violin? When does the choir rehearse?");
    };
    const found = await asked("strategy: rrf, rrf_k: 60, weights: null");
    expect(found.lists).toHaveLength(2);
    expect(found.lists.map(({ hits }) => hits[0]?.content)).toEqual([
      expect.stringContaining("violin"),
      expect.stringContaining("choir"),
    ]);
    const parts = ({ hits }: typeof found) => Object.keys(hits[0]?.scoreParts ?? {}).join();
    expect(parts(found)).toContain("rrf.graph");
    expect(parts(await asked("strategy: union"))).toContain("union.graph");
  });
});

describe("what the papers say", () => {
  test("[P1-5] damping 0.5, synonyms from 0.8, five facts, passages weigh 0.05, five passages are read", async () => {
    const { service, stages } = await loadPreset("hipporag2");
    expect(service.options).toMatchObject({
      ...{ top_k: 5, ppr: { damping: 0.5 }, seeds: { linking_top_k: 5, passage_node_weight: 0.05 } },
    });
    expect(stages.post_insert[0]?.options).toMatchObject({ threshold: 0.8 });
    expect(stages.memory_retrieval[0]?.options).toMatchObject({ max_facts: 5 });
  });

  test("a diff of both says what the second paper changed", async () => {
    const differences = presetDiff(await loadPreset("hipporag"), await loadPreset("hipporag2"));
    const told = differences.map(({ part, path, b }) => `${part} ${path}: ${JSON.stringify(b)}`);
    expect(told).toEqual(
      expect.arrayContaining([
        "service enhanced_rerank: true",
        "service passage_edge_weight: 0.5",
        "service seeds.passage_node_weight: 0.05",
        "pre_retrieval optimize: undefined",
      ]),
    );
    expect(told.some((line) => line.startsWith("memory_retrieval recognition"))).toBe(true);
    expect(told.some((line) => /^(input|pre_insert|post_insert|memory_insert)/.test(line))).toBe(false);
  });
});

describe("variants", () => {
  test("[S0-99] ppr_depth: 2 ends the walk two steps from the names in the question", async () => {
    const reached = async (name: string) => {
      const talk: Talk = {
        ...EN,
        triples: [
          [["Ada", "knows", "Bob"]],
          [["Bob", "knows", "Cyd"]],
          [["Cyd", "knows", "Dan"]],
          [],
          [],
          [],
        ],
        names: ["Ada"],
      };
      const { hits } = await (await heard(name, talk, repliesOf(talk))).ask("Whom does Ada know?");
      return hits.filter(({ score }) => score > 0).length;
    };
    expect(await reached("hipporag")).toBe(3);
    expect(await reached("variants/locomo_hipporag_pipeline")).toBe(2);
  });

  test("[S0-100] ppr_depth: 3 and enhanced_rerank: true decide how far a walk goes, and what a question is linked to", async () => {
    const { service } = await loadPreset("variants/locomo_hipporag2_pipeline");
    expect(service.options).toMatchObject({ enhanced_rerank: true, ppr: { depth: 3, damping: 0.5 } });
    const linkedTo = async (variant: string) => {
      const stages = "stages: { memory_retrieval: default }";
      const world = await heard(
        "variants/locomo_hipporag2_pipeline",
        EN,
        repliesOf(EN),
        `${variant}${stages}`,
      );
      const { hits } = await world.ask(EN.question);
      return { scores: hits.map(({ score }) => score), kinds: await kindsOf(world) };
    };
    const facts = await linkedTo("");
    const names = await linkedTo("service: { enhanced_rerank: false }\n");
    expect([facts.kinds.has("fact_node"), names.kinds.has("fact_node")]).toEqual([true, false]);
    expect(facts.scores).not.toEqual(names.scores);
    const near = await linkedTo("service: { ppr_depth: 1 }\n");
    expect(near.scores).not.toEqual(facts.scores);
    const recognised = parsePreset(
      "name: x\nextends: hipporag2\ndefaults: recommended\nservice: { enhanced_rerank: false }",
      "x.yaml",
    );
    await expect(recognised).rejects.toThrow(/fact/);
  });
});
