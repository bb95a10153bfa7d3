/**
 * What a data set's turn says, so that it can be stored. Published data holds a few control characters and turns without a
 * word; both would be refused by the journal, and leaving such a turn out would move the places that labels speak of.
 */
import { cleanText } from "../../base/text-input.ts";

export function turnText(text: string): string {
  const clean = cleanText(text);
  return clean.trim() === "" ? "[…]" : clean;
}
