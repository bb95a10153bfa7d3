/**
 * Which vectors lie together? Exact k nearest rows by cosine, and greedy clusters around leaders (the leader algorithm:
 * Hartigan, Clustering Algorithms, 1975, ch. 3). Rows are vectors laid end to end; they need not be normalised, and a
 * row of zeros is like nothing. O(n²·d): meant for some thousand rows; a whole collection has its vector index.
 */
import { dot } from "./cosine.ts";
import { createTopK } from "./top-k.ts";

export interface Matrix {
  readonly values: Float32Array;
  readonly dimension: number;
}

export interface Neighbour {
  readonly row: number;
  /** Cosine, −1 to 1. */
  readonly similarity: number;
}

export interface NearestOptions {
  readonly k: number;
  /** Leave out what is less alike than this. */
  readonly minimum?: number | undefined;
}

export interface ClusterOptions {
  /** A row joins a leader whose cosine to it is at least this. */
  readonly threshold: number;
  /** Smaller groups are no clusters; their rows stay free for later leaders. */
  readonly minSize: number;
}

/** The k rows most like the query, best first, ties by the smaller row. */
export function nearestRows(matrix: Matrix, query: Float32Array, options: NearestOptions): Neighbour[] {
  return nearest(matrix, squaredNorms(matrix), query, options);
}

/** For every row its k nearest other rows, best first, ties by the smaller row. */
export function nearestNeighbours(matrix: Matrix, options: NearestOptions): Neighbour[][] {
  const squares = squaredNorms(matrix);
  return Array.from(squares, (_, row) => nearest(matrix, squares, rowOf(matrix, row), options, row));
}

/**
 * Rows are taken in order; a free row leads, every later free row that is alike joins it. Each cluster lists its leader
 * first, then the others in order; no row is in two clusters. Put the rows that should lead first.
 */
export function greedyClusters(matrix: Matrix, { threshold, minSize }: ClusterOptions): number[][] {
  const squares = squaredNorms(matrix);
  const taken = new Uint8Array(squares.length);
  const clusters: number[][] = [];
  for (let leader = 0; leader < squares.length; leader++) {
    if (taken[leader] === 1) continue;
    const centre = rowOf(matrix, leader);
    const members = [leader];
    for (let row = leader + 1; row < squares.length; row++) {
      if (taken[row] === 1) continue;
      const product = dot(centre, rowOf(matrix, row));
      if (cosineOf(product, squares[leader] as number, squares[row] as number) >= threshold)
        members.push(row);
    }
    if (members.length < minSize) continue;
    for (const row of members) taken[row] = 1;
    clusters.push(members);
  }
  return clusters;
}

function nearest(
  matrix: Matrix,
  squares: Float64Array,
  centre: Float32Array,
  { k, minimum = Number.NEGATIVE_INFINITY }: NearestOptions,
  self = -1,
): Neighbour[] {
  const square = dot(centre, centre);
  const heap = createTopK(Math.min(k, squares.length), (a, b) => a < b);
  for (let row = 0; row < squares.length; row++) {
    if (row === self) continue;
    const similarity = cosineOf(dot(centre, rowOf(matrix, row)), square, squares[row] as number);
    if (similarity >= minimum) heap.push(row, similarity);
  }
  const { items, scores } = heap.drain();
  return Array.from(items, (row, place) => ({ row, similarity: scores[place] as number }));
}

function rowOf({ values, dimension }: Matrix, row: number): Float32Array {
  return values.subarray(row * dimension, (row + 1) * dimension);
}

function squaredNorms(matrix: Matrix): Float64Array {
  const rows = Math.floor(matrix.values.length / matrix.dimension);
  return Float64Array.from({ length: rows }, (_, row) => dot(rowOf(matrix, row), rowOf(matrix, row)));
}

/** Rounding may carry a cosine past 1 by some 1e-16; a threshold of 1 must still mean "the same direction". */
function cosineOf(product: number, squareA: number, squareB: number): number {
  const scale = Math.sqrt(squareA * squareB);
  return scale === 0 ? 0 : Math.max(-1, Math.min(1, product / scale));
}
