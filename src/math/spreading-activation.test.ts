import fc from "fast-check";
import { expect, test } from "vitest";
import { adjacencyOf, buildCsr, type Csr, type Direction, orientCsr } from "./csr.ts";
import {
  createSpreadScratch,
  SPREAD_DEFAULTS,
  type SpreadOptions,
  spreadActivation,
} from "./spreading-activation.ts";

type Edges = readonly (readonly [from: number, to: number, weight?: number])[];

function csrOf(nodes: number, list: Edges): Csr {
  return buildCsr({
    nodes,
    from: Int32Array.from(list, ([from]) => from),
    to: Int32Array.from(list, ([, to]) => to),
    weights: Float32Array.from(list, ([, , weight = 1]) => weight),
  });
}

/** Node → [activation, hops]. */
function spread(
  csr: Csr,
  seeds: Readonly<Record<number, number>>,
  options: SpreadOptions & { readonly direction?: Direction } = {},
): Record<number, [number, number]> {
  const from = { nodes: Object.keys(seeds).map(Number), weights: Object.values(seeds) };
  const { nodes, activations, hops } = spreadActivation(
    adjacencyOf(csr, { direction: options.direction }),
    from,
    options,
  );
  return Object.fromEntries(Array.from(nodes, (node, i) => [node, [activations[i]!, hops[i]!]]));
}

const chain = csrOf(5, [
  [0, 1],
  [1, 2],
  [2, 3],
  [3, 4],
]);

test("[S4-17] two hops, decay one half: 0.5 at the first, 0.25 at the second, then no further", () => {
  expect(SPREAD_DEFAULTS).toEqual({ hops: 2, decay: 0.5, combine: "max", threshold: 0.01 });
  expect(spread(chain, { 0: 1 })).toEqual({ 0: [1, 0], 1: [0.5, 1], 2: [0.25, 2] });
});

test("[C-35] activation travels both ways unless told otherwise, so old memories wake newer ones", () => {
  expect(spread(chain, { 2: 1 }, { hops: 1 })).toEqual({ 1: [0.5, 1], 2: [1, 0], 3: [0.5, 1] });
  expect(spread(chain, { 2: 1 }, { hops: 1, direction: "out" })).toEqual({ 2: [1, 0], 3: [0.5, 1] });
  expect(spread(chain, { 2: 1 }, { hops: 1, direction: "in" })).toEqual({ 1: [0.5, 1], 2: [1, 0] });
});

test("[S4-17] max keeps the strongest way, even a longer one; sum adds up every walk", () => {
  const csr = csrOf(3, [
    [0, 1, 0.25],
    [0, 2, 2],
    [2, 1, 2],
  ]);
  const out = { direction: "out" } as const;
  expect(spread(csr, { 0: 1 }, out)).toEqual({ 0: [1, 0], 1: [1, 2], 2: [1, 1] });
  expect(spread(csr, { 0: 1 }, { ...out, combine: "sum" })).toEqual({ 0: [1, 0], 1: [1.125, 1], 2: [1, 1] });
});

test("a seed may be raised by another seed", () => {
  const csr = csrOf(2, [[0, 1]]);
  expect(spread(csr, { 0: 1, 1: 0.25 }, { hops: 1 })).toEqual({ 0: [1, 0], 1: [0.5, 1] });
  expect(spread(csr, { 0: 1, 1: 0.25 }, { hops: 1, combine: "sum" })).toEqual({
    0: [1.125, 0],
    1: [0.75, 0],
  });
});

test("what would arrive below the threshold is dropped and travels no further", () => {
  expect(spread(chain, { 0: 1 }, { hops: 4, threshold: 0.2 })).toEqual({
    0: [1, 0],
    1: [0.5, 1],
    2: [0.25, 2],
  });
  const weak = csrOf(3, [
    [0, 1, 0.01],
    [1, 2, 100],
  ]);
  expect(spread(weak, { 0: 1 }, { direction: "out" })).toEqual({ 0: [1, 0] });
});

test("seeds without activation are left out; no seeds, no answer; very heavy edges stay finite", () => {
  expect(spread(chain, { 0: 0 })).toEqual({});
  expect(spread(chain, {})).toEqual({});
  const heavy = csrOf(2, [[0, 1, 3e38]]);
  for (const combine of ["max", "sum"] as const) {
    for (const [activation] of Object.values(spread(heavy, { 0: 1 }, { hops: 64, combine }))) {
      expect(Number.isFinite(activation)).toBe(true);
    }
  }
});

const NODES = 7;
const node = fc.nat(NODES - 1);
/** Weights in quarters: sums of products are exact whatever their order. */
const weight = fc.integer({ min: 1, max: 8 }).map((quarters) => quarters / 4);
const cases = fc.record({
  edges: fc.array(fc.tuple(node, node, weight), { maxLength: 12 }),
  seeds: fc.dictionary(node.map(String), weight, { minKeys: 1, maxKeys: 3 }),
  hops: fc.integer({ min: 1, max: 3 }),
  combine: fc.constantFrom("max" as const, "sum" as const),
  direction: fc.constantFrom<Direction>("out", "in", "both"),
});

/** Every walk of up to `hops` edges, one by one. */
function byWalks(csr: Csr, seeds: Readonly<Record<string, number>>, hops: number): Map<number, number[]> {
  const arrived = new Map<number, number[]>();
  const step = (at: number, activation: number, left: number): void => {
    arrived.set(at, [...(arrived.get(at) ?? []), activation]);
    for (let edge = csr.offsets[at]!; left > 0 && edge < csr.offsets[at + 1]!; edge++) {
      step(csr.targets[edge]!, 0.5 * activation * csr.weights[edge]!, left - 1);
    }
  };
  for (const [at, activation] of Object.entries(seeds)) step(Number(at), activation, hops);
  return arrived;
}

test("max and sum are the largest and the sum of what all walks bring", () => {
  const scratch = createSpreadScratch();
  fc.assert(
    fc.property(cases, ({ edges, seeds, hops, combine, direction }) => {
      const csr = orientCsr(csrOf(NODES, edges), direction);
      const from = { nodes: Object.keys(seeds).map(Number), weights: Object.values(seeds) };
      const options = { hops, combine, threshold: 0 };
      const found = spreadActivation(adjacencyOf(csr, { direction: "out" }), from, options, scratch);
      const got = new Map(Array.from(found.nodes, (at, i) => [at, found.activations[i]]));
      const expected = new Map<number, number>();
      for (const [at, brought] of byWalks(csr, seeds, hops)) {
        expected.set(
          at,
          combine === "max" ? Math.max(...brought) : brought.reduce((sum, part) => sum + part, 0),
        );
      }
      expect(got).toEqual(expected);
      expect(scratch.cells.every((cell) => cell === 0)).toBe(true);
    }),
  );
});
