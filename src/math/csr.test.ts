import fc from "fast-check";
import { expect, test } from "vitest";
import {
  adjacencyOf,
  buildCsr,
  type Csr,
  createRow,
  type Direction,
  orientCsr,
  transposeCsr,
} from "./csr.ts";

const NODES = 8;
const node = fc.nat(NODES - 1);
const edges = fc.array(fc.tuple(node, node, fc.integer({ min: 1, max: 9 })), { maxLength: 40 });
type Edges = readonly (readonly [number, number, number])[];

function csrOf(list: Edges): Csr {
  return buildCsr({
    nodes: NODES,
    from: Int32Array.from(list, ([from]) => from),
    to: Int32Array.from(list, ([, to]) => to),
    weights: Float32Array.from(list, ([, , weight]) => weight),
  });
}

/** Every edge as "from to weight", sorted. */
function listed({ nodes, offsets, targets, weights }: Csr): string[] {
  const out: string[] = [];
  for (let from = 0; from < nodes; from++) {
    for (let edge = offsets[from]!; edge < offsets[from + 1]!; edge++) {
      out.push(`${from} ${targets[edge]} ${weights[edge]}`);
    }
  }
  return out.sort();
}

function shown(list: Edges): string[] {
  return list.map((edge) => edge.join(" ")).sort();
}

test("rows hold exactly the given edges; turned round twice they are the same again", () => {
  fc.assert(
    fc.property(edges, (list) => {
      const csr = csrOf(list);
      expect(listed(csr)).toEqual(shown(list));
      expect(listed(transposeCsr(csr))).toEqual(shown(list.map(([from, to, weight]) => [to, from, weight])));
      expect(listed(transposeCsr(transposeCsr(csr)))).toEqual(shown(list));
    }),
  );
});

test("undirected, an edge is walked from both its ends and a loop once", () => {
  fc.assert(
    fc.property(edges, (list) => {
      const back = list.filter(([from, to]) => from !== to).map(([from, to, w]) => [to, from, w] as const);
      expect(listed(orientCsr(csrOf(list), "both"))).toEqual(shown([...list, ...back]));
    }),
  );
});

test("weights left out are all one", () => {
  const csr = buildCsr({ nodes: 2, from: Int32Array.of(0), to: Int32Array.of(1) });
  expect([...csr.weights]).toEqual([1]);
});

test("under a mask, hidden nodes and the edges that touch them do not exist", () => {
  const masks = fc.uint8Array({ minLength: NODES, maxLength: NODES, max: 1 });
  fc.assert(
    fc.property(edges, masks, fc.constantFrom<Direction>("out", "in", "both"), (list, mask, direction) => {
      const kept = list.filter(([from, to]) => mask[from] === 1 && mask[to] === 1);
      const masked = adjacencyOf(csrOf(list), { direction, mask });
      const alone = adjacencyOf(csrOf(kept), { direction });
      const [a, b] = [createRow(), createRow()];
      for (let at = 0; at < NODES; at++) {
        masked.neighbors(at, a);
        alone.neighbors(at, b);
        expect([...a.targets.subarray(0, a.length)]).toEqual([...b.targets.subarray(0, b.length)]);
        expect([...a.weights.subarray(0, a.length)]).toEqual([...b.weights.subarray(0, b.length)]);
      }
    }),
  );
});

test("[C-35] edges are walked both ways unless told otherwise", () => {
  const csr = csrOf([[0, 1, 1]]);
  const row = createRow();
  const neighborsOf = (at: number, direction?: Direction): number[] => {
    adjacencyOf(csr, { direction }).neighbors(at, row);
    return [...row.targets.subarray(0, row.length)];
  };
  expect([neighborsOf(0), neighborsOf(1)]).toEqual([[1], [0]]);
  expect([neighborsOf(0, "out"), neighborsOf(1, "out")]).toEqual([[1], []]);
  expect([neighborsOf(0, "in"), neighborsOf(1, "in")]).toEqual([[], [0]]);
});

test("a row grows to the longest node", () => {
  const list = Array.from({ length: 500 }, (_, i) => [0, i % NODES, 1] as const);
  const row = createRow();
  adjacencyOf(csrOf(list), { direction: "out" }).neighbors(0, row);
  expect(row.length).toBe(500);
});
