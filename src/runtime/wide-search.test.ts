import { afterEach, describe, expect, test } from "vitest";
import { manualClock } from "../base/clock.ts";
import { where } from "../base/filter.ts";
import { openInMemory } from "../storage/memory.ts";
import { sharedEmbedder } from "../testing/preset-world.ts";
import { Memory } from "./memory.ts";

const DAY = 86_400_000;
const clock = manualClock(Date.UTC(2026, 4, 1));
const opened: Memory[] = [];
afterEach(async () => {
  for (const memory of opened.splice(0)) await memory.close();
});

async function open(preset: string): Promise<Memory> {
  const storage = await openInMemory({ clock });
  const memory = await Memory.open({
    storage,
    preset,
    scope: "mia",
    embedder: await sharedEmbedder(),
    clock,
  });
  opened.push(memory);
  return memory;
}

describe("[S3-26] comprehensive recall", () => {
  test("hands out what is alike enough, what was remembered in passing damped by its age", async () => {
    const memory = await open("hybrid");
    await memory.remember([
      { judgment: "Mia loves green tea.", tags: ["tea"], pinned: true },
      { judgment: "Mia loves green tea a lot.", tags: ["tea"], pinned: false },
      { judgment: "The bridge was built in 1894 by engineers.", tags: ["bridge"] },
    ]);
    const fresh = await memory.comprehensiveRecall("Mia loves green tea a lot.");
    expect(fresh.map(({ content }) => content)).toEqual([
      "Mia loves green tea a lot.",
      "Mia loves green tea.",
    ]);
    clock.advance(20 * DAY);
    const aged = await memory.comprehensiveRecall("Mia loves green tea a lot.");
    expect(aged.map(({ content }) => content)).toEqual([
      "Mia loves green tea.",
      "Mia loves green tea a lot.",
    ]);
    expect(aged[1]?.scoreParts.damping).toBeCloseTo(0.5);
    expect(aged[0]?.scoreParts.damping).toBeUndefined();
    expect(aged[0]).toMatchObject({ text: "Mia loves green tea." });
    // What is handed out counts as looked at.
    expect(await memory.get(aged[0]?.id ?? "")).toMatchObject({ accessCount: 2 });
  });

  test("in Chinese, within limit, budget, filter and span", async () => {
    const memory = await open("dense");
    for (const day of [1, 2, 3])
      await memory.remember({ judgment: `米娅喜欢喝绿茶，第${day}天。`, happenedAt: day * DAY });
    const ask = async (options: object) =>
      (await memory.comprehensiveRecall("米娅喜欢喝绿茶", options)).map(({ happenedAt }) => happenedAt / DAY);
    expect((await ask({})).sort()).toEqual([1, 2, 3]);
    expect(await ask({ limit: 1 })).toHaveLength(1);
    expect(await ask({ from: 2 * DAY, to: 2 * DAY })).toEqual([2]);
    expect(await ask({ filter: where.eq("kind", "event") })).toEqual([]);
    expect(await ask({ budget: 0 })).toEqual([]);
    expect((await ask({ at: 2 * DAY })).sort()).toEqual([1, 2]);
    expect(await memory.comprehensiveRecall("  ")).toEqual([]);
  });
});

describe("[S3-26] chained recall", () => {
  const notes = (name: string, count: number) =>
    Array.from({ length: count }, (_, at) => ({
      judgment: `Note ${at} about a trip and a plan.`,
      tags: [name],
      type: "event" as const,
    }));

  for (const preset of ["hybrid", "simple_memory"]) {
    test(`gives a few for every entity, then a few of every type, in ${preset}`, async () => {
      const memory = await open(preset);
      await memory.remember([
        ...notes("Rome", 5),
        ...notes("Oslo", 5).map((note) => ({ ...note, judgment: `${note.judgment} Again.` })),
        { judgment: "A trip needs a plan.", tags: ["Rome", "Oslo"], type: "skill" },
      ]);
      const options = { entities: ["Rome", "Oslo"], perEntity: 2, perType: 1 };
      const found = await memory.chainedRecall("Tell me of the trip and the plan", options);
      const speakOf = (name: string) => found.filter(({ tags }) => tags.includes(name)).length;
      expect(speakOf("Rome")).toBeGreaterThanOrEqual(2);
      expect(speakOf("Oslo")).toBeGreaterThanOrEqual(2);
      expect(found.some(({ kind }) => kind === "skill")).toBe(true);
      expect(found.length).toBeLessThanOrEqual(6);
      expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
      expect(await memory.chainedRecall("trip", { ...options, limit: 1 })).toHaveLength(1);
    });
  }

  test("reads what the question speaks of out of it, in English and Chinese", async () => {
    const memory = await open("hybrid");
    await memory.remember([
      ...notes("other", 12),
      { speaker: "Ann", text: "Marco Polo travelled far." },
      { judgment: "一种陶器。", tags: ["杭州"] },
    ]);
    const first = async (question: string) =>
      (await memory.chainedRecall(question, { perType: 0 })).map(({ content }) => content);
    expect(await first("What about a trip with Marco Polo?")).toEqual(["Ann: Marco Polo travelled far."]);
    expect(await first("在杭州有什么计划？")).toEqual(["一种陶器。"]);
  });
});

test("options that mean nothing there are refused", async () => {
  const memory = await open("simple_memory");
  const refused = { code: "input_invalid" };
  await expect(memory.comprehensiveRecall("a", { talk: [] } as object)).rejects.toMatchObject(refused);
  await expect(memory.comprehensiveRecall("a", { limit: 0 })).rejects.toMatchObject(refused);
  await expect(memory.comprehensiveRecall("a", { from: 2, to: 1 })).rejects.toMatchObject(refused);
  await expect(memory.comprehensiveRecall("a", { explain: true } as object)).rejects.toMatchObject(refused);
  await expect(memory.chainedRecall("a", { entities: [" "] })).rejects.toMatchObject(refused);
  await expect(memory.chainedRecall("a", { perKind: 3 } as object)).rejects.toMatchObject(refused);
  await expect(memory.chainedRecall(3 as unknown as string)).rejects.toMatchObject(refused);
});
