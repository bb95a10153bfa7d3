/**
 * Along which few axes do the rows say most? Eigenvectors of Σ row·rowᵀ by cyclic Jacobi rotations (Golub & Van Loan,
 * Matrix Computations, §8.5): slow for large matrices, exact and short for one of a few hundred columns.
 */

const SWEEPS = 12;
const SMALL = 1e-10;

/** The rows in the `keep` strongest axes, row by row. */
export function reduceRows(rows: Float32Array, dimension: number, keep: number): Float32Array {
  const { values, vectors } = eigen(gram(rows, dimension), dimension);
  const axes = Array.from(values, (_, axis) => axis)
    .sort((a, b) => (values[b] as number) - (values[a] as number))
    .slice(0, keep);
  const count = rows.length / dimension;
  const out = new Float32Array(count * keep);
  for (let row = 0; row < count; row++) {
    axes.forEach((axis, i) => {
      let sum = 0;
      for (let d = 0; d < dimension; d++) {
        sum += (rows[row * dimension + d] as number) * (vectors[d * dimension + axis] as number);
      }
      out[row * keep + i] = sum;
    });
  }
  return out;
}

function gram(rows: Float32Array, n: number): Float64Array {
  const out = new Float64Array(n * n);
  for (let start = 0; start < rows.length; start += n) {
    for (let a = 0; a < n; a++) {
      const value = rows[start + a] as number;
      for (let b = a; b < n; b++) {
        out[a * n + b] = (out[a * n + b] as number) + value * (rows[start + b] as number);
      }
    }
  }
  for (let a = 0; a < n; a++) for (let b = 0; b < a; b++) out[a * n + b] = out[b * n + a] as number;
  return out;
}

/** Eigenvalues, and eigenvectors as columns, of a symmetric matrix, which is used up. */
function eigen(matrix: Float64Array, n: number): { values: Float64Array; vectors: Float64Array } {
  const vectors = new Float64Array(n * n);
  for (let i = 0; i < n; i++) vectors[i * n + i] = 1;
  let trace = 0;
  for (let i = 0; i < n; i++) trace += Math.abs(matrix[i * n + i] as number);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let rotated = 0;
    for (let p = 0; p < n - 1; p++) {
      for (let q = p + 1; q < n; q++) {
        if (Math.abs(matrix[p * n + q] as number) < (SMALL * trace) / n) continue;
        rotate(matrix, vectors, n, p, q);
        rotated++;
      }
    }
    if (rotated === 0) break;
  }
  return { values: Float64Array.from({ length: n }, (_, i) => matrix[i * n + i] as number), vectors };
}

/** One rotation in the plane of p and q that makes the element between them zero. */
function rotate(matrix: Float64Array, vectors: Float64Array, n: number, p: number, q: number): void {
  const between = matrix[p * n + q] as number;
  const theta = ((matrix[q * n + q] as number) - (matrix[p * n + p] as number)) / (2 * between);
  const tangent = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.hypot(theta, 1));
  const cosine = 1 / Math.hypot(tangent, 1);
  const sine = tangent * cosine;
  const turn = (array: Float64Array, a: number, b: number): void => {
    const x = array[a] as number;
    const y = array[b] as number;
    array[a] = cosine * x - sine * y;
    array[b] = sine * x + cosine * y;
  };
  for (let k = 0; k < n; k++) turn(matrix, k * n + p, k * n + q);
  for (let k = 0; k < n; k++) turn(matrix, p * n + k, q * n + k);
  for (let k = 0; k < n; k++) turn(vectors, k * n + p, k * n + q);
}
