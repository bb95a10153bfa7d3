/** How alike are two texts, by their words? The Jaccard measure over stemmed content words, for where there is no vector. */
import { overlapOf } from "../../tasks/rules/statement.ts";
import { tokenize } from "../../text/tokenize.ts";

export function wordSet(text: string): Set<string> {
  return new Set(tokenize(text));
}

/** 0 (nothing in common, or no words) to 1 (the same words). */
export function sharedWords(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return overlapOf(a, b).jaccard;
}
