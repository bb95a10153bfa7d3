/**
 * How can a scan read a quarter of the bytes and still never miss? A unit vector x becomes x̂ = scale · codes with codes
 * in −127 … 127, and the length of what is lost, r = x − x̂, is kept. The scale is the least-squares one, so r stands at
 * a right angle to x̂; for a unit query q only the part of q that is not along x̂ can meet r, hence (Pythagoras, then
 * Cauchy–Schwarz)
 *
 *     |q·x − q·x̂| = |q·r| ≤ ‖r‖ · √(1 − (q·x̂)² / ‖x̂‖²) ≤ ‖r‖ · √(1 − (q·x̂)²)
 *
 * which is far tighter than ‖r‖ for exactly those x that lie close to q. The query keeps 14 bits, and its own loss is
 * part of the bound.
 */

/** Covers every float32 and float64 rounding in codes, scales and sums, with room to spare. */
const ROUNDING = 4e-7;

const LARGEST_CODE = 127;
const LARGEST_QUERY_CODE = 8191;

export interface Quantised {
  /** A float32 value: what is kept is what the error was measured with. */
  readonly scale: number;
  /** At least ‖x − scale · codes‖, as a float32 value. */
  readonly residual: number;
}

/** Writes the codes of a unit vector; elements of `codes` beyond the vector's length stay as they are. */
export function quantiseInt8(unit: Float64Array, codes: Int8Array): Quantised {
  const step = largest(unit) / LARGEST_CODE;
  let along = 0;
  let squares = 0;
  for (let i = 0; i < unit.length; i++) {
    const code = Math.round((unit[i] as number) / step);
    codes[i] = code;
    along += code * (unit[i] as number);
    squares += code * code;
  }
  const scale = Math.fround(along / squares);
  return { scale, residual: roundedUp(lost(unit, codes, scale)) };
}

/**
 * A query for the integer dot product with int8 codes. The scale is as fine as 14 bits allow, but coarse enough that no
 * sum of products leaves 32 bits: |Σ q·c| ≤ ‖q‖ · ‖c‖ ≤ ‖q‖ · 127 · √dimension.
 */
export function quantiseQuery(unit: Float64Array, codes: Int16Array): Quantised {
  const root = Math.sqrt(unit.length);
  // Rounding may lengthen the coded query by half a unit per component, a first look at its upper bits by 64.
  const longest = (2 ** 31 - 1) / (LARGEST_CODE * root) - 64.5 * root;
  const scale = Math.max(largest(unit) / LARGEST_QUERY_CODE, 1 / longest);
  for (let i = 0; i < unit.length; i++) codes[i] = Math.round((unit[i] as number) / scale);
  return { scale, residual: lost(unit, codes, scale) };
}

/** How far the true dot product may be from the scanned one: both of unit vectors, coded as above. */
export function dotError(scanned: number, queryResidual: number, residual: number): number {
  const along = Math.max(0, Math.abs(scanned) - queryResidual - ROUNDING);
  return queryResidual + residual * Math.sqrt(Math.max(0, 1 - along * along)) + ROUNDING;
}

/** `dotError` is never more than this plus the row's residual: the first, cheap test of a row. */
export function errorBesidesResidual(queryResidual: number): number {
  return queryResidual + ROUNDING;
}

function lost(unit: Float64Array, codes: Int8Array | Int16Array, scale: number): number {
  let sum = 0;
  for (let i = 0; i < unit.length; i++) {
    const difference = (unit[i] as number) - scale * (codes[i] as number);
    sum += difference * difference;
  }
  return Math.sqrt(sum);
}

function largest(values: Float64Array): number {
  let most = 0;
  for (let i = 0; i < values.length; i++) most = Math.max(most, Math.abs(values[i] as number));
  return most;
}

/** The next float32 above, or above that. */
function roundedUp(value: number): number {
  return Math.fround(value * (1 + 2 ** -22));
}
