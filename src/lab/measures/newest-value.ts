/**
 * Of a value that changed, does what holds now come before what held once? A hit that tells both, old and new, does not
 * count: a reader of it cannot tell which holds, and a memory that hands over everything would always be right.
 *
 * One value can stand in another ("New York" in "New York City"): the longer one is what is told then.
 */
import type { LabQuestion } from "../dataset.ts";
import { plainWords } from "./phrase.ts";

export interface NewestValue {
  /** Place of the first text that tells the newest value, whatever stands before it or beside it; -1: none does. */
  readonly told: number;
  /** The same place if no text at or before it tells an older value; -1 otherwise. */
  readonly first: number;
}

/** null where there is no older value that could come before it. */
export function newestValue(texts: readonly string[], values: LabQuestion["values"]): NewestValue | null {
  const newest = plainWords(values?.newest ?? "");
  const older = (values?.older ?? []).map(plainWords).filter((value) => value !== "" && value !== newest);
  if (newest === "" || older.length === 0) return null;
  const longestFirst = [newest, ...older].sort((a, b) => b.length - a.length);
  let isOlderTold = false;
  for (const [place, text] of texts.entries()) {
    const told = valuesIn(plainWords(text), longestFirst);
    isOlderTold ||= older.some((value) => told.has(value));
    if (told.has(newest)) return { told: place, first: isOlderTold ? -1 : place };
  }
  return { told: -1, first: -1 };
}

function valuesIn(words: string, longestFirst: readonly string[]): Set<string> {
  const told = new Set<string>();
  let rest = words;
  for (const value of longestFirst) {
    if (!rest.includes(value)) continue;
    told.add(value);
    rest = rest.replaceAll(value, "<>");
  }
  return told;
}
