/** How alike are two directions? Dot product, length and cosine, summed in float64 whatever the vectors are kept in. */

export type Numbers = Float32Array | Float64Array | readonly number[];

export function dot(a: Numbers, b: Numbers): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

/** Euclidean length. Float32 components can neither overflow nor vanish when squared in float64. */
export function norm(a: Numbers): number {
  return Math.sqrt(dot(a, a));
}

/** The same direction with length one, written to `unit`. */
export function normalise(a: Numbers, unit: Float64Array = new Float64Array(a.length)): Float64Array {
  const length = norm(a);
  for (let i = 0; i < a.length; i++) unit[i] = (a[i] as number) / length;
  return unit;
}

/** In [−1, 1], and exactly 1 for a vector and itself. `squaredNormA` saves work when one vector meets many. */
export function cosine(a: Numbers, b: Numbers, squaredNormA: number = dot(a, a)): number {
  let product = 0;
  let squaredNormB = 0;
  for (let i = 0; i < a.length; i++) {
    const component = b[i] as number;
    product += (a[i] as number) * component;
    squaredNormB += component * component;
  }
  return Math.max(-1, Math.min(1, product / Math.sqrt(squaredNormA * squaredNormB)));
}
