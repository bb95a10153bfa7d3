/** "Did you mean …?": the closest valid name to a mistyped one, by edit distance. */

export function nearestName(wrong: string, valid: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(wrong.length / 3)) + 1;
  for (const name of valid) {
    if (Math.abs(name.length - wrong.length) >= bestDistance) continue;
    const distance = editDistance(wrong, name, bestDistance);
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

/** The sentence to append to an "unknown name" error: the valid names, and the likely intended one. */
export function validNames(wrong: string, valid: Iterable<string>): string {
  const names = [...valid].sort();
  const near = nearestName(wrong, names);
  const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
  return names.length === 0 ? "There are none yet." : `Valid: ${names.join(", ")}.${hint}`;
}

/**
 * Levenshtein distance over the code units of two strings, or over letters of the caller's own; `most` + 1 where it is
 * greater than `most`. Only what can stay within `most` is computed (Ukkonen, 1985).
 */
export function editDistance<Letter>(
  a: ArrayLike<Letter>,
  b: ArrayLike<Letter>,
  most: number = Math.max(a.length, b.length),
): number {
  let previous = new Int32Array(b.length + 1);
  for (let column = 1; column <= b.length; column++) previous[column] = column;
  let current = new Int32Array(b.length + 1);
  for (let row = 1; row <= a.length; row++) {
    const from = Math.max(1, row - most);
    const to = Math.min(b.length, row + most);
    current.fill(most + 1);
    if (from === 1) current[0] = row;
    let least = current[0] as number;
    for (let column = from; column <= to; column++) {
      const substituted = (previous[column - 1] as number) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const shifted = Math.min(previous[column] as number, current[column - 1] as number) + 1;
      const cost = Math.min(substituted, shifted);
      current[column] = cost;
      if (cost < least) least = cost;
    }
    if (least > most) return most + 1;
    [previous, current] = [current, previous];
  }
  return Math.min(previous[b.length] as number, most + 1);
}
