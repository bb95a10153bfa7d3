/**
 * What does a row of codes look like in memory? A header of four 32-bit fields, then the codes, filled up with zeros to
 * a multiple of 16; so rows lie aligned, move in one copy and can be saved as they are.
 *
 * And the query: first the number its dot products are multiplied with, the bar to reach and the bar for a first look,
 * four times each, then its components in two planes of seven bits, the upper before the lower. Seven bits cannot be
 * negative, so 8192 is added to every component, and each row has the sum of its codes, to take off what that is too much.
 */

export const HEADER = { sum: 0, scale: 4, residual: 8, ordinal: 12 } as const;
export const HEADER_BYTES = 16;
/** Components the scan takes at once. */
export const BLOCK = 16;
export const QUERY = { scale: 0, bar: 16, roughBar: 32, planes: 48 } as const;
export const PLANE_BITS = 7;
/** 8192 = 2 to the power of this. */
export const OFFSET_BITS = 13;
/** The scan reads so many rows together, one from each such part of a run; its kernel is written for eight. */
export const ROWS_AT_ONCE = 8;
/**
 * A hit of the scan: the dot products of rows that were read together, their place in each part of the run, and a bit for each
 * of them that reached the bar.
 */
export const HIT = { dots: 0, place: 4 * ROWS_AT_ONCE, reached: 4 * ROWS_AT_ONCE + 4 } as const;
export const HIT_BYTES = HIT.reached + 4;

const OFFSET = 2 ** OFFSET_BITS;
const LOW_BITS = 2 ** PLANE_BITS - 1;
/** What the lower bits are taken for at a first look. */
const MIDDLING = 2 ** (PLANE_BITS - 1);
/** Rows are a little longer than 1 by rounding, and both looks at them are in float32. */
const ROUGH_ROUNDING = 1e-5;

export interface Row {
  /** From −127 to 127. */
  readonly codes: Int8Array;
  readonly scale: number;
  readonly residual: number;
  readonly ordinal: number;
}

export function rowBytes(dimension: number): number {
  return HEADER_BYTES + BLOCK * blockCount(dimension);
}

export function queryBytes(dimension: number): number {
  return QUERY.planes + 2 * BLOCK * blockCount(dimension);
}

export function blockCount(dimension: number): number {
  return Math.ceil(dimension / BLOCK);
}

export function writeRow(view: DataView, at: number, { codes, scale, residual, ordinal }: Row): void {
  let sum = 0;
  for (let i = 0; i < codes.length; i++) sum += codes[i] as number;
  view.setInt32(at + HEADER.sum, sum, true);
  view.setFloat32(at + HEADER.scale, scale, true);
  view.setFloat32(at + HEADER.residual, residual, true);
  view.setInt32(at + HEADER.ordinal, ordinal, true);
  new Int8Array(view.buffer, view.byteOffset + at + HEADER_BYTES, codes.length).set(codes);
}

export function readHeader(view: DataView, at: number): Omit<Row, "codes"> {
  return {
    scale: view.getFloat32(at + HEADER.scale, true),
    residual: view.getFloat32(at + HEADER.residual, true),
    ordinal: view.getInt32(at + HEADER.ordinal, true),
  };
}

/**
 * `codes` from −8192 to 8191. Returns what the lower bits can bring a row at most, beside what they are taken for: codes
 * times scale are no longer than 1, so it is the length of what they differ by (Cauchy–Schwarz).
 */
export function writeQuery(view: DataView, at: number, codes: Int16Array, scale: number): number {
  writeLanes(view, at + QUERY.scale, scale);
  const high = at + QUERY.planes;
  const low = high + BLOCK * blockCount(codes.length);
  let squares = 0;
  for (let i = 0; i < codes.length; i++) {
    const raised = (codes[i] as number) + OFFSET;
    view.setUint8(high + i, raised >> PLANE_BITS);
    view.setUint8(low + i, raised & LOW_BITS);
    squares += ((raised & LOW_BITS) - MIDDLING) ** 2;
  }
  return Math.sqrt(squares) * scale;
}

/** `lower`: what `writeQuery` returned. */
export function writeBar(view: DataView, at: number, bar: number, lower: number): void {
  writeLanes(view, at + QUERY.bar, bar);
  writeLanes(view, at + QUERY.roughBar, bar - lower - ROUGH_ROUNDING);
}

function writeLanes(view: DataView, at: number, value: number): void {
  for (let lane = 0; lane < 4; lane++) view.setFloat32(at + 4 * lane, value, true);
}
