/**
 * Scores of unlike scales brought to [0, 1] by their own smallest and largest. When all are equal there is nothing to
 * scale by, and designs differ: HippoRAG then counts every one as 1, Generative Agents as 0.5; the caller says which.
 */

export function minMax(values: readonly number[], whenAllEqual: number): number[] {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  const range = most - least;
  return values.map((value) => (range === 0 ? whenAllEqual : (value - least) / range));
}
