/** Does a text say a word? Whatever the case, width and Chinese script; a Latin word as a whole, a Han word anywhere. */
import { simplify } from "../../text/simplify.ts";

export function mentions(text: string, word: string): boolean {
  const where = fold(text);
  const wanted = fold(word).trim();
  if (wanted === "") return false;
  for (let at = where.indexOf(wanted); at !== -1; at = where.indexOf(wanted, at + 1)) {
    if (!joins(where[at - 1], wanted[0]) && !joins(wanted.at(-1), where[at + wanted.length])) return true;
  }
  return false;
}

function fold(text: string): string {
  return simplify(text.normalize("NFKC").toLowerCase());
}

/** Whether two characters side by side are of one word: scripts without spaces end no word. */
function joins(left: string | undefined, right: string | undefined): boolean {
  const spaced = /[\p{L}\p{M}\p{N}_]/u;
  const spaceless = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
  return [left, right].every((one) => one !== undefined && spaced.test(one) && !spaceless.test(one));
}
