/** Many vectors in one array, each of length 1, those that are equal only once. */
export interface Rows {
  readonly values: Float32Array;
  readonly dimension: number;
  readonly count: number;
}

export interface DistinctRows extends Rows {
  /** By row: the places of the vectors that are this row, ascending. */
  readonly members: readonly (readonly number[])[];
}

/** Of vectors of one dimension, none of them zero. */
export function distinctRows(vectors: readonly Float32Array[]): DistinctRows {
  const dimension = vectors[0]?.length ?? 0;
  const values = new Float32Array(vectors.length * dimension);
  const bits = new Int32Array(values.buffer);
  const members: number[][] = [];
  const byHash = new Map<number, number[]>();
  for (const [place, vector] of vectors.entries()) {
    const row = members.length;
    writeUnit(vector, values.subarray(row * dimension, (row + 1) * dimension));
    const hash = hashOf(bits, row * dimension, dimension);
    const alike = byHash.get(hash) ?? [];
    const same = alike.find((other) => isSame(bits, row * dimension, other * dimension, dimension));
    if (same !== undefined) {
      members[same]?.push(place);
      continue;
    }
    members.push([place]);
    byHash.set(hash, [...alike, row]);
  }
  return { values, dimension, count: members.length, members };
}

export function dotRows({ values, dimension }: Rows, one: number, other: number): number {
  const a = one * dimension;
  const b = other * dimension;
  let sum = 0;
  for (let i = 0; i < dimension; i++) sum += (values[a + i] as number) * (values[b + i] as number);
  return sum;
}

export function meanRow({ values, dimension, count }: Rows): Float64Array {
  const mean = new Float64Array(dimension);
  for (let row = 0; row < count; row++)
    for (let i = 0; i < dimension; i++)
      mean[i] = (mean[i] as number) + (values[row * dimension + i] as number) / count;
  return mean;
}

function writeUnit(vector: Float32Array, out: Float32Array): void {
  let sum = 0;
  for (let i = 0; i < out.length; i++) sum += (vector[i] as number) ** 2;
  const scale = 1 / Math.sqrt(sum);
  // + 0: there are two zeros, and they are equal.
  for (let i = 0; i < out.length; i++) out[i] = (vector[i] as number) * scale + 0;
}

/** FNV-1a, by words. */
function hashOf(bits: Int32Array, start: number, length: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let i = start; i < start + length; i++) hash = Math.imul(hash ^ (bits[i] as number), 0x01000193);
  return hash;
}

function isSame(bits: Int32Array, one: number, other: number, length: number): boolean {
  for (let i = 0; i < length; i++) if (bits[one + i] !== bits[other + i]) return false;
  return true;
}
