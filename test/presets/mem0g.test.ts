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
async function open(options: PresetWorldOptions = {}, name = "mem0g"): Promise<PresetWorld> {
  const world = await openPresetWorld(name, { embedder: hashEmbedder(), ...options });
  worlds.push(world);
  return world;
}

const START = Date.UTC(2026, 3, 1, 9);
const told = (turns: readonly (readonly [speaker: string, text: string])[]) =>
  turns.map(([speaker, text], place) => ({ speaker, text, happenedAt: START + place * 60_000 }));
const memories = (entries: readonly Entry[]) => entries.filter(({ kind }) => kind === "fact");
const shown = ({ body }: SeenRequest): string =>
  String(Array.isArray(body.messages) ? JSON.parse(JSON.stringify(body.messages.at(-1))).content : "");

const EN = told([
  ["Mia", "My boss is Clara Berg."],
  ["Ben", "I adopted a dog named Rex."],
  ["Mia", "My boss is Tom Hart now."],
  ["Ben", "Rex sleeps all day."],
]);
const ZH = told([
  ["小美", "我的老板是王强。"],
  ["大伟", "我养了一只叫旺财的狗。"],
  ["小美", "我的老板现在是李娜。"],
  ["大伟", "旺财整天睡觉。"],
]);

describe("with a model", () => {
  const golden = [
    {
      language: "English",
      turns: EN,
      facts: [
        "Mia's boss is Clara Berg.",
        "Ben has a dog named Rex.",
        "Mia's boss is Tom Hart.",
        "Rex sleeps all day.",
      ],
      triples: [
        ["Mia", "has boss", "Clara Berg"],
        ["Ben", "owns", "Rex"],
        ["Mia", "has boss", "Tom Hart"],
        ["Rex", "sleeps", "all day"],
      ],
      question: "Who is the boss of Mia?",
      name: "Mia",
    },
    {
      language: "Chinese",
      turns: ZH,
      facts: ["小美的老板是王强。", "大伟有一只叫旺财的狗。", "小美的老板是李娜。", "旺财整天睡觉。"],
      triples: [
        ["小美", "老板是", "王强"],
        ["大伟", "养", "旺财"],
        ["小美", "老板是", "李娜"],
        ["旺财", "睡觉", "整天"],
      ],
      question: "小美的老板是谁？",
      name: "小美",
    },
  ] as const;

  test.each(golden)(
    "[S0-78][S0-98] $language: a relation is superseded with the fact that states it, and can still be read",
    async ({ turns, facts, triples, question, name }) => {
      const of = (...some: readonly string[]): Json => ({ facts: [...some] });
      const world = await open({
        replies: {
          extract_new_facts: [of(facts[0], facts[1]), of(facts[2], facts[3])],
          extract_triples: triples.map(([subject, relation, object]) => ({
            triples: [{ subject, relation, object }],
          })),
          extract_entities: { entities: [{ name, type: "person" }] },
          decide_crud: (request) => {
            const text = shown(request);
            const isNew = text.split("<memories>")[0]?.includes(facts[2]) ?? false;
            const known = /\[(\d+)\]$/.exec(text.split(` ${facts[0]}`)[0] ?? "")?.[1];
            const found = isNew ? Number(known) : null;
            return { decisions: [{ fact: 0, event: isNew ? "DELETE" : "ADD", id: found, text: "x" }] };
          },
        },
      });
      await world.say(turns);
      const calls = world.calls();
      expect(calls.filter((task) => task === "extract_triples")).toHaveLength(4);
      const entries = await world.entries();
      const [old, , fresh] = memories(entries);
      expect(old?.supersededBy).toBe(fresh?.id);
      expect(old?.metadata.triples).toEqual([
        { subject: name, relation: triples[0][1], object: triples[0][2] },
      ]);
      expect(entries.filter(({ kind }) => kind === "entity").length).toBeGreaterThanOrEqual(5);

      const { hits, sections, context, stages } = await world.ask(question);
      expect(world.calls()).toEqual(["extract_entities"]);
      expect(stages.find(({ action }) => action === "augment")?.notes).toMatchObject({ names: [name] });
      expect(sections.relations).toEqual([triples[2].join(" -- ")]);
      expect(context).toContain(`## Relations\n- ${triples[2].join(" -- ")}`);
      expect(context).not.toContain(triples[0][2]);
      expect(hits[0]?.content).toBe(facts[2]);
    },
  );
});

describe("without a model", () => {
  test.each([
    { language: "English", turns: EN, question: "Who is the boss of Mia?", fresh: "Tom Hart", old: "Clara" },
    { language: "Chinese", turns: ZH, question: "小美的老板是谁？", fresh: "李娜", old: "王强" },
  ])("[S0-98] $language: rules find facts, triples and names", async ({ turns, question, fresh, old }) => {
    const world = await open();
    await world.say(turns);
    const { hits, context } = await world.ask(question);
    expect(hits[0]?.content).toContain(fresh);
    expect(context).toContain(fresh);
    expect(context).not.toContain(old);
    expect((await world.entries()).some(({ content }) => content.includes(old))).toBe(true);
  });

  test("at most five relations, those with most of the question's words", async () => {
    const world = await open();
    const things = ["tea", "jazz", "chess", "milk", "rice", "snow", "cats"];
    await world.say(told(things.map((thing) => ["Mia", `Mia likes ${thing}.`])));
    const { sections } = await world.ask("Does Mia like chess?");
    expect(sections.relations).toHaveLength(5);
    expect(JSON.stringify(Array.isArray(sections.relations) ? sections.relations[0] : "")).toContain("chess");
  });
});

describe("variants", () => {
  test("[S0-98] locomo_mem0g_pipeline has graph_enabled, and links where locomo_mem0_pipeline has none", async () => {
    const graph = await open({}, "variants/locomo_mem0g_pipeline");
    const plain = await open({}, "variants/locomo_mem0_pipeline");
    for (const world of [graph, plain]) await world.say(EN);
    expect(graph.preset.service.options.graph_enabled).toBe(true);
    const kinds = async (world: PresetWorld) => new Set((await world.entries()).map(({ kind }) => kind));
    expect((await kinds(graph)).has("entity")).toBe(true);
    expect((await kinds(plain)).has("entity")).toBe(false);
    const [a, b] = await Promise.all([graph, plain].map((world) => world.ask("Who is the boss of Mia?")));
    expect(a?.sections.relations).toBeDefined();
    expect(b?.sections.relations).toBeUndefined();
  });

  test("[S0-98] without its graph the preset is refused, and told why", async () => {
    const text = "name: x\nextends: mem0g\ndefaults: recommended\nservice: { graph_enabled: false }";
    await expect(parsePreset(text, "x.yaml")).rejects.toThrow(/graph/);
    expect((await loadPreset("mem0g")).service.options).toMatchObject({
      graph: { link_threshold: 0.7, synonymy_threshold: 0.9 },
    });
  });
});
