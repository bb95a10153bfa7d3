/**
 * What does a row of codes look like in memory? A header of four 32-bit fields, then the codes, filled up with zeros to
 * a multiple of 16; so rows lie aligned, move in one copy and can be saved as they are.
 *
 * And the query: first the number its dot products are multiplied with and the bar to reach, four times each, then its
 * components in two planes of seven bits, alternating in blocks of 16. Seven bits cannot be negative, so 8192 is added
 * to every component, and each row starts its sum with what that is too much: −8192 · Σ codes.
 */

export const HEADER = { start: 0, scale: 4, residual: 8, ordinal: 12 } as const;
export const HEADER_BYTES = 16;
/** Components the scan takes at once. */
export const BLOCK = 16;
export const QUERY = { scale: 0, bar: 16, planes: 32 } as const;
/** A hit of the scan: four dot products, then their place in each quarter of the run. */
export const HIT_BYTES = 20;

const OFFSET = 8192;

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
  // In 32 bits, as the scan adds: what runs over on the way comes back in the end.
  view.setInt32(at + HEADER.start, Math.imul(-OFFSET, sum), true);
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

/** `codes` from −8192 to 8191. */
export function writeQuery(view: DataView, at: number, codes: Int16Array, scale: number): void {
  writeLanes(view, at + QUERY.scale, scale);
  for (let i = 0; i < codes.length; i++) {
    const shifted = (codes[i] as number) + OFFSET;
    const block = at + QUERY.planes + 2 * (i - (i % BLOCK));
    view.setUint8(block + (i % BLOCK), shifted >> 7);
    view.setUint8(block + BLOCK + (i % BLOCK), shifted & 127);
  }
}

export function writeBar(view: DataView, at: number, bar: number): void {
  writeLanes(view, at + QUERY.bar, bar);
}

function writeLanes(view: DataView, at: number, value: number): void {
  for (let lane = 0; lane < 4; lane++) view.setFloat32(at + 4 * lane, value, true);
}
