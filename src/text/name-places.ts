/**
 * Where does a question call somebody by name? A Latin name stands as whole words with its capital letter, in full or by
 * its first word ("Caroline" for "Caroline Smith"); a Chinese name stands anywhere, in either script, but one character
 * alone is nobody. "Will you come?" does not call Will, and "in May" does not call May.
 */
import { charClass, HAN, SEPARATOR } from "./char-class.ts";
import { simplify } from "./simplify.ts";

export interface NamePlace {
  /** As it was handed in. */
  readonly name: string;
  readonly start: number;
  /** The first place after it, without a possessive ending. */
  readonly end: number;
}

/** In order of place; a name inside a longer one that stands there is not called. */
export function findNamePlaces(text: string, names: readonly string[]): NamePlace[] {
  const folded = fold(text);
  const found: NamePlace[] = [];
  for (const name of new Set(names))
    for (const called of callings(name)) find(text, folded, name, called, found);
  return outermost(found);
}

/** Words in front of a name by which alone nobody is called. */
const TITLE =
  /^(?:mr|mrs|ms|miss|dr|prof|professor|sir|madam|aunt|auntie|uncle|coach|captain|sergeant|st|the|el|la|le|de|van|von)$/i;

/** The full name, and the first of several words in it. */
function callings(name: string): string[] {
  const words = name.split(/\s+/u).filter((word) => word !== "");
  const first = words.find((word) => !TITLE.test(word.replace(/\.$/, "")));
  const whole = words.join(" ");
  // An initial calls nobody: "J." of "J. Smith".
  if (first === undefined || words.length === 1 || first.replace(/\.$/, "").length < 2) return [whole];
  return [whole, first];
}

function find(text: string, folded: string, name: string, called: string, found: NamePlace[]): void {
  const wanted = fold(called);
  if (isTooShort(wanted)) return;
  for (let at = folded.indexOf(wanted); at !== -1; at = folded.indexOf(wanted, at + wanted.length)) {
    const end = at + wanted.length;
    if (isInsideWord(text, at, end) || !hasCapital(text, at, called)) continue;
    if (isVerb(text, at, end, wanted) || isMonth(text, at, end, wanted)) continue;
    found.push({ name, start: at, end });
  }
}

/** Lower case and simplified script, unit for unit; a text that lower case would lengthen keeps its case. */
function fold(text: string): string {
  const lower = text.toLowerCase();
  return simplify(lower.length === text.length ? lower : text);
}

function isTooShort(wanted: string): boolean {
  return (
    wanted === "" || (wanted.length === 1 && classAt(wanted, 0) === HAN) || !/[\p{L}\p{N}]/u.test(wanted)
  );
}

function isInsideWord(text: string, start: number, end: number): boolean {
  if (start > 0 && joins(text, start - 1) && joins(text, start)) return true;
  if (end >= text.length || !joins(text, end - 1)) return false;
  // Mary of "Mary-Jane" is another person.
  return joins(text, end) || /^[-‐]\p{Lu}/u.test(text.slice(end, end + 3));
}

/** Whether the character belongs to a word that spaces end. */
function joins(text: string, at: number): boolean {
  const kind = classAt(text, at);
  return text[at] === "_" || (kind !== SEPARATOR && kind !== HAN);
}

function classAt(text: string, at: number): number {
  return charClass(text.charCodeAt(at));
}

/** "user" names nobody in "the user said"; a name of letters and digits ("mia_88") is told without a capital. */
function hasCapital(text: string, at: number, called: string): boolean {
  return !/^\p{Ll}/u.test(text.slice(at, at + 2)) || /[\d_]/.test(called);
}

const ALSO_VERBS: ReadonlySet<string> = new Set(
  "will may can mark hope grant sue chase rob bill drew pat rich jack grace josh".split(" "),
);
const BEHIND_A_VERB =
  /^\s+(?:(?:you|i|we|he|she|it|they|me|him|us|them|the|a|an|my|your|his|her|our|their|its|this|that|these|those|there|any|some|all|both|anyone|someone|everyone|anybody|somebody|everybody)\b|\p{Lu})/u;

/** "Will you …", "May I …", "Mark my words": at the start of a sentence, before one whom or which the verb can take. */
function isVerb(text: string, start: number, end: number, wanted: string): boolean {
  if (!ALSO_VERBS.has(wanted) || !BEHIND_A_VERB.test(text.slice(end, end + 24))) return false;
  return /(?:^|[.!?;:,。？！\n]|\b(?:and|but|so))["“'‘(\s]*$/i.test(
    text.slice(Math.max(0, start - 8), start),
  );
}

const ALSO_MONTHS: ReadonlySet<string> = new Set(["april", "may", "june", "august", "january", "jan"]);

/** "in May", "5 June", "the end of August", "April 2023". */
function isMonth(text: string, start: number, end: number, wanted: string): boolean {
  if (!ALSO_MONTHS.has(wanted)) return false;
  if (/^,? ?\d/.test(text.slice(end, end + 3))) return true;
  return /(?:\b(?:in|during|since|until|till|last|next|this|early|late|mid|throughout|every)[ -]|\d(?:st|nd|rd|th)? (?:of )?|\b(?:month|end|beginning|middle|start|rest|days?|weeks?) of )$/i.test(
    text.slice(Math.max(0, start - 16), start),
  );
}

/** Without those that lie in a longer name: Caroline Jones is not called by "Caroline Smith". */
function outermost(found: readonly NamePlace[]): NamePlace[] {
  const out: NamePlace[] = [];
  let widest: NamePlace | undefined;
  for (const one of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const isInside = widest !== undefined && one.end <= widest.end && lengthOf(one) < lengthOf(widest);
    if (isInside) continue;
    out.push(one);
    if (widest === undefined || one.end > widest.end) widest = one;
  }
  return out;
}

function lengthOf(place: NamePlace): number {
  return place.end - place.start;
}
