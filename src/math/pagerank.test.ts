import fc from "fast-check";
import { expect, test } from "vitest";
import { type Random, seededRandom } from "../base/random.ts";
import { type Adjacency, adjacencyOf, buildCsr, type Csr, type Direction, orientCsr } from "./csr.ts";
import {
  createPushScratch,
  forwardPush,
  PAGERANK_DEFAULTS,
  powerIteration,
  type WalkSeeds,
} from "./pagerank.ts";

type Edges = readonly (readonly [from: number, to: number, weight?: number])[];

function csrOf(nodes: number, list: Edges): Csr {
  return buildCsr({
    nodes,
    from: Int32Array.from(list, ([from]) => from),
    to: Int32Array.from(list, ([, to]) => to),
    weights: Float32Array.from(list, ([, , weight = 1]) => weight),
  });
}

function seeds(...nodes: readonly number[]): WalkSeeds {
  return { nodes, weights: nodes.map(() => 1) };
}

/** Scores of all nodes, 0 where nothing was reached. */
function pushed(graph: Adjacency, from: WalkSeeds, options = {}): number[] {
  const { nodes, scores } = forwardPush(graph, from, { epsilon: 1e-12, ...options });
  const dense = new Array<number>(graph.nodes).fill(0);
  for (const [i, node] of nodes.entries()) dense[node] = scores[i]!;
  return dense;
}

function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>, digits = 9): void {
  expect(actual.length).toBe(expected.length);
  for (let i = 0; i < actual.length; i++) expect(actual[i]).toBeCloseTo(expected[i]!, digits);
}

/** The same by both algorithms. */
function expectBoth(csr: Csr, from: WalkSeeds, expected: readonly number[]): void {
  expectClose(powerIteration(csr, from), expected);
  expectClose(pushed(adjacencyOf(csr, { direction: "out" }), from), expected);
}

test("[S0-49] by hand: a walker that stands at a dead end goes back to the seed", () => {
  // a = ½ + ½·b (the dangling mass of b), b = ½·a
  expectBoth(csrOf(2, [[0, 1]]), seeds(0), [2 / 3, 1 / 3]);
});

test("by hand: shares follow the weights of the edges", () => {
  expectBoth(
    csrOf(3, [
      [0, 1, 3],
      [0, 2, 1],
    ]),
    seeds(0),
    [2 / 3, 1 / 4, 1 / 12],
  );
});

test("by hand: parallel edges add up, a loop keeps its share", () => {
  // a = ½ + ½·(½·a) + ½·b, b = ½·(½·a): two edges lead to b, two are loops
  expectBoth(
    csrOf(2, [
      [0, 1],
      [0, 1],
      [0, 0],
      [0, 0],
    ]),
    seeds(0),
    [4 / 5, 1 / 5],
  );
});

test("by hand: a cycle of two, damping 0.85", () => {
  const csr = csrOf(2, [
    [0, 1],
    [1, 0],
  ]);
  const expected = [1 / 1.85, 0.85 / 1.85];
  expectClose(powerIteration(csr, seeds(0), { damping: 0.85 }), expected);
  expectClose(pushed(adjacencyOf(csr, { direction: "out" }), seeds(0), { damping: 0.85 }), expected);
});

test("an isolated seed keeps everything; seeds in separate parts keep to their parts", () => {
  expectBoth(csrOf(3, [[1, 2]]), seeds(0), [1, 0, 0]);
  const apart = csrOf(5, [
    [0, 1],
    [1, 0],
    [2, 3],
    [3, 2],
  ]);
  expectBoth(apart, { nodes: [0, 2], weights: [3, 1] }, [0.5, 0.25, 1 / 6, 1 / 12, 0]);
});

test("without damping the answer is the reset vector; seeds of weight zero do not count", () => {
  const graph = adjacencyOf(
    csrOf(3, [
      [0, 1],
      [1, 2],
    ]),
  );
  expectClose(pushed(graph, { nodes: [0, 1, 2], weights: [3, 0, 1] }, { damping: 0 }), [0.75, 0, 0.25]);
});

test("no seeds, or none that weighs anything, reach nothing", () => {
  const graph = adjacencyOf(csrOf(2, [[0, 1]]));
  expect(forwardPush(graph, { nodes: [], weights: [] }).nodes).toHaveLength(0);
  expect(forwardPush(graph, { nodes: [0], weights: [0] }).nodes).toHaveLength(0);
});

test("papers.md §18 B1: damping is 0.5 by default, the error halves each step, 40 steps reach 1e-12", () => {
  expect(PAGERANK_DEFAULTS.damping).toBe(0.5);
  const csr = orientCsr(randomGraph(200, 1000, seededRandom(1)), "both");
  const exact = powerIteration(csr, seeds(1, 2), { tolerance: 0, maxIterations: 200 });
  const errorAfter = (maxIterations: number): number =>
    powerIteration(csr, seeds(1, 2), { tolerance: 0, maxIterations }).reduce(
      (sum, score, node) => sum + Math.abs(score - exact[node]!),
      0,
    );
  for (const step of [1, 5, 10, 20])
    expect(errorAfter(step + 1)).toBeLessThanOrEqual(0.5 * errorAfter(step) + 1e-15);
  expect(errorAfter(40)).toBeLessThan(1e-11);
});

const NODES = 12;
const node = fc.nat(NODES - 1);
const graphs = fc.record({
  edges: fc.array(fc.tuple(node, node, fc.double({ min: 0.01, max: 10, noNaN: true })), { maxLength: 40 }),
  from: fc.uniqueArray(fc.tuple(node, fc.double({ min: 0.01, max: 5, noNaN: true })), {
    minLength: 1,
    maxLength: 4,
    selector: ([at]) => at,
  }),
  mask: fc.uint8Array({ minLength: NODES, maxLength: NODES, max: 1 }),
  direction: fc.constantFrom<Direction>("out", "in", "both"),
  damping: fc.constantFrom(0.1, 0.5, 0.85),
});

function seedsFrom(list: readonly (readonly [number, number])[]): WalkSeeds {
  return { nodes: list.map(([at]) => at), weights: list.map(([, weight]) => weight) };
}

test("forward push agrees with power iteration and sums to one, on any graph", () => {
  fc.assert(
    fc.property(graphs, ({ edges, from, direction, damping }) => {
      const csr = orientCsr(csrOf(NODES, edges), direction);
      const exact = powerIteration(csr, seedsFrom(from), { damping, maxIterations: 500, tolerance: 1e-14 });
      const push = pushed(adjacencyOf(csr, { direction: "out" }), seedsFrom(from), { damping });
      expectClose(push, exact, 8);
      expect(push.reduce((sum, score) => sum + score, 0)).toBeCloseTo(1, 12);
      expect(exact.reduce((sum, score) => sum + score, 0)).toBeCloseTo(1, 12);
    }),
  );
});

test("it sums to one whatever epsilon leaves undistributed", () => {
  fc.assert(
    fc.property(graphs, fc.constantFrom(1, 0.1, 0.01, 1e-4), ({ edges, from, damping }, epsilon) => {
      const push = pushed(adjacencyOf(csrOf(NODES, edges)), seedsFrom(from), { damping, epsilon });
      expect(push.reduce((sum, score) => sum + score, 0)).toBeCloseTo(1, 12);
    }),
  );
});

test("what a mask hides cannot change the answer, not by a bit", () => {
  fc.assert(
    fc.property(graphs, ({ edges, from, mask, direction, damping }) => {
      const visible = from.filter(([at]) => mask[at] === 1);
      fc.pre(visible.length > 0);
      const kept = edges.filter(([a, b]) => mask[a] === 1 && mask[b] === 1);
      const options = { damping, epsilon: 0.001 };
      const masked = pushed(
        adjacencyOf(csrOf(NODES, edges), { direction, mask }),
        seedsFrom(visible),
        options,
      );
      const alone = pushed(adjacencyOf(csrOf(NODES, kept), { direction }), seedsFrom(visible), options);
      expect(masked).toEqual(alone);
      const exact = powerIteration(csrOf(NODES, edges), seedsFrom(visible), { damping, mask });
      expectClose(exact, powerIteration(csrOf(NODES, kept), seedsFrom(visible), { damping }));
    }),
  );
});

test("the answer does not depend on the numbering of nodes or the order of edges, not by a bit", () => {
  const orders = fc.shuffledSubarray(
    Array.from({ length: NODES }, (_, i) => i),
    { minLength: NODES },
  );
  fc.assert(
    fc.property(graphs, orders, ({ edges, from, damping }, renamed) => {
      const options = { damping, epsilon: 0.001 };
      const original = pushed(adjacencyOf(csrOf(NODES, edges)), seedsFrom(from), options);
      const moved = edges.map(([a, b, weight]) => [renamed[a]!, renamed[b]!, weight] as const).reverse();
      const again = pushed(
        adjacencyOf(csrOf(NODES, moved)),
        seedsFrom(from.map(([at, weight]) => [renamed[at]!, weight])),
        options,
      );
      expect(renamed.map((at) => again[at])).toEqual(original);
    }),
  );
});

test("scratch memory is clean after every walk", () => {
  const scratch = createPushScratch();
  fc.assert(
    fc.property(graphs, ({ edges, from, damping }) => {
      const graph = adjacencyOf(csrOf(NODES, edges));
      const shared = forwardPush(graph, seedsFrom(from), { damping }, scratch);
      expect(shared).toEqual(forwardPush(graph, seedsFrom(from), { damping }));
      expect(scratch.cells.every((cell) => cell === 0)).toBe(true);
    }),
  );
});

function randomGraph(nodes: number, edges: number, random: Random): Csr {
  const pick = (): number => Math.floor(random.next() * nodes);
  return csrOf(
    nodes,
    Array.from({ length: edges }, () => [pick(), pick(), 0.1 + random.next()]),
  );
}

/** Newcomers prefer nodes that have many edges already (Barabási & Albert 1999). */
function scaleFreeGraph(nodes: number, perNode: number, random: Random): Csr {
  const list: [number, number, number][] = [[1, 0, 1]];
  for (let from = 2; from < nodes; from++) {
    for (let i = 0; i < perNode; i++) {
      const model = list[Math.floor(random.next() * list.length)]!;
      const to = random.next() < 0.2 ? Math.floor(random.next() * from) : model[random.next() < 0.5 ? 0 : 1];
      list.push([from, to, 0.1 + random.next()]);
    }
  }
  return csrOf(nodes, list);
}

test.each([
  ["random", (random: Random) => randomGraph(5000, 50_000, random)],
  ["scale-free", (random: Random) => scaleFreeGraph(5000, 10, random)],
])(
  "[S0-49] %s graph: at the default epsilon the top 20 of push and power iteration overlap by 0.98",
  (_, make) => {
    const random = seededRandom(7);
    const csr = make(random);
    for (const direction of ["both", "out"] as const) {
      const oriented = orientCsr(csr, direction);
      const graph = adjacencyOf(oriented, { direction: "out" });
      let overlap = 0;
      const runs = 20;
      for (let run = 0; run < runs; run++) {
        const nodes = Array.from({ length: 5 }, () => Math.floor(random.next() * csr.nodes));
        const from = { nodes: [...new Set(nodes)], weights: nodes.map(() => 0.1 + random.next()) };
        const best = topOf([...powerIteration(oriented, from)]);
        const found = topOf(pushed(graph, from, { epsilon: PAGERANK_DEFAULTS.epsilon }));
        overlap += found.filter((at) => best.includes(at)).length / best.length / runs;
      }
      expect(overlap, direction).toBeGreaterThanOrEqual(0.98);
    }
  },
);

test("a walk's work depends on its seeds, not on the size of the graph", () => {
  const reads = [1000, 4000, 16_000].map((parts) => {
    // parts of four nodes each, in a ring
    const list = Array.from({ length: 4 * parts }, (_, at) => [at, at - (at % 4) + ((at + 1) % 4)] as const);
    const graph = adjacencyOf(csrOf(4 * parts, list));
    let count = 0;
    forwardPush(
      {
        nodes: graph.nodes,
        neighbors: (at, row) => {
          count++;
          graph.neighbors(at, row);
        },
      },
      seeds(0, 400),
    );
    return count;
  });
  expect(new Set(reads).size).toBe(1);
});

function topOf(scores: readonly number[]): number[] {
  return [...scores.keys()]
    .filter((at) => scores[at]! > 0)
    .sort((a, b) => scores[b]! - scores[a]!)
    .slice(0, 20);
}
