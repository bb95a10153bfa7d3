import { expect, test } from "vitest";
import { breadthFirst } from "./breadth-first.ts";
import { adjacencyOf, buildCsr } from "./csr.ts";

// 0 → 1 → 3 → 4, 0 → 2 → 3, twice 0 → 1
const graph = adjacencyOf(
  buildCsr({
    nodes: 6,
    from: Int32Array.of(0, 0, 0, 1, 2, 3),
    to: Int32Array.of(1, 1, 2, 3, 3, 4),
    weights: Float32Array.of(1, 3, 2, 0.5, 0.75, 1),
  }),
  { direction: "out" },
);

test("levels come in order of distance, each node once, with the strongest edge that reaches it", () => {
  expect([...breadthFirst(graph, [0], 9)]).toEqual([
    { depth: 1, nodes: [1, 2], weights: [3, 2] },
    { depth: 2, nodes: [3], weights: [0.75] },
    { depth: 3, nodes: [4], weights: [1] },
  ]);
});

test("it stops after the hops asked for, leaves the start out, and takes several starts", () => {
  expect([...breadthFirst(graph, [0], 1)]).toHaveLength(1);
  expect([...breadthFirst(graph, [0, 1, 1], 1)].flatMap(({ nodes }) => nodes)).toEqual([2, 3]);
  expect([...breadthFirst(graph, [5], 3)]).toEqual([]);
  expect([...breadthFirst(graph, [], 3)]).toEqual([]);
});
