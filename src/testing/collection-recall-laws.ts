/** The part of the collection suite that is about questions to several indexes: every option changes the answer. */
import { expect, test } from "vitest";
import { where } from "../base/filter.ts";
import type { MultiRetrieval } from "../collection/retrieve.ts";
import { vectorOf } from "./collection-model.ts";
import { ALICE, type CollectionWorld } from "./collection-world.ts";

export function recallLaws(world: CollectionWorld): void {
  const words = { index: "words", text: "violin" };
  const meaning = { index: "meaning", vector: vectorOf(1) };
  const ask = async (request: Partial<MultiRetrieval>) =>
    world.notes.retrieveMulti(ALICE, { queries: [words, meaning], ...request });
  /** "by word" is alone in one list, "by meaning" in the other. */
  const insertTwo = async () => {
    await world.notes.insert(ALICE, { content: "violin", kind: "by word" });
    await world.notes.insert(ALICE, { content: "cello", kind: "by meaning", vectors: [vectorOf(1)] });
  };
  const kinds = async (request: Partial<MultiRetrieval>) => (await ask(request)).map(({ kind }) => kind);

  test("[S0-60] the weight of a question decides whose answer comes first", async () => {
    await insertTwo();
    for (const fusion of ["rrf", "weighted"] as const) {
      const heavy = (first: number, second: number) =>
        kinds({
          fusion,
          queries: [
            { ...words, weight: first },
            { ...meaning, weight: second },
          ],
        });
      expect(await heavy(2, 1)).toEqual(["by word", "by meaning"]);
      expect(await heavy(1, 2)).toEqual(["by meaning", "by word"]);
    }
  });

  test("[S0-60] the constant of reciprocal-rank fusion is the one given, 60 if none is", async () => {
    await insertTwo();
    expect((await ask({}))[0]?.score).toBeCloseTo(1 / 61, 9);
    expect((await ask({ rrfK: 1 }))[0]?.score).toBeCloseTo(1 / 2, 9);
    expect(await ask({ topK: 1 })).toHaveLength(1);
  });

  test("[S0-60] filter and superseded apply to every question", async () => {
    await insertTwo();
    expect(await kinds({ filter: where.eq("kind", "by meaning") })).toEqual(["by meaning"]);
    expect(await kinds({ filter: where.eq("kind", "by word") })).toEqual(["by word"]);
    const [first] = await ask({ filter: where.eq("kind", "by word") });
    const fresh = await world.notes.insert(ALICE, { content: "viola", kind: "fresh" });
    await world.notes.update(ALICE, first?.id ?? fresh, { supersededBy: fresh });
    expect(await kinds({})).toEqual(["by meaning"]);
    expect((await kinds({ superseded: true })).sort()).toEqual(["by meaning", "by word"]);
  });
}
