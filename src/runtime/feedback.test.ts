import { afterEach, describe, expect, test } from "vitest";
import { manualClock } from "../base/clock.ts";
import { openInMemory } from "../storage/memory.ts";
import type { Storage } from "../storage/storage.ts";
import { hashEmbedder } from "../testing/hash-embedder.ts";
import type { JudgedMemory } from "./judged-memory.ts";
import { Memory } from "./memory.ts";

const clock = manualClock(Date.UTC(2026, 4, 1));
const opened: Memory[] = [];
let storage: Storage;
afterEach(async () => {
  for (const memory of opened.splice(0)) await memory.close();
});

async function open(preset: string): Promise<Memory> {
  storage = await openInMemory({ clock });
  const memory = await Memory.open({ storage, preset, scope: "mia", embedder: hashEmbedder(), clock });
  opened.push(memory);
  return memory;
}

async function keep(memory: Memory, given: JudgedMemory): Promise<string> {
  const { memories } = await memory.remember(given);
  return memories?.[0] ?? "";
}

const TEA: JudgedMemory = { judgment: "Mia likes green tea.", reasoning: "She said so.", tags: ["tea"] };
const CHA: JudgedMemory = { judgment: "米娅喜欢绿茶。", tags: ["绿茶"], strength: 7 };
const nowhere = "00000000-0000-7000-8000-000000000000";

for (const preset of ["simple_memory", "neuromem", "hybrid", "biem"]) {
  describe(`[S3-27] feedback in ${preset}`, () => {
    test("new ones are remembered in the caller's scope", async () => {
      const memory = await open(preset);
      const { remembered, delayed } = await memory.feedback({ new: [TEA, { ...CHA, pinned: false }] });
      expect([remembered.length, delayed]).toEqual([2, null]);
      expect(await memory.get(remembered[1] ?? "")).toMatchObject({
        content: CHA.judgment,
        scope: "mia",
        pinned: false,
      });
      expect((await memory.in("bob").recall("绿茶")).hits).toEqual([]);
    });

    test("what was useful and says the same as another is praised as what they became", async () => {
      const memory = await open(preset);
      const [first, second] = [await keep(memory, TEA), await keep(memory, CHA)];
      const { merged, strengthened } = await memory.feedback({
        useful: [first, second],
        merge: [[first, second]],
      });
      expect(strengthened).toEqual([merged[0]?.id]);
      expect(await memory.get(merged[0]?.id ?? "")).toMatchObject({ usefulCount: 1 });
    });

    test("those that say the same become one passive knowledge memory, found by the tags of all", async () => {
      const memory = await open(preset);
      const first = await keep(memory, { ...TEA, type: "emotional" });
      const second = await keep(memory, CHA);
      const { merged } = await memory.feedback({ merge: [[first, second]] });
      expect(merged).toMatchObject([{ from: [first, second] }]);
      const id = merged[0]?.id ?? "";
      const kept = await Promise.all([first, second].map((one) => memory.get(one)));
      expect(kept.map(({ supersededBy }) => supersededBy)).toEqual([id, id]);
      expect(await memory.get(id)).toMatchObject({
        content: TEA.judgment,
        rationale: TEA.reasoning,
        kind: "knowledge",
        tags: ["tea", "绿茶"],
        strength: 17,
        pinned: false,
        sources: kept.flatMap(({ sources }) => sources),
        tier: kept[0]?.tier,
      });
      const { hits } = await memory.recall("Does Mia like green tea?");
      expect(hits.map((hit) => hit.id)).toEqual([id]);
      // One transaction: there was no moment with both, or neither.
      const events = await memory.history(id);
      const inserted = events.find(({ operation }) => operation === "entry-insert");
      const left = await memory.history(first);
      expect(left.some(({ change }) => change === inserted?.change)).toBe(true);
    });

    test("an id that the scope does not see refuses the whole, and nothing is changed by any branch", async () => {
      const memory = await open(preset);
      const own = await keep(memory, TEA);
      const other = await keep(memory, CHA);
      const bobs = await keep(memory.in("bob"), CHA);
      const { seq } = await storage.feed.head();
      const { turns } = await storage.stats();
      for (const bad of [bobs, nowhere]) {
        await expect(memory.feedback({ useful: [own, bad], new: [CHA] })).rejects.toMatchObject({
          code: "entry_not_found",
        });
        await expect(
          memory.feedback({ useful: [own], new: [CHA], merge: [[own, other, bad]] }),
        ).rejects.toMatchObject({ code: "entry_not_found" });
      }
      await expect(memory.feedback({ useful: [own], new: [{ judgment: "" }] })).rejects.toMatchObject({
        code: "text_invalid",
      });
      expect((await storage.feed.head()).seq).toBe(seq);
      expect((await storage.stats()).turns).toBe(turns);
    });
  });
}

test("[S3-27] a useful memory gains three of strength in SimpleMemory and energy in BIEM; praise of a public one is counted", async () => {
  const simple = await open("simple_memory");
  const id = await keep(simple, TEA);
  const shared = await keep(simple.in("public"), CHA);
  const { strengthened } = await simple.feedback({ useful: [id, id, shared] });
  expect(strengthened).toEqual([id, shared]);
  expect(await simple.get(id)).toMatchObject({ strength: 13, usefulCount: 1 });
  expect(await simple.get(shared)).toMatchObject({ strength: 10, usefulCount: 1 });

  const biem = await open("biem");
  const node = await keep(biem, { ...TEA, importance: 0.4 });
  clock.advance(3_600_000);
  await biem.feedback({ useful: [node] });
  const { energyAnchor } = await biem.get(node);
  expect(energyAnchor?.at).toBe(clock.now());
});

test("a public memory stays for the others when a scope merges it; the public scope joins public ones alone", async () => {
  const memory = await open("simple_memory");
  const everyone = memory.in("public");
  const shared = await keep(everyone, CHA);
  const own = await keep(memory, TEA);
  const { merged } = await memory.feedback({ merge: [[own, shared]] });
  expect(merged).toMatchObject([{ from: [own] }]);
  expect(await memory.get(merged[0]?.id ?? "")).toMatchObject({ scope: "mia", tags: ["tea", "绿茶"] });
  expect(await everyone.get(shared)).toMatchObject({ supersededBy: null });
  await expect(everyone.feedback({ merge: [[shared, own]] })).rejects.toMatchObject({
    code: "entry_not_found",
  });
});

test("whoever was replaced meanwhile is spoken for by what took its place", async () => {
  const memory = await open("hybrid");
  const [a, b] = [await keep(memory, TEA), await keep(memory, CHA)];
  const [one] = (await memory.feedback({ merge: [[a, b]] })).merged;
  expect((await memory.feedback({ useful: [a] })).strengthened).toEqual([one?.id]);
  expect((await memory.feedback({ merge: [[b, a]] })).merged).toEqual([{ id: one?.id, from: [] }]);
});

test("bad input is refused with what is valid", async () => {
  const memory = await open("hybrid");
  const [a, b] = [await keep(memory, TEA), await keep(memory, CHA)];
  const bad: object[] = [
    { merge: [[a]] },
    { merge: [[a, a]] },
    {
      merge: [
        [a, b],
        [b, a],
      ],
    },
    { useful: "all" },
    { useful: ["nobody"] },
    { praise: [a] },
    { new: [{ text: "a" }] },
  ];
  for (const given of bad)
    await expect(memory.feedback(given)).rejects.toMatchObject({ code: "input_invalid" });
  expect(await memory.feedback({})).toEqual({ strengthened: [], remembered: [], merged: [], delayed: null });
});
