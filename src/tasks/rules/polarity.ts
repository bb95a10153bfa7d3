/**
 * Does one statement say yes where another says no? By negation in one of them ("never", 不再) or by words of opposite
 * meaning ("early", "late"), where the rest of their words is the same; both together cancel out ("not happy", "sad").
 */
import { simplify } from "../../text/simplify.ts";
import { stem } from "../../text/stem.ts";
import { splitWords } from "../../text/words.ts";
import { antonymsOf } from "./antonyms.ts";
import { contentWords, haveOtherSubjects, overlapOf } from "./statement.ts";

export interface Opposition {
  readonly by: "negation" | "antonym";
  /** The words that tell, of the first and of the second statement; empty where nothing is said. */
  readonly words: readonly [string, string];
}

/** How two statements oppose each other; undefined if they do not, or speak of different things. */
export function oppositionOf(first: string, second: string): Opposition | undefined {
  const [one, other] = [readPolarity(first), readPolarity(second)];
  const pair = antonymPair(one.words, other.words);
  const negates = one.negation !== other.negation && (one.negation === "" || other.negation === "");
  if ((pair !== undefined) === negates) return undefined;
  if (haveOtherSubjects(contentWords(affirmed(first)), contentWords(affirmed(second)))) return undefined;
  const rest = (text: string): ReadonlySet<string> => withoutPolarity(contentWords(affirmed(text)), pair);
  const overlap = overlapOf(rest(first), rest(second));
  const alike = Math.max(overlap.ofFirst, overlap.ofSecond);
  if (overlap.shared === 0 || alike < CONTAINED || overlap.jaccard < ALIKE) return undefined;
  if (pair !== undefined) return { by: "antonym", words: pair };
  const [denying, saying] = one.negation === "" ? [second, first] : [first, second];
  if (!speaksOfChange(denying) && narrows(rest(denying), rest(saying))) return undefined;
  if (!deniesWhatIsSaid(one, second) && !deniesWhatIsSaid(other, first)) return undefined;
  return { by: "negation", words: [one.negation, other.negation] };
}

/** "No tea in the evening" leaves tea for the rest of the day. */
function narrows(words: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return [...words].some((word) => !others.has(word));
}

/** "… and not give up" denies nothing of a statement that does not speak of giving up. */
function deniesWhatIsSaid({ negation, denied }: Polarity, other: string): boolean {
  if (negation === "") return false;
  const [word] = contentWords(denied);
  if (word === undefined) return false;
  return /\p{Script=Han}/u.test(word) ? simplify(other).includes(word) : contentWords(other).has(word);
}

/** Whether a text denies something that the other speaks of. */
export function deniesPartOf(text: string, other: string): boolean {
  return deniesWhatIsSaid(readPolarity(text), other);
}

/** Of the words besides those of polarity: so many of the shorter statement's are in the longer one, and of all in both. */
const CONTAINED = 0.75;
const ALIKE = 0.5;

/** Whether anything is denied in a statement. */
export function isNegated(text: string): boolean {
  return readPolarity(text).negation !== "";
}

/** Whether a statement says itself that something is no longer as it was. */
export function speaksOfChange(text: string): boolean {
  return CHANGE_ENGLISH.test(text) || CHANGE_CHINESE.test(simplify(text));
}

const CHANGE_ENGLISH =
  /\b(?:now|no longer|any ?more|any longer|moved|relocated|switched|changed?|became|has become|instead|quit|stopped|started|used to|not yet|recently|just (?:started|got|turned|moved)|these days|nowadays|from now on|correction|actually)\b/i;
const CHANGE_CHINESE =
  /现在|如今|不再|已经|改成|改为|换成|换到|换了|搬到|搬去|搬家|变成|成了|后来|从此|最近|目前|更正|其实|不.{1,12}了[。！!.]?$/u;

const NEGATIONS: ReadonlySet<string> = new Set(
  "not no never none nobody nothing neither nor without cannot hardly refuses refused stopped quit".split(
    " ",
  ),
);
const NEGATION_CHINESE = /不再|从不|从来不|从未|从没|并非|没有|没|不|未|无法|拒绝|戒了|停止/gu;
/** Where those characters are parts of words that deny nothing. */
const NOT_NEGATION =
  /不错|不过|不仅|不但|不管|不论|不如|不同|不少|不断|不久|不止|差不多|不得不|不好意思|不客气|没关系|没问题|未来|未必不|不禁|不知不觉|是不是|要不要|有没有|能不能|会不会|好不好/gu;

interface Polarity {
  /** The first word that denies; "" if none does. */
  readonly negation: string;
  /** What stands behind it. */
  readonly denied: string;
  /** The words as they stand, and their stems: antonyms are listed as a dictionary lists them. */
  readonly words: ReadonlyMap<string, string>;
}

function readPolarity(text: string): Polarity {
  const plain = simplify(text).toLowerCase().replaceAll("’", "'");
  const words = new Map<string, string>();
  let denial: { readonly negation: string; readonly end: number } | undefined;
  for (const { text: word, index } of splitWords(plain)) {
    words.set(stem(word), word);
    const denies = NEGATIONS.has(word) || /n't$/.test(word);
    if (denies) denial ??= { negation: word, end: index + word.length };
  }
  const chinese = plain
    .replace(NOT_NEGATION, (found) => "　".repeat(found.length))
    .matchAll(NEGATION_CHINESE);
  const [first] = chinese;
  if (first !== undefined) denial ??= { negation: first[0], end: first.index + first[0].length };
  // "No longer" and "any more" say when, not what.
  const denied =
    denial === undefined
      ? ""
      : plain.slice(denial.end).replace(/\b(?:longer|any ?more|really|ever|yet)\b/g, " ");
  return { negation: denial?.negation ?? "", denied, words };
}

/** The text without its Chinese negations, which cling to verbs; English ones are words of their own. */
function affirmed(text: string): string {
  const plain = simplify(text);
  const kept = [...plain.matchAll(NOT_NEGATION)].map(
    ({ 0: word, index }) => [index, index + word.length] as const,
  );
  return plain.replace(NEGATION_CHINESE, (found, index: number) =>
    kept.some(([start, end]) => index >= start && index < end) ? found : "",
  );
}

function antonymPair(
  first: ReadonlyMap<string, string>,
  second: ReadonlyMap<string, string>,
): readonly [string, string] | undefined {
  for (const word of first.values()) {
    for (const opposite of oppositesOf(word)) {
      const said = second.get(stem(opposite)) ?? (second.has(opposite) ? opposite : undefined);
      // Both words in both statements oppose nothing: "he stays early and leaves late".
      if (said !== undefined && !first.has(stem(opposite)) && !second.has(stem(word))) return [word, said];
    }
  }
  return undefined;
}

/** Also of the forms that a dictionary does not list: loves, loved, loving. */
function oppositesOf(word: string): ReadonlySet<string> {
  const listed = antonymsOf(word);
  if (listed.size > 0 || !/^[a-z]{3,}$/.test(word)) return listed;
  for (const ending of [/s$/, /d$/, /e?s$/, /ed$/, /ing$/]) {
    const base = word.replace(ending, "");
    for (const form of [base, `${base}e`]) {
      const found = form === word ? undefined : antonymsOf(form);
      if (found !== undefined && found.size > 0) return found;
    }
  }
  return listed;
}

function withoutPolarity(
  words: ReadonlySet<string>,
  pair: readonly [string, string] | undefined,
): ReadonlySet<string> {
  const drop = new Set(pair?.map((word) => [...contentWords(word)][0] ?? word));
  return new Set([...words].filter((word) => !drop.has(word) && !DENYING.has(word)));
}

/** Tokens that deny and are not function words. */
const DENYING: ReadonlySet<string> = new Set(
  [
    "never",
    "hardly",
    "refuses",
    "refused",
    "stopped",
    "quit",
    "longer",
    "anymore",
    "不再",
    "从不",
    "从来不",
    "并非",
    "停止",
    "拒绝",
    "从未",
  ].map((word) => [...contentWords(word)][0] ?? word),
);
