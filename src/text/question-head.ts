/**
 * With which question word does an English question ask, and of what? "At which university did I speak?" asks "which" of
 * "university". Only a word that asks counts: in "What did he do when it rained?" the "when" does not.
 */
import { splitSentences } from "./sentences.ts";

export type QuestionWord = "who" | "whom" | "whose" | "where" | "when" | "which" | "what" | "how" | "why";

export interface QuestionHead {
  readonly word: QuestionWord;
  /** The words, as written, between the question word and the first auxiliary verb: "video", "games". */
  readonly phrase: readonly string[];
  /** That verb in lower case; undefined if there is none near: "What motivates her?" */
  readonly verb: string | undefined;
  /** The words behind the verb, or all of them if there is no verb. */
  readonly rest: readonly string[];
}

/** One for each sentence that asks; if no sentence ends in a question mark, for each that could. */
export function questionHeads(text: string): QuestionHead[] {
  if (!/\b(?:wh(?:o|ere|en|ich|at|y)|how)/i.test(text)) return [];
  const sentences = splitSentences(text).map((sentence) => sentence.text);
  const asking = sentences.filter((sentence) => /[?？]["'”’)\]」』]{0,3}$/.test(sentence));
  return (asking.length > 0 ? asking : sentences).flatMap((sentence) => headOf(sentence) ?? []);
}

const HEAD = new RegExp(
  [
    // What may stand before a question word that asks: nothing, a comma, "and", "tell me", "do you know".
    "(?:^[^\\p{L}\\p{N}]{0,8}|[,;:—–(]\\s{0,3}|(?<![\\p{L}\\p{N}])(?:and|but|or|so) |(?<asked>(?<![\\p{L}\\p{N}])(?:(?:tell|remind|ask) (?:me|us)|know|wonder|wondering|sure|guess|forgot|forget|recall|remember|is|was) (?:again )?))",
    "(?:(?:and|but|so|or|also|then|well|okay|ok|hey|please|now|exactly|again) ){0,2}",
    "(?:(?<placed>in|at|on|with|to|for|from|by|of|about|since|until|till|during|under|into|near|around|through|after|before) )?",
    "(?<word>who|whom|whose|where|when|which|what|how|why)(?<short>['’](?:s|re|d|ve|ll))?(?![\\p{L}\\p{N}'’])",
  ].join(""),
  "giu",
);

const WORDS = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’.&/+-]{0,40}/gu;
/** How far behind the question word its verb is looked for, and how many words are kept behind that. */
const NEAR = 9;
const KEPT = 14;
const LONGEST = 300;

function headOf(sentence: string): QuestionHead | undefined {
  for (const found of sentence.matchAll(HEAD)) {
    const { word = "", short, placed, asked } = found.groups ?? {};
    const from = found.index + found[0].length;
    const words = (sentence.slice(from, from + LONGEST).match(WORDS) ?? []).map(withoutDots);
    const head = cut(plainWord(word), short, words);
    // "When it rained, …" asks nothing; nor does "remember when we met".
    const asks = /^(?:tell|remind|ask|know|wonder|sure|forg)/i.test(asked ?? "") || placed !== undefined;
    const isBare = head.verb !== undefined && head.phrase.length === 0;
    if (head.word !== "when" || asks || isBare || words.length === 0) return head;
  }
  return undefined;
}

const AUXILIARIES: ReadonlySet<string> = new Set(
  `am is are was were do does did has have had will would can could shall should may might must
  isn't aren't wasn't weren't don't doesn't didn't hasn't haven't hadn't won't wouldn't can't couldn't shouldn't`.split(
    /\s+/,
  ),
);
const SHORT_VERBS: ReadonlyMap<string, string> = new Map([
  ["s", "is"],
  ["re", "are"],
  ["d", "did"],
  ["ve", "have"],
  ["ll", "will"],
]);

function cut(word: QuestionWord, short: string | undefined, words: readonly string[]): QuestionHead {
  const shortVerb = SHORT_VERBS.get(short?.slice(1).toLowerCase() ?? "");
  if (shortVerb !== undefined) return { word, phrase: [], verb: shortVerb, rest: words.slice(0, KEPT) };
  const at = words.slice(0, NEAR).findIndex((one) => AUXILIARIES.has(one.toLowerCase().replace("’", "'")));
  if (at === -1) return { word, phrase: [], verb: undefined, rest: words.slice(0, KEPT) };
  const verb = words[at]?.toLowerCase();
  return { word, phrase: words.slice(0, at), verb, rest: words.slice(at + 1, at + 1 + KEPT) };
}

const QUESTION_WORDS: readonly QuestionWord[] = [
  "who",
  "whom",
  "whose",
  "where",
  "when",
  "which",
  "what",
  "how",
  "why",
];

function plainWord(word: string): QuestionWord {
  return QUESTION_WORDS.find((one) => one === word.toLowerCase()) ?? "what";
}

/** "U.S." keeps its dots inside; the full stop behind a word goes. */
function withoutDots(word: string): string {
  return word.replace(/[.'’/&+-]$/, "");
}

/** Where a noun phrase stops: what follows describes or does something. */
const STOPS =
  /^(?:of|that|which|who|whom|whose|for|in|on|at|from|with|and|or|when|where|while|to|by|about|after|before|during|since|as|i|you|he|she|we|they|it|used|called|named)$/i;

/** The noun of a phrase as written: "games" of "fantasy games", "date" of "the date on which", "kinds" of "kinds of music". */
export function nounOf(words: readonly string[]): string {
  return nounPhrase(words).at(-1) ?? "";
}

/** The words up to where the first noun has been said. */
export function nounPhrase(words: readonly string[]): readonly string[] {
  const stop = words.findIndex((word) => STOPS.test(word) || AUXILIARIES.has(word.toLowerCase()));
  return stop === -1 ? words : words.slice(0, stop);
}
