/**
 * What a data set's turn says, so that it can be stored. Published data holds a few control characters and turns without a
 * word; both would be refused by the journal, and leaving such a turn out would move the places that labels speak of.
 */

/** All control characters but tab, line feed and carriage return. */
const CONTROL = /[\p{Cc}--[\t\n\r]]/gv;

export function turnText(text: string): string {
  const clean = text.toWellFormed().replace(CONTROL, "");
  return clean.trim() === "" ? "[…]" : clean;
}
