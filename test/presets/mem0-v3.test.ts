import { afterEach, describe, expect, test } from "vitest";
import type { Entry } from "../../src/base/entry.ts";
import { parsePreset } from "../../src/preset/load.ts";
import { hashEmbedder } from "../../src/testing/hash-embedder.ts";
import type { SeenRequest } from "../../src/testing/model-server.ts";
import {
  ALICE,
  openPresetWorld,
  type PresetWorld,
  type PresetWorldOptions,
} from "../../src/testing/preset-world.ts";

const worlds: PresetWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});
async function open(options: PresetWorldOptions = {}, variant = ""): Promise<PresetWorld> {
  const text = `name: variant\nextends: mem0_v3\ndefaults: recommended\n${variant}`;
  const preset = variant === "" ? "mem0_v3" : await parsePreset(text, "variant.yaml");
  const world = await openPresetWorld(preset, { embedder: hashEmbedder(), ...options });
  worlds.push(world);
  return world;
}

const START = Date.UTC(2026, 3, 1, 9);
const told = (turns: readonly (readonly [speaker: string, text: string])[]) =>
  turns.map(([speaker, text], place) => ({ speaker, text, happenedAt: START + place * 60_000 }));
const facts = (entries: readonly Entry[]) =>
  entries.filter(({ kind }) => kind === "fact").map(({ content }) => content);
const names = (entries: readonly Entry[]) =>
  entries.filter(({ kind }) => kind === "entity").map(({ metadata }) => metadata.name);
const shown = ({ body }: SeenRequest): string =>
  String(Array.isArray(body.messages) ? JSON.parse(JSON.stringify(body.messages.at(-1))).content : "");

const EN = told([
  ["Mia", `I read "Becoming" in Lisbon. ${"Words and more words. ".repeat(30)}`],
  ["Ben", "My ticket is AB-123."],
  ["Mia", "I moved to Oslo."],
  ["Ben", "I like the summer pottery workshop."],
]);
const ZH = told([
  ["小美", "我在里斯本读了《成为》。"],
  ["大伟", "我的票号是AB-123。"],
  ["小美", "我搬到了奥斯陆。"],
  ["大伟", "我喜欢夏天的陶艺课。"],
]);

describe("with a model", () => {
  test.each([
    {
      language: "English",
      turns: EN,
      first: ['Mia read "Becoming" in Lisbon.', "Ben has the ticket AB-123."],
      second: ["Mia lives in Oslo.", "Ben has the ticket AB-123."],
      question: "What did Mia read in Lisbon?",
      name: "lisbon",
    },
    {
      language: "Chinese",
      turns: ZH,
      first: ["小美在里斯本读了《成为》。", "大伟的票号是AB-123。"],
      second: ["小美住在奥斯陆。", "大伟的票号是AB-123。"],
      question: "小美在里斯本读了什么？",
      name: "成为",
    },
  ])(
    "[S0-78] $language: one call per pair, facts are added and never changed, linked by names",
    async ({ turns, first, second, question, name }) => {
      const world = await open({
        replies: { extract_new_facts: [{ facts: first }, { facts: second }] },
      });
      const { done } = await world.say(turns);
      expect(world.calls()).toEqual(["extract_new_facts", "extract_new_facts"]);
      const [, request] = world.requests.map(shown);
      expect(request).toMatch(new RegExp(`<known>[\\s\\S]*${first[1]}[\\s\\S]*</known>`));
      // An earlier line is shown up to 300 characters.
      const earlier = request?.split("<earlier>")[1]?.split("</earlier>")[0]?.trim().split("\n") ?? [];
      expect(earlier).toHaveLength(2);
      expect(Math.max(...earlier.map((line) => line.length))).toBeLessThan(350);

      const entries = await world.entries();
      expect(facts(entries)).toEqual([...first, second[0]]);
      expect(done[1]?.result.stages[0]?.notes).toMatchObject({ facts: 1, known_already: 1 });
      expect(entries.every(({ supersededBy }) => supersededBy === null)).toBe(true);
      expect(names(entries)).toContain(name);

      const { hits } = await world.ask(question);
      expect(hits[0]?.content).toBe(first[0]);
      const { semantic = 0, keyword = 0, boost = 0 } = hits[0]?.scoreParts ?? {};
      expect(hits[0]?.score).toBeCloseTo(Math.min(1, (semantic + keyword + boost) / 2.5), 9);
      expect(boost).toBeGreaterThan(0);
      expect(world.calls()).toEqual([]);
    },
  );
});

describe("without a model", () => {
  test("[P13-2] the same said twice is one row", async () => {
    const world = await open();
    await world.say(
      told([
        ["Mia", "Mia adopted a grey cat in Porto."],
        ["Ben", "大伟在北京养了一只猫。"],
      ]),
    );
    await world.say(
      told([
        ["Mia", "Mia adopted a grey cat in Porto."],
        ["Ben", "大伟在北京养了一只猫。"],
      ]),
    );
    expect(facts(await world.entries())).toHaveLength(2);
    // As one of the hits only: without memories to compare with there are two.
    const blind = await open(
      {},
      "stages: { pre_insert: { action: transform, transform_type: new_fact_extract, known_memories: 0, earlier_chars: 300, summary: null } }",
    );
    await blind.say(told([["Mia", "Mia adopted a grey cat in Porto."]]));
    await blind.say(told([["Mia", "Mia adopted a grey cat in Porto."]]));
    expect(facts(await blind.entries())).toHaveLength(2);
  });

  test.each([
    {
      language: "English",
      said: ["Mia moved to Rome.", "Ben likes jazz music.", "Mia moved to Oslo.", "Clara likes tea."],
      question: "Where did Mia move to?",
      both: ["Mia moved to Rome.", "Mia moved to Oslo."],
    },
    {
      language: "Chinese",
      said: ["小美搬到了罗马。", "大伟喜欢爵士乐。", "小美搬到了奥斯陆。", "王芳喜欢喝茶。"],
      question: "小美搬到了哪里？",
      both: ["小美搬到了罗马。", "小美搬到了奥斯陆。"],
    },
  ])(
    "$language: what contradicts is kept beside the other; both are found",
    async ({ said, question, both }) => {
      const world = await open();
      await world.say(told(said.map((text) => ["", text])));
      const { hits } = await world.ask(question);
      const found = hits.slice(0, 2).map(({ content }) => content);
      expect(found.sort()).toEqual([...both].sort());
      expect(hits.every(({ score }, place) => score <= (hits[place - 1]?.score ?? 1))).toBe(true);
    },
  );

  test("a memory that is deleted leaves the links of its names; a name that nothing has any more goes with it", async () => {
    const world = await open();
    await world.say(
      told([
        ["Mia", "Mia met Clara Berg in Lisbon."],
        ["Mia", "Mia met Tom Hart in Lisbon."],
      ]),
    );
    const boostOf = async (content: RegExp) => {
      const { hits } = await world.ask("Who was in Lisbon?");
      return hits.find((hit) => content.test(hit.content))?.scoreParts.boost ?? 0;
    };
    const shared = await boostOf(/Tom/);
    const [clara] = (await world.entries()).filter(({ content }) => content.includes("Clara Berg in"));
    await world.memory().service.delete(ALICE, clara!.id);
    expect(names(await world.entries())).not.toContain("clara berg");
    expect(names(await world.entries())).toContain("lisbon");
    // Fewer have the name, so it says more.
    expect(await boostOf(/Tom/)).toBeGreaterThan(shared);
  });

  test("candidates come from nearness alone: what shares words only never enters", async () => {
    const world = await open({}, "stages: { memory_retrieval: { action: hybrid_score, threshold: 0.99 } }");
    await world.say(told([["Mia", "Mia met Clara Berg in Lisbon."]]));
    expect((await world.ask("Lisbon and many other words about nothing")).hits).toEqual([]);
    const few = await open({}, "stages: { memory_retrieval: { action: hybrid_score, top_k: 1 } }");
    await few.say(EN);
    expect((await few.ask("Mia in Lisbon")).hits).toHaveLength(1);
  });
});
