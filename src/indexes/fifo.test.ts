import { describe, expect, test } from "vitest";
import { PUBLIC, parseScope, type Scope } from "../base/scope.ts";
import { testIndex } from "../testing/index-suite.ts";
import { sampleId, sampleOf, sampleScope } from "../testing/sample.ts";
import { fifoIndex } from "./fifo.ts";
import type { Candidate, Index, IndexDeps, IndexItem } from "./index-contract.ts";

const deps: IndexDeps = { tokenize: () => [], tokenizerId: "none", fetchVectors: () => [] };
const alice = parseScope("alice");
const MODES = ["newest", "oldest", "overflow"] as const;

function create(capacity: number): Index {
  return fifoIndex.create(fifoIndex.options.parse({ capacity }), deps);
}

function item(n: number, scope: Scope = PUBLIC, position = n): IndexItem {
  return { id: sampleId(n), scope, position };
}

async function positions(
  index: Index,
  mode?: (typeof MODES)[number],
  scopes: readonly Scope[] = [PUBLIC],
): Promise<unknown[]> {
  const found: Candidate[] = await index.query({
    scopes,
    limit: 100,
    params: mode === undefined ? {} : { mode },
  });
  return found.map(({ parts }) => parts.position);
}

testIndex({
  name: "fifo",
  create: () => create(4),
  item: (n, random) => item(n, sampleScope(random), Math.floor(random.next() * 60)),
  query: (random) => ({ params: { mode: sampleOf(MODES, random) } }),
});

describe("fifo", () => {
  test("[S0-61] holds the newest by capacity and says which ones must move on", async () => {
    const index = create(3);
    index.add([1, 2, 3, 4, 5].map((n) => item(n)));
    expect(await positions(index)).toEqual([5, 4, 3]);
    expect(await positions(index, "oldest")).toEqual([3, 4, 5]);
    expect(await positions(index, "overflow")).toEqual([1, 2]);
    index.remove([sampleId(1), sampleId(2)]);
    expect(await positions(index, "overflow")).toEqual([]);
    expect(index.stats().items).toBe(3);
  });

  test("what was moved away makes room again", async () => {
    const index = create(2);
    index.add([1, 2, 3].map((n) => item(n)));
    index.remove([sampleId(3)]);
    expect(await positions(index)).toEqual([2, 1]);
    expect(await positions(index, "overflow")).toEqual([]);
  });

  test("every scope has a queue of its own", async () => {
    const index = create(2);
    index.add([...[1, 2, 3].map((n) => item(n)), ...[4, 5, 6].map((n) => item(n, alice))]);
    expect(await positions(index)).toEqual([3, 2]);
    expect(await positions(index, "newest", [alice, PUBLIC])).toEqual([6, 5, 3, 2]);
    expect(await positions(index, "overflow", [alice, PUBLIC])).toEqual([1, 4]);
  });

  test("the score is the position, with its sign turned when the oldest come first", async () => {
    const index = create(2);
    index.add([item(0), item(7)]);
    const scores = async (mode: string): Promise<number[]> =>
      (await index.query({ scopes: [PUBLIC], limit: 9, params: { mode } })).map(({ score }) => score);
    expect(await scores("newest")).toEqual([7, 0]);
    expect(await scores("oldest")).toEqual([0, -7]);
  });

  test("a text, an unknown mode or a missing capacity is refused", () => {
    const index = create(2);
    const refused = expect.objectContaining({ code: "input_invalid" });
    expect(() => index.query({ scopes: [PUBLIC], limit: 1, text: "tea" })).toThrow(refused);
    expect(() => index.query({ scopes: [PUBLIC], limit: 1, params: { mode: "random" } })).toThrow(refused);
    for (const wrong of [{}, { capacity: 0 }, { capacity: 1.5 }, { capacity: 3, size: 2 }]) {
      expect(fifoIndex.options.safeParse(wrong).success).toBe(false);
    }
  });
});
