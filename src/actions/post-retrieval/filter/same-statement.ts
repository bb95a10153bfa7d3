/**
 * Do two texts with nearly the same words say the same? Not if one denies what the other says, if their common words stand
 * in another order ("Alice owes Bob", "Bob owes Alice"), or if they differ in a number or in whom they speak of: those are
 * single words to a measure of likeness, and all that matters to a reader.
 */
import { isNegated, oppositionOf } from "../../../tasks/rules/polarity.ts";
import { plainText } from "../../../tasks/rules/statement.ts";
import { sharedWords } from "../word-likeness.ts";

/** A text, and what is compared of it. */
export interface Statement {
  readonly text: string;
  /** In their order. */
  readonly words: ReadonlySet<string>;
}

/** `least`: the share of words in common (Jaccard) that near duplicates have. */
export function sayTheSame(one: Statement, other: Statement, least: number): boolean {
  return (
    sharedWords(one.words, other.words) >= least &&
    inSameOrder(one.words, other.words) &&
    detailsOf(one.text) === detailsOf(other.text) &&
    isNegated(one.text) === isNegated(other.text) &&
    oppositionOf(one.text, other.text) === undefined
  );
}

function inSameOrder(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const mirrored = [...other].filter((word) => one.has(word));
  return [...one].filter((word) => other.has(word)).every((word, place) => word === mirrored[place]);
}

/** Numbers and persons, in their order. */
function detailsOf(text: string): string {
  return (plainText(text).match(DETAILS) ?? []).join(" ");
}

const DETAILS =
  /\p{N}+|\b(?:i|me|my|mine|you|yours?|he|him|his|she|hers?|we|us|ours?|they|them|theirs?)\b|[我你您他她它]们?|[一二两三四五六七八九十百千万]+(?=[个只把本次天年月日岁点元块])/gu;
