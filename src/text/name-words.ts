/**
 * By which names do two texts speak of the same? Of an English text the words that a capital letter marks as a name ("Judith
 * Viorst" is two: the next text may say "Viorst" alone), of a Chinese text its names as wholes. Without a model, and quick.
 */
import { findChineseEntities } from "./chinese-entities.ts";
import { capitalNames } from "./holds-name.ts";
import { simplify } from "./simplify.ts";

const HAN = /\p{Script=Han}/u;

/** Each once, as it is written. Not `ignored`, as the speakers' names, which stand everywhere. */
export function nameWords(text: string, ignored: readonly string[]): string[] {
  const own = new Set(ignored.flatMap((name) => [name, ...name.split(/\s+/u)]).map(folded));
  const names = new Set(capitalNames(text, own));
  if (HAN.test(text)) {
    for (const { text: name } of findChineseEntities(text, []))
      if (HAN.test(name) && name.length > 1 && !own.has(folded(name))) names.add(name);
  }
  return [...names];
}

/** Whether a text holds a name as it is written: a Latin one as a whole word, a Han one anywhere. */
export function saysName(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    if (
      !joins(text.charAt(at - 1), name.charAt(0)) &&
      !joins(name.charAt(name.length - 1), text.charAt(at + name.length))
    )
      return true;
  }
  return false;
}

const LATIN = /[\p{L}\p{N}\p{M}]/u;

function joins(before: string, after: string): boolean {
  return LATIN.test(before) && LATIN.test(after) && !HAN.test(before) && !HAN.test(after);
}

function folded(name: string): string {
  return simplify(name.toLowerCase());
}
