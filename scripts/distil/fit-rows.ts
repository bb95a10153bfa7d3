/**
 * Which rows make the sums nearest to what the encoder says? Least squares with a pull towards where the rows start:
 *
 *     minimise over R:  Σ over texts i  ‖ Σ over the rows r of i  R[r] / √nᵢ  −  yᵢ ‖²  +  λ ‖R − R₀‖²
 *
 * solved by conjugate gradients (Hestenes & Stiefel, 1952), every column at once. Dividing by √n and not n lets a long
 * text be as long a sum as it is, which is what the cosine then takes away. The matrix of texts is never built: its product
 * with a direction is made and used text by text.
 */

export interface FitInput {
  /** The rows of every text. */
  readonly texts: readonly Int32Array[];
  /** What the encoder says, text by text, centred. */
  readonly targets: Float32Array;
  /** Where the rows start, row by row; changed in place into where they end. */
  readonly rows: Float32Array;
  readonly dimension: number;
  readonly pull: number;
  readonly steps: number;
}

/** Returns the share of the targets' variance that the sums explain. `onStep` is told how much is left to descend. */
export function fitRows(input: FitInput, onStep: (step: number, gradient: number) => void): number {
  const { targets, rows, dimension, pull, steps } = input;
  const residual = new Float32Array(rows.length);
  scatter(input, rows, residual, targets);
  const direction = residual.slice();
  const moved = new Float32Array(rows.length);
  let squares = columnDots(residual, residual, dimension);
  for (let step = 1; step <= steps; step++) {
    moved.fill(0);
    scatter(input, direction, moved, undefined);
    addColumns(moved, direction, dimension, () => pull);
    const along = columnDots(direction, moved, dimension);
    addColumns(rows, direction, dimension, (d) => ratio(squares, along, d));
    addColumns(residual, moved, dimension, (d) => -ratio(squares, along, d));
    const next = columnDots(residual, residual, dimension);
    for (let i = 0, d = 0; i < direction.length; i++) {
      direction[i] = (residual[i] as number) + ratio(next, squares, d) * (direction[i] as number);
      if (++d === dimension) d = 0;
    }
    squares = next;
    onStep(step, Math.sqrt(squares.reduce((sum, one) => sum + one, 0)));
  }
  const left = scatter(input, rows, moved, targets);
  return 1 - left / targets.reduce((sum, value) => sum + value * value, 0);
}

/**
 * Adds Xᵀ(y − X·from) to `out` if there are targets, else XᵀX·from; returns the squared length of what was scattered.
 */
function scatter(
  { texts, dimension }: FitInput,
  from: Float32Array,
  out: Float32Array,
  targets: Float32Array | undefined,
): number {
  const sum = new Float32Array(dimension);
  let squares = 0;
  texts.forEach((rows, text) => {
    const weight = 1 / Math.sqrt(Math.max(1, rows.length));
    sum.fill(0);
    for (const row of rows) addRow(sum, 0, from, row * dimension, weight);
    if (targets !== undefined) {
      for (let i = 0; i < dimension; i++) {
        sum[i] = (targets[text * dimension + i] as number) - (sum[i] as number);
      }
    }
    for (let i = 0; i < dimension; i++) squares += (sum[i] as number) ** 2;
    for (const row of rows) addRow(out, row * dimension, sum, 0, weight, dimension);
  });
  return squares;
}

function addRow(
  to: Float32Array,
  toAt: number,
  from: Float32Array,
  fromAt: number,
  weight: number,
  length: number = to.length,
): void {
  for (let i = 0; i < length; i++) {
    to[toAt + i] = (to[toAt + i] as number) + weight * (from[fromAt + i] as number);
  }
}

function columnDots(a: Float32Array, b: Float32Array, dimension: number): Float64Array {
  const out = new Float64Array(dimension);
  for (let i = 0, d = 0; i < a.length; i++) {
    out[d] = (out[d] as number) + (a[i] as number) * (b[i] as number);
    if (++d === dimension) d = 0;
  }
  return out;
}

function addColumns(
  to: Float32Array,
  from: Float32Array,
  dimension: number,
  weight: (column: number) => number,
): void {
  const weights = Float64Array.from({ length: dimension }, (_, d) => weight(d));
  for (let i = 0, d = 0; i < to.length; i++) {
    to[i] = (to[i] as number) + (weights[d] as number) * (from[i] as number);
    if (++d === dimension) d = 0;
  }
}

function ratio(a: Float64Array, b: Float64Array, column: number): number {
  const divisor = b[column] as number;
  return divisor === 0 ? 0 : (a[column] as number) / divisor;
}
