/** English triples: within a clause the noun phrase before the verb, the verb, and each noun phrase behind it. */
import { type TaggedWord, tagEnglish } from "./english-tagger.ts";
import type { Triple } from "./triple.ts";

export async function findEnglishTriples(text: string): Promise<Triple[]> {
  const out: Triple[] = [];
  for (const words of await tagEnglish(text)) out.push(...sentenceTriples(words, text));
  return out;
}

interface Chunk {
  readonly kind: "noun" | "verb" | "preposition" | "time" | "joint" | "stop";
  readonly start: number;
  readonly end: number;
}

/** Subjects that stand for nothing a memory could be about. */
const EMPTY_SUBJECTS =
  /^(?:it|this|that|there|here|these|those|us|me|him|them|what|who|which|something|everything)$/i;
const EMPTY_OBJECTS = /^(?:it|this|that|these|those|them|us|much|so|lot|bit)?$/i;
const RELATIVE = new Set(["who", "which", "that"]);

function sentenceTriples(words: readonly TaggedWord[], text: string): Triple[] {
  const chunks = chunksOf(words);
  const out: Triple[] = [];
  let subject: string | undefined;
  let main: Chunk | undefined;
  let isInfinitive = false;
  for (let i = 0; i < chunks.length; i++) {
    const chunk = chunks[i];
    if (chunk?.kind !== "verb") continue;
    const before = chunks[chunks[i - 1]?.kind === "time" ? i - 2 : i - 1];
    // "to share it and give others hope": the second verb hangs on the same.
    const goesOn: boolean = isInfinitive && before?.kind === "joint" && isPlain(words[chunk.start]);
    isInfinitive = goesOn || words[chunk.start]?.plain === "to";
    if (!isInfinitive) {
      if (before?.kind === "noun") subject = phrase(words, before, text);
      else if (before?.kind === "stop") subject = undefined;
      main = chunk;
    } else if (before?.kind === "stop") main = undefined;
    if (subject === undefined || main === undefined || EMPTY_SUBJECTS.test(subject)) continue;
    // "went there to help": what is meant to be done is told with the verb that it hangs on.
    const relation = isInfinitive ? infinitiveRelation(words, main, chunk) : relationOf(words, chunk);
    for (const part of objectsOf(chunks, i, relation, words, text)) {
      if (!EMPTY_OBJECTS.test(part.object)) out.push({ subject, ...part });
    }
  }
  return out;
}

/** Every noun phrase between this verb and the next clause, with the preposition that leads to it. */
function objectsOf(
  chunks: readonly Chunk[],
  verbAt: number,
  relation: string,
  words: readonly TaggedWord[],
  text: string,
): { relation: string; object: string }[] {
  const out: { relation: string; object: string }[] = [];
  let preposition = "";
  for (let i = verbAt + 1; i < chunks.length; i++) {
    const chunk = chunks[i];
    if (chunk === undefined || chunk.kind === "stop") break;
    if (chunk.kind === "verb") break;
    if (chunk.kind === "time") preposition = "";
    else if (chunk.kind === "preposition") preposition = plainText(words, chunk);
    else if (chunk.kind === "joint") {
      // "likes tea and coffee" goes on; "likes tea and Ben likes coffee" does not.
      if (chunks[i + 2]?.kind === "verb" || chunks[i + 1]?.kind !== "noun") break;
    } else {
      const isSubjectOfNext = chunks[i + 1]?.kind === "verb" && i > verbAt + 1;
      if (isSubjectOfNext) break;
      out.push({
        relation: [relation, preposition].filter((part) => part !== "").join(" "),
        object: phrase(words, chunk, text),
      });
    }
  }
  return out;
}

function chunksOf(words: readonly TaggedWord[]): Chunk[] {
  const out: { kind: Chunk["kind"]; start: number; end: number }[] = [];
  for (let i = 0; i < words.length; i++) {
    const kind = kindOf(words, i);
    const last = out.at(-1);
    const isBroken = words[i - 1]?.breaks === true;
    if (isBroken && i > 0 && last?.kind !== "stop") out.push({ kind: "joint", start: i, end: i });
    if (last !== undefined && !isBroken && last.kind === kind && (kind === "noun" || kind === "verb"))
      last.end = i + 1;
    else out.push({ kind, start: i, end: i + 1 });
  }
  return out;
}

function kindOf(words: readonly TaggedWord[], at: number): Chunk["kind"] {
  const word = words[at];
  if (word === undefined) return "stop";
  const has = (...tags: string[]): boolean => tags.some((tag) => word.tags.has(tag));
  const next = words[at + 1];
  // "last week", "every day": the word before a time belongs to it.
  if (/^(?:last|next|this|every|each)$/.test(word.plain) && next !== undefined && isTime(next)) return "time";
  if (word.plain === "to" && isInfinitiveVerb(next)) return "verb";
  if (has("Negative") && !has("Noun")) return "verb";
  if (has("Verb", "Auxiliary", "Modal", "Copula", "Particle")) {
    // A participle in front of a noun describes it: "a running joke".
    const isInside = has("Gerund", "Participle") && has("Adjective");
    return isInside ? "noun" : "verb";
  }
  if (isTime(word)) return "time";
  if (has("Adverb")) return kindAround(words, at);
  if (has("Preposition")) return "preposition";
  if (has("Conjunction")) return "joint";
  if (has("QuestionWord") || RELATIVE.has(word.plain)) return "stop";
  if (has("Noun", "Pronoun", "Determiner", "Adjective", "Value", "Possessive", "Date", "ProperNoun"))
    return "noun";
  return "stop";
}

const TIME_WORDS: ReadonlySet<string> = new Set(
  "yesterday today tomorrow tonight week weekend month year day morning afternoon evening night ago recently now soon later".split(
    " ",
  ),
);

function isTime(word: TaggedWord): boolean {
  return word.tags.has("Date") || word.tags.has("Time") || TIME_WORDS.has(word.plain);
}

/** An adverb goes with the verb beside it, or else describes the noun behind it. */
function kindAround(words: readonly TaggedWord[], at: number): "verb" | "noun" {
  const isVerb = (word: TaggedWord | undefined): boolean =>
    word !== undefined &&
    ["Verb", "Auxiliary", "Modal", "Copula", "Negative"].some((tag) => word.tags.has(tag));
  return isVerb(words[at + 1]) || isVerb(words[at - 1]) ? "verb" : "noun";
}

function isInfinitiveVerb(word: TaggedWord | undefined): boolean {
  return word?.tags.has("Verb") === true && !word.tags.has("Gerund") && !word.tags.has("PastTense");
}

function isPlain(word: TaggedWord | undefined): boolean {
  return word?.tags.has("Infinitive") === true;
}

/** "is lucky to have": a copula says nothing without what stands behind it. */
function infinitiveRelation(words: readonly TaggedWord[], main: Chunk, infinitive: Chunk): string {
  const verb = words.slice(main.start, main.end).filter(({ tags }) => !tags.has("Adverb"));
  const between = words.slice(main.end, infinitive.start);
  const isCopula = verb.length === 1 && verb[0]?.tags.has("Copula") === true && between.length <= 2;
  const rest = relationOf(words, infinitive).replace(/^(?!to )/, "to ");
  return [relationOf(words, main), ...(isCopula ? between.map(({ plain }) => plain) : []), rest].join(" ");
}

/** The verb's words in full, without adverbs: "don't really like" → "do not like". */
function relationOf(words: readonly TaggedWord[], verb: Chunk): string {
  return words
    .slice(verb.start, verb.end)
    .filter((word) => !word.tags.has("Adverb") || word.tags.has("Negative"))
    .map((word) => word.plain)
    .join(" ");
}

function plainText(words: readonly TaggedWord[], chunk: Chunk): string {
  return words
    .slice(chunk.start, chunk.end)
    .map((word) => word.plain)
    .join(" ");
}

/** A noun phrase as written, without the article or punctuation around it. */
function phrase(words: readonly TaggedWord[], chunk: Chunk, text: string): string {
  const first = words[chunk.start];
  const written = words.slice(chunk.start, chunk.end).filter((word) => word.text !== "");
  const last = written.at(-1);
  // The subject of "I'm" and "it's" shares its word with the verb.
  if (words[chunk.end]?.text === "") return plainText(words, chunk);
  if (first === undefined || last === undefined || written.length < chunk.end - chunk.start)
    return plainText(words, chunk);
  if (/['’](?:m|re|ve|ll|d)$/.test(last.text)) return plainText(words, chunk);
  return text
    .slice(first.index, last.index + last.text.length)
    .replace(/^(?:the|an?)\s+/i, "")
    .replace(/[\s,;:.!?]+$/, "");
}
