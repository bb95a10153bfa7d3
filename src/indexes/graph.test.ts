import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Edge, makeEdge, type NewEdge } from "../base/edge.ts";
import { MemoryError } from "../base/errors.ts";
import type { EntryId } from "../base/ids.ts";
import type { JsonObject } from "../base/json.ts";
import { type Random, seededRandom } from "../base/random.ts";
import { PUBLIC, parseScope, type Scope, visibleScopes } from "../base/scope.ts";
import { breadthFirst } from "../math/breadth-first.ts";
import { adjacencyOf, buildCsr, type Csr } from "../math/csr.ts";
import { powerIteration } from "../math/pagerank.ts";
import { spreadActivation } from "../math/spreading-activation.ts";
import { ITEM_COUNT } from "../testing/index-cases.ts";
import { testIndex } from "../testing/index-suite.ts";
import { SAMPLE_SCOPES, sampleId, sampleOf, sampleScope } from "../testing/sample.ts";
import { graphIndex } from "./graph.ts";
import type { Index, IndexItem } from "./index-contract.ts";

const deps = { tokenize: () => [], tokenizerId: "none", fetchVectors: () => [] };
const TYPES = ["relation", "synonym", "temporal"];
const alice = parseScope("alice");
const bob = parseScope("bob");
const [a, b, c, d] = [sampleId(1), sampleId(2), sampleId(3), sampleId(4)];

testIndex({
  name: "graph",
  create: () => graphIndex.create({}, deps),
  item: (n, random) => arbitraryItem(n, ITEM_COUNT, random),
  query: (random) => ({ params: arbitraryParams(ITEM_COUNT, random) }),
});

function create(options: { types?: string[] } = {}): Index {
  return graphIndex.create(options, deps);
}

/** An item with its outgoing edges; an edge has the scope of its item unless it names another. */
function item(
  id: EntryId,
  edges: readonly (Omit<NewEdge, "from" | "type"> & { type?: string; scope?: Scope })[] = [],
  scope: Scope = PUBLIC,
): IndexItem {
  const made = edges.map(({ scope: own = scope, type = "relation", ...edge }) =>
    makeEdge({ ...edge, type, from: id }, own, 0),
  );
  return { id, scope, position: 0, edges: made };
}

async function ids(
  index: Index,
  params: JsonObject,
  scopes: readonly Scope[] = [PUBLIC],
): Promise<EntryId[]> {
  return (await index.query({ scopes, limit: 100, params })).map(({ id }) => id);
}

function sorted(...list: readonly EntryId[]): EntryId[] {
  return [...list].sort();
}

describe("neighbours", () => {
  const index = create();
  index.add([
    item(a, [
      { to: b, weight: 0.8 },
      { to: c, type: "synonym", weight: 2 },
    ]),
    item(b, [{ to: d }]),
    item(c, [{ to: d, directed: false }]),
    item(d),
  ]);

  test("[S0-22] get_neighbors by direction: out, in, both; without the entries asked about", async () => {
    expect(await ids(index, { mode: "neighbors", from: [b], direction: "out" })).toEqual([d]);
    expect(await ids(index, { mode: "neighbors", from: [b], direction: "in" })).toEqual([a]);
    expect(await ids(index, { mode: "neighbors", from: [b] })).toEqual(sorted(a, d));
    expect(await ids(index, { mode: "neighbors", from: [a, b], direction: "out" })).toEqual(sorted(c, d));
  });

  test("[C-35] an undirected edge is walked both ways whatever the direction", async () => {
    expect(await ids(index, { mode: "neighbors", from: [d], direction: "out" })).toEqual([c]);
    expect(await ids(index, { mode: "neighbors", from: [d], direction: "in" })).toEqual(sorted(b, c));
    expect(await ids(index, { mode: "neighbors", from: [c], direction: "in" })).toEqual(sorted(a, d));
  });

  test("[C-35] by type, with several types between one pair", async () => {
    const pair = create();
    pair.add([
      item(a, [
        { to: b, type: "relation", weight: 1 },
        { to: b, type: "causal", weight: 5 },
      ]),
      item(b),
    ]);
    const ask = (types?: string[]): JsonObject => ({ mode: "neighbors", from: [a], ...(types && { types }) });
    const weightOf = async (types?: string[]): Promise<number | undefined> =>
      (await pair.query({ scopes: [PUBLIC], limit: 5, params: ask(types) }))[0]?.parts.weight;
    expect(await weightOf(["relation"])).toBe(1);
    expect(await weightOf(["causal"])).toBe(5);
    expect(await weightOf()).toBe(5);
    expect(await weightOf(["temporal"])).toBeUndefined();
    expect(await weightOf([])).toBeUndefined();
  });

  test("B.0.4: breadth first, score 1 / (1 + depth), with depth and weight as parts", async () => {
    const found = await index.query({
      scopes: [PUBLIC],
      limit: 9,
      params: { mode: "neighbors", from: [a], hops: 2, direction: "out" },
    });
    const parts = Object.fromEntries(found.map(({ id, score, parts }) => [id, { score, ...parts }]));
    expect(parts).toEqual({
      [b]: { score: 1 / 2, depth: 1, weight: 0.8 },
      [c]: { score: 1 / 2, depth: 1, weight: 2 },
      [d]: { score: 1 / 3, depth: 2, weight: 1 },
    });
  });

  test("an index may hold some types only", async () => {
    const synonyms = create({ types: ["synonym"] });
    synonyms.add([item(a, [{ to: b }, { to: c, type: "synonym" }]), item(b), item(c)]);
    expect(await ids(synonyms, { mode: "neighbors", from: [a] })).toEqual([c]);
    expect(() => create().load(synonyms.save())).toThrow("other types");
    expect(graphIndex.options.safeParse({ type: "synonym" }).success).toBe(false);
    expect(graphIndex.options.safeParse({}).success).toBe(true);
  });
});

describe("members", () => {
  const ask: JsonObject = { mode: "neighbors", from: [a], hops: 3 };

  test("an edge sleeps until its target joins, and again when the target leaves", async () => {
    const index = create();
    index.add([item(a, [{ to: b }])]);
    expect(await ids(index, ask)).toEqual([]);
    expect(await ids(index, { mode: "neighbors", from: [b] })).toEqual([]);
    index.add([item(b, [{ to: c }])]);
    expect(await ids(index, ask)).toEqual([b]);
    index.remove([b]);
    expect(await ids(index, ask)).toEqual([]);
    index.add([item(b)]);
    expect(await ids(index, ask)).toEqual([b]);
    expect(index.stats().items).toBe(2);
  });

  test("a removed entry takes its edges along; the edges that lead to it stay and wait", async () => {
    const index = create();
    index.add([item(a, [{ to: b }]), item(b, [{ to: c }]), item(c)]);
    index.remove([a]);
    expect(await ids(index, { mode: "neighbors", from: [b] })).toEqual([c]);
    index.add([item(a)]);
    expect(await ids(index, ask)).toEqual([]);
    index.remove([b]);
    index.add([item(b)]);
    expect(await ids(index, { mode: "neighbors", from: [c] })).toEqual([]);
  });

  test("numbers of entries that came and went are used again", () => {
    const index = create();
    index.add([item(a)]);
    const before = index.stats().bytes;
    for (let n = 10; n < 5000; n++) {
      index.add([item(sampleId(n), [{ to: sampleId(n + 1) }, { to: sampleId(n) }])]);
      index.remove([sampleId(n)]);
    }
    expect(index.stats()).toEqual({ items: 1, bytes: expect.any(Number) });
    expect(index.stats().bytes).toBeLessThan(before + 60_000);
  });
});

describe("scopes", () => {
  test("an edge exists for a reader only if the edge and both its ends are visible", async () => {
    const index = create();
    index.add([
      item(a, [{ to: b, scope: alice }, { to: c }, { to: d }]),
      item(b),
      item(c, [], alice),
      item(d, [], bob),
    ]);
    const ask: JsonObject = { mode: "neighbors", from: [a] };
    expect(await ids(index, ask, visibleScopes(alice))).toEqual(sorted(b, c));
    expect(await ids(index, ask, visibleScopes(bob))).toEqual([d]);
    expect(await ids(index, ask)).toEqual([]);
    expect(await ids(index, ask, [alice])).toEqual([]);
  });

  test("a walk does not pass through what it may not see", async () => {
    const index = create();
    index.add([item(a, [{ to: b }]), item(b, [{ to: c }], alice), item(c)]);
    const ask: JsonObject = { mode: "spread", seeds: { [a]: 1 } };
    expect(await ids(index, ask)).toEqual([a]);
    expect(await ids(index, ask, visibleScopes(alice))).toEqual([a, b, c]);
  });

  test("entries and edges of another scope never change an answer, not by a bit", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        const random = seededRandom(seed);
        const mine = Array.from({ length: 20 }, (_, n) => arbitraryItem(n, 25, random)).map((own) => ({
          ...own,
          scope: own.scope === bob ? PUBLIC : own.scope,
          edges: own.edges.filter(({ scope }) => scope !== bob),
        }));
        const noise = Array.from({ length: 15 }, (_, n) => ({
          ...arbitraryItem(20 + n, 35, random),
          scope: bob,
        }));
        const noisy = mine.map((own, n) => ({
          ...own,
          edges: [
            ...own.edges,
            ...arbitraryItem(n, 35, random).edges.map((edge) => ({ ...edge, scope: bob })),
            ...own.edges.map((edge) => ({ ...edge, to: sampleId(20 + n) })),
          ],
        }));
        const [quiet, loud] = [create(), create()];
        quiet.add(mine);
        loud.add([...noise, ...noisy]);
        const scopes = SAMPLE_SCOPES.filter((scope) => scope !== bob);
        for (let i = 0; i < 4; i++) {
          const query = { scopes, limit: 50, params: arbitraryParams(35, random) };
          expect(await loud.query(query)).toEqual(await quiet.query(query));
        }
      }),
    );
  });
});

describe("walks", () => {
  const index = create();
  index.add([item(a, [{ to: b, weight: 3 }, { to: c }]), item(b), item(c), item(d)]);

  test("ppr, carried: who is joined to what was reached has all that it is worth, as often as it is joined", async () => {
    const passages = create();
    passages.add([
      item(a, [
        { to: c, type: "in", weight: 2 },
        { to: d, type: "in" },
      ]),
      item(b, [{ to: d, type: "in" }]),
      item(c, [{ to: d, type: "says" }]),
      item(d),
    ]);
    const ask = (params: JsonObject, limit = 10) =>
      passages.query({
        scopes: [PUBLIC],
        limit,
        params: { mode: "ppr", seeds: { [c]: 1 }, types: ["says"], epsilon: 1e-9, ...params },
      });
    const worth = new Map((await ask({})).map(({ id, score }) => [id, score]));
    expect([...worth.keys()].sort()).toEqual([c, d].sort());
    const [one, other] = [worth.get(c) ?? 0, worth.get(d) ?? 0];
    const found = await ask({ carry: ["in"] });
    expect(found.map(({ id }) => id)).toEqual([a, b]);
    expect(found[0]?.score).toBeCloseTo(2 * one + other, 9);
    expect(found[1]?.parts.carried).toBeCloseTo(other, 9);
    expect(await ask({ carry: ["in"] }, 1)).toEqual(found.slice(0, 1));
    expect(await ask({ carry: ["nothing"] })).toEqual([]);
  });

  test("[S0-22] ppr_retrieve: seeds included, scores sum to one, reset as a part", async () => {
    const found = await index.query({
      scopes: [PUBLIC],
      limit: 10,
      params: { mode: "ppr", seeds: { [a]: 2 }, direction: "out", epsilon: 1e-9 },
    });
    expect(found.map(({ id }) => id)).toEqual([a, b, c]);
    for (const [i, expected] of [2 / 3, 1 / 4, 1 / 12].entries())
      expect(found[i]?.score).toBeCloseTo(expected, 6);
    expect(found.map(({ parts }) => parts.reset)).toEqual([1, 0, 0]);
    expect(found.every(({ score, parts }) => parts.ppr === score)).toBe(true);
  });

  test("[S4-17] spread: seeds included, activation and hops as parts", async () => {
    const params: JsonObject = { mode: "spread", seeds: { [b]: 1 }, decay: 0.25 };
    const found = await index.query({ scopes: [PUBLIC], limit: 10, params });
    expect(found.map(({ id, parts }) => [id, parts])).toEqual([
      [b, { activation: 1, hops: 0 }],
      [a, { activation: 0.75, hops: 1 }],
      [c, { activation: 0.1875, hops: 2 }],
    ]);
  });

  test("`allow` chooses what is returned, not where a walk may go", async () => {
    const allow = new Set([c]);
    for (const params of [
      { mode: "ppr", seeds: { [b]: 1 } },
      { mode: "spread", seeds: { [b]: 1 } },
      { mode: "neighbors", from: [b], hops: 2 },
    ]) {
      const all = await index.query({ scopes: [PUBLIC], limit: 10, params });
      const allowed = await index.query({ scopes: [PUBLIC], limit: 10, params, allow });
      expect(allowed).toEqual(all.filter(({ id }) => id === c));
      expect(allowed).toHaveLength(1);
    }
  });

  test("seeds that are unknown, out of sight or weightless are ignored; if none is left there is no answer", async () => {
    const hidden = create();
    hidden.add([item(a, [{ to: b }]), item(b), item(c, [{ to: b }], alice)]);
    for (const mode of ["ppr", "spread"]) {
      expect(await ids(hidden, { mode, seeds: { [c]: 1, [d]: 1 } })).toEqual([]);
      expect(await ids(hidden, { mode, seeds: { [a]: 0 } })).toEqual([]);
      expect(await ids(hidden, { mode, seeds: {} })).toEqual([]);
      expect(await ids(hidden, { mode, seeds: { [a]: 1, [c]: 9, [d]: 9 } })).toEqual(
        await ids(hidden, { mode, seeds: { [a]: 1 } }),
      );
    }
    expect(await ids(hidden, { mode: "neighbors", from: [c, d] })).toEqual([]);
  });
});

test("bad params are refused with what would be valid", () => {
  const index = create();
  const refusal = (params?: JsonObject): MemoryError => {
    try {
      void index.query({ scopes: [PUBLIC], limit: 5, ...(params && { params }) });
    } catch (error) {
      if (MemoryError.is(error)) return error;
    }
    throw new Error("it was not refused");
  };
  const bad: (JsonObject | undefined)[] = [
    undefined,
    {},
    { mode: "pagerank" },
    { mode: "ppr" },
    { mode: "ppr", seeds: { [a]: -1 } },
    { mode: "ppr", seeds: { [a]: 1 }, damping: 1 },
    { mode: "ppr", seeds: { [a]: 1 }, epsilon: 0 },
    { mode: "ppr", seeds: { nobody: 1 } },
    { mode: "spread", seeds: { [a]: 1 }, hops: 0 },
    { mode: "spread", seeds: { [a]: 1 }, combine: "mean" },
    { mode: "spread", seeds: { [a]: 1 }, dampening: 0.5 },
    { mode: "neighbors", from: a },
    { mode: "neighbors", from: [a], direction: "up" },
  ];
  for (const params of bad) expect(refusal(params).code, JSON.stringify(params)).toBe("input_invalid");
  expect(refusal().message).toContain("neighbors, ppr, spread");
  expect(refusal({ mode: "neighbours" }).message).toContain('Did you mean "neighbors"?');
});

test("extreme weights neither vanish nor overflow", async () => {
  const index = create();
  index.add([
    item(a, [
      { to: b, weight: 1e-300 },
      { to: c, weight: 1e300 },
    ]),
    item(b),
    item(c),
  ]);
  for (const params of [
    { mode: "ppr", seeds: { [a]: 1 } },
    { mode: "spread", seeds: { [a]: 1 }, hops: 9, combine: "sum" },
    { mode: "neighbors", from: [a] },
  ]) {
    const found = await index.query({ scopes: [PUBLIC], limit: 9, params });
    expect(found.map(({ id }) => id)).toContain(c);
    expect(found.every(({ score }) => Number.isFinite(score))).toBe(true);
  }
});

test("the graph packed, changed and asked in turns agrees with the definition on the visible part", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      const random = seededRandom(seed);
      const count = 150;
      const truth = new Map<EntryId, Held>();
      const index = create();
      const put = (n: number): void => {
        const given = arbitraryItem(n, count + 10, random, 30);
        truth.set(given.id, given);
        index.add([given]);
      };
      for (let n = 0; n < count; n++) put(n);
      for (let round = 0; round < 12; round++) {
        for (let i = 0; i < 15; i++) {
          const n = Math.floor(random.next() * count);
          if (random.next() < 0.3) {
            truth.delete(sampleId(n));
            index.remove([sampleId(n)]);
          } else put(n);
        }
        const scopes = visibleScopes(sampleScope(random));
        const params = arbitraryParams(count, random);
        const found = await index.query({ scopes, limit: 1000, params });
        const expected = byDefinition([...truth.values()], scopes, params);
        const scores = new Map(found.map(({ id, score }) => [id, score]));
        for (const id of new Set([...scores.keys(), ...expected.keys()])) {
          expect(scores.get(id) ?? 0).toBeCloseTo(expected.get(id) ?? 0, 6);
        }
      }
    }),
    { numRuns: 15 },
  );
});

type Held = IndexItem & { readonly edges: readonly Edge[] };

function arbitraryItem(n: number, targets: number, random: Random, most = 6): Held {
  const id = sampleId(n);
  const edges = Array.from({ length: Math.floor(random.next() * most) }, () => ({
    ...makeEdge(
      {
        from: id,
        to: sampleId(Math.floor(random.next() * targets)),
        type: sampleOf(TYPES, random),
        weight: 0.1 + random.next(),
        directed: random.next() < 0.7,
      },
      sampleScope(random),
      0,
    ),
  }));
  return { id, scope: sampleScope(random), position: n, edges };
}

function arbitraryParams(targets: number, random: Random): JsonObject {
  const direction = sampleOf(["out", "in", "both"], random);
  const from = Array.from({ length: 5 }, () => sampleId(Math.floor(random.next() * targets)));
  const seeds = Object.fromEntries(from.map((id) => [id, 0.5 + random.next()]));
  return sampleOf<JsonObject>(
    [
      { mode: "neighbors", from, hops: 2, direction },
      { mode: "neighbors", from, direction, types: TYPES.slice(0, 1) },
      { mode: "ppr", seeds, direction, epsilon: 1e-9 },
      { mode: "ppr", seeds, direction, types: TYPES.slice(0, 2), epsilon: 1e-9 },
      { mode: "spread", seeds, direction },
      { mode: "spread", seeds, direction, combine: "sum", hops: 3, types: TYPES.slice(1) },
    ],
    random,
  );
}

/** The answer straight from the definition: a graph made of nothing but what is visible, and a walk over it. */
function byDefinition(
  items: readonly Held[],
  scopes: readonly Scope[],
  params: JsonObject,
): Map<EntryId, number> {
  const visible = items.filter(({ scope }) => scopes.includes(scope));
  const numbers = new Map(visible.map(({ id }, n) => [id, n]));
  const csr = visibleCsr(visible, numbers, scopes, params);
  const name = (node: number): EntryId => visible[node]!.id;
  const graph = adjacencyOf(csr, { direction: "out" });
  const { from = [], seeds = {}, hops = 1, combine = "max" } = params;
  const starts = Object.entries(seeds ?? {}).flatMap(([id, weight]) =>
    visible.flatMap((held, node) => (held.id === id ? [{ node, weight: Number(weight) }] : [])),
  );
  const walkSeeds = { nodes: starts.map(({ node }) => node), weights: starts.map(({ weight }) => weight) };
  if (params.mode === "neighbors") {
    const nodes = [...numbers]
      .filter(([id]) => Array.isArray(from) && from.includes(id))
      .map(([, node]) => node);
    const levels = [...breadthFirst(graph, nodes, Number(hops))];
    return new Map(levels.flatMap(({ depth, nodes }) => nodes.map((node) => [name(node), 1 / (1 + depth)])));
  }
  if (starts.length === 0) return new Map();
  if (params.mode === "ppr") {
    const scores = powerIteration(csr, walkSeeds);
    return new Map(
      [...scores.entries()].filter(([, score]) => score > 0).map(([node, score]) => [name(node), score]),
    );
  }
  const options = { hops: combine === "sum" ? 3 : 2, combine: combine === "sum" ? "sum" : "max" } as const;
  const { nodes, activations } = spreadActivation(graph, walkSeeds, options);
  return new Map(Array.from(nodes, (node, i) => [name(node), activations[i]!]));
}

function visibleCsr(
  visible: readonly Held[],
  numbers: ReadonlyMap<EntryId, number>,
  scopes: readonly Scope[],
  { direction, types }: JsonObject,
): Csr {
  const walked = visible.flatMap(({ id, edges }) =>
    edges
      .filter(({ scope, to }) => scopes.includes(scope) && numbers.has(to))
      .filter(({ type }) => !Array.isArray(types) || types.includes(type))
      .flatMap((edge) => {
        const along = { from: numbers.get(id)!, to: numbers.get(edge.to)!, weight: edge.weight };
        const against = { from: along.to, to: along.from, weight: edge.weight };
        if (along.from === along.to) return [along];
        if (!edge.directed || direction === "both") return [along, against];
        return direction === "out" ? [along] : [against];
      }),
  );
  return buildCsr({
    nodes: visible.length,
    from: Int32Array.from(walked, ({ from }) => from),
    to: Int32Array.from(walked, ({ to }) => to),
    weights: Float32Array.from(walked, ({ weight }) => weight),
  });
}
