/**
 * Who is one step away, two, three? The nodes around some starting nodes, level by level (Moore, "The shortest path
 * through a maze", 1959). A level is yielded when it is complete, so whoever has enough stops asking.
 */
import { type Adjacency, createRow } from "./csr.ts";

export interface Level {
  /** Steps from the nearest starting node, from 1 up. */
  readonly depth: number;
  /** In no particular order. */
  readonly nodes: readonly number[];
  /** Per node, the strongest edge by which the level before reaches it. */
  readonly weights: readonly number[];
}

export function* breadthFirst(graph: Adjacency, from: Iterable<number>, hops: number): Generator<Level> {
  const row = createRow();
  const reached = new Set(from);
  let level: readonly number[] = [...reached];
  for (let depth = 1; depth <= hops && level.length > 0; depth++) {
    const strongest = new Map<number, number>();
    for (const node of level) {
      graph.neighbors(node, row);
      for (let i = 0; i < row.length; i++) {
        const target = row.targets[i] as number;
        if (reached.has(target)) continue;
        strongest.set(target, Math.max(strongest.get(target) ?? 0, row.weights[i] as number));
      }
    }
    level = [...strongest.keys()];
    for (const node of level) reached.add(node);
    if (level.length > 0) yield { depth, nodes: level, weights: [...strongest.values()] };
  }
}
