/** Which value do so many of the values not exceed? Between two values in a straight line, as R and NumPy do by default. */

/** `sorted`: rising, at least one. `share`: 0 … 1. */
export function quantileOf(sorted: Float64Array, share: number): number {
  const place = (sorted.length - 1) * share;
  const below = Math.floor(place);
  const low = sorted[below] ?? Number.NaN;
  const high = sorted[Math.ceil(place)] ?? low;
  return low + (high - low) * (place - below);
}
