/** What every design is held against: words, meaning, both, and the whole conversation. */
import { afterEach, expect, test } from "vitest";
import type { NewTurn } from "../../src/base/turn.ts";
import { loadPreset } from "../../src/preset/load.ts";
import { openPresetWorld } from "../../src/testing/preset-world.ts";
import { countTokens } from "../../src/text/token-count.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const HOUR = 3_600_000;
const DIALOGUE: readonly NewTurn[] = [
  { speaker: "Mia", text: "I bought a blue bicycle in Utrecht.", session: "one" },
  { speaker: "Ben", text: "My daughter plays the violin in the school orchestra.", session: "one" },
  { speaker: "小美", text: "我上周搬到了上海。", session: "two" },
  { speaker: "小强", text: "我养了两只猫，一只叫小白。", session: "two" },
  { speaker: "Mia", text: "The bakery next door sells fresh bread.", session: "three" },
  { speaker: "Ben", text: "The doctor told me to rest for a week.", session: "three" },
].map((turn, place) => ({ ...turn, happenedAt: Date.UTC(2026, 0, 1) + place * HOUR }));

async function open(name: string | Awaited<ReturnType<typeof loadPreset>>) {
  const world = await openPresetWorld(name);
  closing.push(world.close);
  return world;
}

test.each([
  ["bm25", "Who plays the violin?", "我养了两只猫，一只叫小白。", "谁养了猫？"],
  ["dense", "Who makes music at school?", "我养了两只猫，一只叫小白。", "谁家里有宠物？"],
  ["hybrid", "Who plays music at school?", "我养了两只猫，一只叫小白。", "谁养了猫？"],
])(
  "%s: every turn is stored as it was said, and found; no model is asked",
  async (name, english, cat, chinese) => {
    const world = await open(name);
    await world.say(DIALOGUE);
    const entries = await world.entries();
    expect(entries.map(({ content }) => content)).toEqual(
      DIALOGUE.map(({ speaker, text }) => `${speaker}: ${text}`),
    );
    const first = await world.ask(english);
    expect(first.hits[0]?.content).toContain("violin");
    expect((await world.ask(chinese)).hits[0]?.content).toContain(cat);
    expect(first.stages.flatMap(({ tasks }) => tasks)).toEqual([]);
    const ways = { bm25: ["term:violin"], dense: ["cosine"], hybrid: ["vector", "text"] }[name] ?? [];
    const parts = Object.keys(first.hits[0]?.scoreParts ?? {}).join(" ");
    for (const way of ways) expect(parts).toContain(way);
  },
);

test("full_context: everything, in the order it was said, whatever is asked", async () => {
  const world = await open("full_context");
  await world.say(DIALOGUE);
  const [one, other] = [await world.ask("Who plays the violin?"), await world.ask("小强养了什么？")];
  expect(one.hits.map(({ content }) => content)).toEqual(
    DIALOGUE.map(({ speaker, text }) => `${speaker}: ${text}`),
  );
  expect(other.hits.map(({ id }) => id)).toEqual(one.hits.map(({ id }) => id));
  const lines = one.context?.split("\n") ?? [];
  expect(lines).toHaveLength(DIALOGUE.length);
  expect(lines[0]).toMatch(/^\[.*1 January 2026\] Mia: I bought a blue bicycle/);
  expect((await world.memory().service.stats()).indexes.some(({ kind }) => kind.startsWith("vector"))).toBe(
    false,
  );
});

test("full_context: the newest is kept first until the budget is spent, and shown oldest first", async () => {
  const base = await loadPreset("full_context");
  const [budget, ...rest] = base.stages.post_retrieval;
  const tight = { ...budget!, options: { ...budget!.options, budget: 80 } };
  const world = await open({ ...base, stages: { ...base.stages, post_retrieval: [tight, ...rest] } });
  await world.say(DIALOGUE);
  const { hits } = await world.ask("Who plays the violin?");
  const kept = hits.map(({ content }) => content);
  const all = DIALOGUE.map(({ speaker, text }) => `${speaker}: ${text}`);
  expect(kept.length).toBeGreaterThan(0);
  expect(kept.length).toBeLessThan(all.length);
  expect(kept).toEqual(all.slice(-kept.length));
  expect(kept.reduce((sum, text) => sum + countTokens(text), 0)).toBeLessThanOrEqual(30);
});

test.each(["bm25", "dense", "hybrid", "full_context"])(
  "%s says what it is and what it costs: nothing",
  async (name) => {
    const { about } = await loadPreset(name);
    expect(about).toMatchObject({ calls: { write: "0", read: "0" } });
  },
);
