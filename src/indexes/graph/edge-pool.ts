/**
 * How is an edge kept? As its other end, a label and a weight, side by side in three arrays; and which of them does a
 * reader see? Nodes and labels are numbers here: graph-nodes.ts and edge-labels.ts say what they stand for.
 */
import type { Row } from "../../math/csr.ts";
import { grow } from "../grow.ts";
import { snapshotCorrupt } from "../snapshot-bytes.ts";
import { DEAD, type Ways } from "./edge-labels.ts";

export interface EdgePool {
  /** The node at the other end. */
  ends: Int32Array;
  labels: Int32Array;
  weights: Float32Array;
}

/** What a reader may see. */
export interface Sight {
  readonly ways: Ways;
  /** Per node the number of its scope, −1 for a node that nobody sees. */
  readonly scopes: Int32Array;
  /** 1 for every scope number the reader sees. */
  readonly seen: Uint8Array;
}

/** A run of edges of one node, walked one way. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
  /** The bit of `Ways` that allows it. */
  readonly bit: number;
  /** The node whose loops are among them; loops are walked whatever the direction. */
  readonly loopsOf: number;
}

export function createEdgePool(length: number): EdgePool {
  return { ends: new Int32Array(length), labels: new Int32Array(length), weights: new Float32Array(length) };
}

export function growEdgePool(pool: EdgePool, length: number): void {
  pool.ends = grow(pool.ends, length, (longer) => new Int32Array(longer));
  pool.labels = grow(pool.labels, length, (longer) => new Int32Array(longer));
  pool.weights = grow(pool.weights, length, (longer) => new Float32Array(longer));
}

export function edgePoolBytes({ ends, labels, weights }: EdgePool): number {
  return ends.byteLength + labels.byteLength + weights.byteLength;
}

export function isSeen(node: number, { scopes, seen }: Sight): boolean {
  const scope = scopes[node] as number;
  return scope >= 0 && seen[scope] === 1;
}

/** Adds to `row`, which has room, those edges of a stretch that the reader may walk to an end the reader may see. */
export function appendSeen(
  row: Row,
  { ends, labels, weights }: EdgePool,
  stretch: Stretch,
  sight: Sight,
): void {
  const { start, end, bit, loopsOf } = stretch;
  const { ways, scopes, seen } = sight;
  const { targets: nodes, weights: strengths } = row;
  let length = row.length;
  for (let at = start; at < end; at++) {
    const node = ends[at] as number;
    const way = ways[labels[at] as number] as number;
    if ((way & bit) === 0 && (way === 0 || node !== loopsOf)) continue;
    // isSeen by hand: this loop is where a walk spends its time.
    const scope = scopes[node] as number;
    if (scope < 0 || seen[scope] !== 1) continue;
    nodes[length] = node;
    strengths[length++] = weights[at] as number;
  }
  row.length = length;
}

/** Refuses edges of a snapshot that cannot have been saved; both bounds are one past the highest. */
export function checkEdgePool({ ends, labels, weights }: EdgePool, nodeEnd: number, labelEnd: number): void {
  for (let at = 0; at < ends.length; at++) {
    const node = ends[at] as number;
    const label = labels[at] as number;
    const weight = weights[at] as number;
    const isKnown = node >= 0 && node < nodeEnd && label > DEAD && label < labelEnd;
    if (!isKnown || !(weight > 0 && weight < Number.POSITIVE_INFINITY)) {
      throw snapshotCorrupt("an edge has an impossible target, label or weight");
    }
  }
}
