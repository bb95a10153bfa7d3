/** Which names does an English text hold? Runs of capitalised words, told apart by the tagger and by the words in them. */
import { type TaggedWord, type Tagging, tagEnglish } from "./english-tagger.ts";
import type { Entity, EntityKind } from "./entity.ts";
import {
  BRANDS,
  EVENT_WORDS,
  KNOWN_PLACES,
  NOT_NAMES,
  ORGANISATION_WORDS,
  PLACE_WORDS,
} from "./lexicon/names-english.ts";

export async function findEnglishEntities(
  text: string,
  persons: readonly string[],
  tagging: Tagging = "whole",
): Promise<Entity[]> {
  const out: Entity[] = [...quotedTitles(text)];
  const known = new Set(persons.map((name) => name.toLowerCase()));
  for (const words of await tagEnglish(text, mayHoldName, tagging)) {
    for (let i = 0; i < words.length; ) {
      const end = nameEnd(words, i, known);
      if (end === i) {
        i++;
        continue;
      }
      const entity = entityOf(text, words.slice(i, end), words[i - 1], known);
      if (entity !== undefined && !out.some((other) => overlaps(other, entity))) out.push(entity);
      i = end;
    }
  }
  return out;
}

/** Whether a sentence has a capital other than that of a common word at its start. */
function mayHoldName(sentence: string): boolean {
  const first = /^[^\p{L}\p{N}]*([\p{L}\p{N}'’]+)/u.exec(sentence);
  if (first === null) return false;
  const isCommon = NOT_NAMES.has((first[1] ?? "").toLowerCase().replace("’", "'"));
  return /[A-Z]/.test((isCommon ? sentence.slice(first[0].length) : sentence).replace(/\bI\b/g, ""));
}

/** Words that may stand inside a name between two capitalised ones: "Museum of Modern Art", "AT and T" is not. */
const INNER: ReadonlySet<string> = new Set(["of", "the", "de", "la", "van", "von", "&", "for"]);
const DATES = ["Date", "WeekDay", "Month", "Holiday"];

/** Where a name that begins at `start` ends; `start` itself if none does. */
function nameEnd(words: readonly TaggedWord[], start: number, known: ReadonlySet<string>): number {
  if (!isNameWord(words, start, known)) return start;
  let end = start + 1;
  for (;;) {
    if (words[end - 1]?.breaks === true && !isAbbreviation(words[end - 1])) return end;
    let next = end;
    while (next < words.length && next - end < 2 && INNER.has(words[next]?.text.toLowerCase() ?? "")) next++;
    const isNumber = next === end && /^\d{1,4}$/.test(words[end]?.text ?? "") && isBrand(words[end - 1]);
    if (isNumber) end++;
    else if (next < words.length && isNameWord(words, next, known) && !isPossessive(words[end - 1]))
      end = next + 1;
    else return end;
  }
}

function isNameWord(words: readonly TaggedWord[], at: number, known: ReadonlySet<string>): boolean {
  const word = words[at];
  if (word === undefined || word.text === "") return false;
  const plain = bare(word.text).toLowerCase();
  if (known.has(plain) || BRANDS.has(plain)) return known.has(plain) || /[A-Z]/.test(word.text);
  if (!/^\p{Lu}/u.test(word.text) || plain.length < 2) return false;
  // "New" of "New York".
  if (NOT_NAMES.has(plain)) return at > 0 && word.tags.has("Place");
  if (DATES.some((tag) => word.tags.has(tag))) return false;
  // A capital at the start of a sentence says nothing; there the tagger must know the name.
  if (at > 0 && !/[.!?:"“]$/.test(words[at - 1]?.text ?? "")) return true;
  return ["Person", "Place", "Organization", "ProperNoun", "Acronym"].some((tag) => word.tags.has(tag));
}

function entityOf(
  text: string,
  words: readonly TaggedWord[],
  before: TaggedWord | undefined,
  known: ReadonlySet<string>,
): Entity | undefined {
  const first = words[0];
  const last = words.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const name = bare(text.slice(first.index, last.index + last.text.length));
  // Shouting and single letters are no names.
  if (name.length < 2 || (/^[A-Z]+$/.test(name) && name.length > 6 && words.length === 1)) return undefined;
  return { text: name, kind: kindOf(name, words, before, known), index: first.index };
}

function kindOf(
  name: string,
  words: readonly TaggedWord[],
  before: TaggedWord | undefined,
  known: ReadonlySet<string>,
): EntityKind {
  const parts = name.toLowerCase().split(/[\s.]+/);
  const has = (tag: string): boolean => words.some((word) => word.tags.has(tag));
  if (known.has(name.toLowerCase())) return "person";
  if (KNOWN_PLACES.has(name.toLowerCase())) return "place";
  if (parts.some((part) => BRANDS.has(part))) return "product";
  if (EVENT_WORDS.has(parts.at(-1) ?? "") && (words.length > 1 || parts[0] === "olympics")) return "event";
  if (words.length > 1 || has("Organization")) {
    if (parts.some((part) => ORGANISATION_WORDS.has(part))) return "organisation";
  }
  if (words.length > 1 && parts.some((part) => PLACE_WORDS.has(part))) return "place";
  if (has("Organization")) return "organisation";
  if (has("Person") || has("FirstName") || has("LastName")) return "person";
  if (has("Place") || has("City") || has("Country") || has("Region")) return "place";
  const lead = before?.plain ?? "";
  if (
    /^(?:named|called|dog|cat|pet|puppy|kitten|friend|brother|sister|son|daughter|wife|husband|uncle|aunt|cousin|boss|colleague|neighbor|neighbour|teacher)$/.test(
      lead,
    )
  ) {
    return "person";
  }
  return lead === "in" && has("ProperNoun") ? "place" : "other";
}

/** Titles in quotation marks, each main word with a capital: books, films, games. */
function quotedTitles(text: string): Entity[] {
  const out: Entity[] = [];
  for (const match of text.matchAll(/["“]([A-Z][^"“”\n]{1,60}?)[,.!?]?["”]/g)) {
    const title = match[1] ?? "";
    const main = title.split(/\s+/).filter((word) => word.length > 3);
    if (main.length > 0 && main.every((word) => /^[A-Z0-9]/.test(word)))
      out.push({ text: title, kind: "product", index: match.index + 1 });
  }
  return out;
}

function bare(text: string): string {
  return text.replace(/['’]s?$/, "").replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}+#]+$/gu, "");
}

function isBrand(word: TaggedWord | undefined): boolean {
  return word !== undefined && BRANDS.has(bare(word.text).toLowerCase());
}

function isAbbreviation(word: TaggedWord | undefined): boolean {
  return word?.tags.has("Abbreviation") === true || word?.tags.has("Honorific") === true;
}

function isPossessive(word: TaggedWord | undefined): boolean {
  return word !== undefined && /['’]s?$/.test(word.text);
}

function overlaps(a: Entity, b: Entity): boolean {
  return a.index < b.index + b.text.length && b.index < a.index + a.text.length;
}
