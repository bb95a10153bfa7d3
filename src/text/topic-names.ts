/**
 * By which names can a text be found again? Those of persons, places and things; what stands in quotation marks; things
 * named by several words ("oil painting class"); and identifiers, as codes, versions, addresses and file names. By rules,
 * in English and Chinese (Mem0's third version takes the same four kinds from a parser).
 */
import { type TaggedWord, tagEnglish } from "./english-tagger.ts";
import { findEntities } from "./entities.ts";
import { extractKeywords } from "./keywords.ts";
import { isStopWord } from "./stop-words.ts";

export const TOPIC_KINDS = ["proper", "quoted", "topic", "identifier"] as const;
export type TopicKind = (typeof TOPIC_KINDS)[number];

export interface TopicName {
  readonly text: string;
  readonly kind: TopicKind;
}

export interface TopicNameOptions {
  /** Names that are known to be persons': the speakers. */
  readonly persons?: readonly string[];
}

/** Each once, whatever the case; identifiers and quotations first, then names, then topics, each in the order of the text. */
export async function findTopicNames(text: string, options: TopicNameOptions = {}): Promise<TopicName[]> {
  const found: TopicName[] = [
    ...matchesOf(text, IDENTIFIER).map((name): TopicName => ({ text: name, kind: "identifier" })),
    ...matchesOf(text, QUOTED).map((name): TopicName => ({ text: name, kind: "quoted" })),
    ...(await findEntities(text, options)).map(
      ({ text: name }): TopicName => ({ text: name, kind: "proper" }),
    ),
    ...(await compounds(text)).map((name): TopicName => ({ text: name, kind: "topic" })),
  ];
  const names = new Map<string, TopicName>();
  for (const one of found) {
    const key = one.text.toLowerCase();
    if (!names.has(key)) names.set(key, one);
  }
  return [...names.values()];
}

/** Addresses, then words with a digit and a joint (AB-12, v2.3.1, x_1, #42), then file names. */
const IDENTIFIER =
  /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+|https?:\/\/[^\s<>"'）)]+|#\d+|\b(?=[\w.-]*\d)(?=[\w.-]*[A-Za-z])[A-Za-z0-9]+(?:[-_.][A-Za-z0-9]+)+\b|\b[\w-]+\.(?:[tj]sx?|py|md|ya?ml|json|csv|pdf|docx?|xlsx?|txt|html?|sh|go|rs|java|cpp)\b/gu;

/** What is quoted, up to a title's length. */
const QUOTED = /(?<=["“「『《])[^"“”「」『』《》\n]{2,60}(?=["”」』》])/gu;

function matchesOf(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([match]) => match.trim()).filter((match) => match !== "");
}

const HAN_OR_MARKS = /[\p{Script=Han}\u3000-\u303f\uff00-\uff65]/gu;
const NEITHER = /[^\p{Script=Han}\u3000-\u303f\uff00-\uff65\n]+/gu;
const MOST_CHINESE = 6;

/** English: two to four words that end with a noun; Chinese, which nothing here tags: its key phrases. */
async function compounds(text: string): Promise<string[]> {
  const sentences = await tagEnglish(text.replace(HAN_OR_MARKS, "\n"));
  const english = sentences.flatMap(nounPhrases);
  const chinese = extractKeywords(text.replace(NEITHER, "\n"), { limit: MOST_CHINESE });
  return [...english, ...chinese.map((keyword) => keyword.text).filter((phrase) => phrase.length >= 2)];
}

function nounPhrases(words: readonly TaggedWord[]): string[] {
  const phrases: string[] = [];
  let run: TaggedWord[] = [];
  const end = (): void => {
    while (run.length > 0 && run.at(-1)?.tags.has("Noun") !== true) run.pop();
    if (run.length >= 2 && run.length <= 4) phrases.push(run.map(({ plain }) => plain).join(" "));
    run = [];
  };
  for (const word of words) {
    const isNoun = word.tags.has("Noun") && !word.tags.has("Pronoun");
    const fits = (isNoun || word.tags.has("Adjective")) && word.text !== "" && !isStopWord(word.plain);
    if (!fits) end();
    else run.push(word);
    if (word.breaks) end();
  }
  end();
  return phrases;
}
