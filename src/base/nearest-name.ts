/** "Did you mean …?": the closest valid name to a mistyped one, by edit distance. */

export function nearestName(wrong: string, valid: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(wrong.length / 3)) + 1;
  for (const name of valid) {
    if (Math.abs(name.length - wrong.length) >= bestDistance) continue;
    const distance = editDistance(wrong, name);
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

/** Levenshtein distance, one row at a time. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const substituted = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(substituted, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
