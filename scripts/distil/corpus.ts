/** What a static table is fitted on: texts made on the spot, and what is known of how common words are. */
import type { Random } from "../../src/base/random.ts";

export interface Corpus {
  readonly texts: readonly string[];
  /** Words that get a row of their own beside the vocabulary's tokens, with their share of all words. */
  readonly phrases: readonly { readonly text: string; readonly share: number }[];
  /** Share of a token in general text, where known beyond the corpus. */
  readonly shareOfToken: ReadonlyMap<string, number>;
}

export function pick<T>(random: Random, list: readonly T[]): T {
  const chosen = list[Math.floor(random.next() * list.length)];
  if (chosen === undefined) throw new RangeError("Nothing to pick from.");
  return chosen;
}

/** Fills {slots} with what `words` makes for each name; every slot is filled anew. */
export function fill(template: string, words: Readonly<Record<string, () => string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, slot: string) => words[slot]?.() ?? "");
}
