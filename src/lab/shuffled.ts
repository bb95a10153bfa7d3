/** In which order, where none is better than another? One of chance, the same for the same seed. */
import type { Random } from "../base/random.ts";

export function shuffled<T>(list: readonly T[], random: Random): T[] {
  const keyed = list.map((value) => ({ value, key: random.next() }));
  return keyed.toSorted((a, b) => a.key - b.key).map(({ value }) => value);
}
