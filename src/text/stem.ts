/**
 * Which English words are forms of one word? Porter's second algorithm ("Snowball English", M. F. Porter, 2001),
 * written from its description. Takes lower-case a–z words; anything else should not be handed in.
 */

/** The stem of a lower-case English word: "relations" and "related" both give "relat". */
export function stem(word: string): string {
  if (word.length < 3) return word;
  const special = WHOLE_WORDS.get(word);
  if (special !== undefined) return special;
  const marked = markConsonantY(word);
  const r1 = regionOne(marked);
  const r2 = afterVowelConsonant(marked, r1);
  const plain = stepPlural(marked);
  if (UNCHANGED_AFTER_PLURAL.has(plain)) return plain;
  let out = stepFinalY(stepPast(plain, r1));
  out = stepSuffix(out, LONG_SUFFIXES, r1, r2);
  out = stepSuffix(out, MIDDLE_SUFFIXES, r1, r2);
  out = stepLast(stepResidual(out, r2), r1, r2);
  return out.includes("Y") ? out.replaceAll("Y", "y") : out;
}

const WHOLE_WORDS: ReadonlyMap<string, string> = new Map([
  ["skis", "ski"],
  ["skies", "sky"],
  ["dying", "die"],
  ["lying", "lie"],
  ["tying", "tie"],
  ["idly", "idl"],
  ["gently", "gentl"],
  ["ugly", "ugli"],
  ["early", "earli"],
  ["only", "onli"],
  ["singly", "singl"],
  ...["sky", "news", "howe", "atlas", "cosmos", "bias", "andes"].map((same): [string, string] => [
    same,
    same,
  ]),
]);

const UNCHANGED_AFTER_PLURAL: ReadonlySet<string> = new Set([
  ..."inning outing canning herring earring proceed exceed succeed".split(" "),
]);

/** Words whose first region is longer than the rule gives, so that "general" and "generate" stay apart. */
const FIRST_REGIONS = /^(?:gener|commun|arsen)/;

interface Suffix {
  readonly from: string;
  readonly to: string;
  /** Letters one of which must stand before the suffix. */
  readonly after?: string;
  /** The suffix must lie in the second region, not only in the first. */
  readonly deep?: boolean;
}

const LONG_SUFFIXES = bySuffixLength([
  { from: "ational", to: "ate" },
  { from: "ization", to: "ize" },
  { from: "fulness", to: "ful" },
  { from: "ousness", to: "ous" },
  { from: "iveness", to: "ive" },
  { from: "tional", to: "tion" },
  { from: "biliti", to: "ble" },
  { from: "lessli", to: "less" },
  { from: "entli", to: "ent" },
  { from: "ation", to: "ate" },
  { from: "alism", to: "al" },
  { from: "aliti", to: "al" },
  { from: "ousli", to: "ous" },
  { from: "iviti", to: "ive" },
  { from: "fulli", to: "ful" },
  { from: "enci", to: "ence" },
  { from: "anci", to: "ance" },
  { from: "abli", to: "able" },
  { from: "izer", to: "ize" },
  { from: "ator", to: "ate" },
  { from: "alli", to: "al" },
  { from: "bli", to: "ble" },
  { from: "ogi", to: "og", after: "l" },
  { from: "li", to: "", after: "cdeghkmnrt" },
]);

const MIDDLE_SUFFIXES = bySuffixLength([
  { from: "ational", to: "ate" },
  { from: "tional", to: "tion" },
  { from: "alize", to: "al" },
  { from: "icate", to: "ic" },
  { from: "iciti", to: "ic" },
  { from: "ative", to: "", deep: true },
  { from: "ical", to: "ic" },
  { from: "ness", to: "" },
  { from: "ful", to: "" },
]);

const RESIDUAL_SUFFIXES = bySuffixLength(
  "ement ance ence able ible ment ant ent ism ate iti ous ive ize ion al er ic"
    .split(" ")
    .map((from) => (from === "ion" ? { from, to: "", after: "st" } : { from, to: "" })),
);

function bySuffixLength(suffixes: readonly Suffix[]): readonly Suffix[] {
  return [...suffixes].sort((a, b) => b.from.length - a.from.length);
}

function isVowel(letter: string | undefined): boolean {
  return letter !== undefined && letter !== "" && "aeiouy".includes(letter);
}

/** A y that starts the word or follows a vowel is a consonant; written Y while the rules run. */
function markConsonantY(word: string): string {
  if (!word.includes("y")) return word;
  let out = "";
  for (let i = 0; i < word.length; i++) {
    const letter = word.charAt(i);
    out += letter === "y" && (i === 0 || isVowel(out[i - 1])) ? "Y" : letter;
  }
  return out;
}

function regionOne(word: string): number {
  const known = FIRST_REGIONS.exec(word);
  return known === null ? afterVowelConsonant(word, 0) : known[0].length;
}

/** Where the text after the first vowel–consonant pair begins. */
function afterVowelConsonant(word: string, from: number): number {
  for (let i = from + 1; i < word.length; i++) {
    if (!isVowel(word[i]) && isVowel(word[i - 1])) return i + 1;
  }
  return word.length;
}

function hasVowel(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (isVowel(text[i])) return true;
  return false;
}

function endsInShortSyllable(word: string): boolean {
  const end = word.length - 1;
  if (end === 1) return isVowel(word[0]) && !isVowel(word[1]);
  if (end < 2) return false;
  const last = word.charAt(end);
  return !isVowel(last) && !"wxY".includes(last) && isVowel(word[end - 1]) && !isVowel(word[end - 2]);
}

function stepPlural(word: string): string {
  if (word.endsWith("sses")) return word.slice(0, -2);
  if (word.endsWith("ied") || word.endsWith("ies")) return word.slice(0, word.length > 4 ? -2 : -1);
  if (!word.endsWith("s") || word.endsWith("us") || word.endsWith("ss")) return word;
  return hasVowel(word.slice(0, -2)) ? word.slice(0, -1) : word;
}

function stepPast(word: string, r1: number): string {
  for (const suffix of ["eedly", "eed"]) {
    if (!word.endsWith(suffix)) continue;
    const at = word.length - suffix.length;
    return at >= r1 ? `${word.slice(0, at)}ee` : word;
  }
  for (const suffix of ["ingly", "edly", "ing", "ed"]) {
    if (!word.endsWith(suffix)) continue;
    const rest = word.slice(0, -suffix.length);
    return hasVowel(rest) ? repairAfterPast(rest, r1) : word;
  }
  return word;
}

function repairAfterPast(rest: string, r1: number): string {
  if (rest.endsWith("at") || rest.endsWith("bl") || rest.endsWith("iz")) return `${rest}e`;
  const last = rest.charAt(rest.length - 1);
  if (last === rest.charAt(rest.length - 2) && "bdfgmnprt".includes(last)) return rest.slice(0, -1);
  return r1 >= rest.length && endsInShortSyllable(rest) ? `${rest}e` : rest;
}

function stepFinalY(word: string): string {
  const end = word.length - 1;
  const isFinalY = word[end] === "y" || word[end] === "Y";
  return isFinalY && end > 1 && !isVowel(word[end - 1]) ? `${word.slice(0, end)}i` : word;
}

/** Only the longest suffix that fits is looked at; if its condition fails, nothing happens. */
function stepSuffix(word: string, suffixes: readonly Suffix[], r1: number, r2: number): string {
  for (const { from, to, after, deep } of suffixes) {
    if (!word.endsWith(from)) continue;
    const at = word.length - from.length;
    if (at < (deep ? r2 : r1)) return word;
    if (after !== undefined && !(at > 0 && after.includes(word.charAt(at - 1)))) return word;
    return word.slice(0, at) + to;
  }
  return word;
}

function stepResidual(word: string, r2: number): string {
  return stepSuffix(word, RESIDUAL_SUFFIXES, r2, r2);
}

function stepLast(word: string, r1: number, r2: number): string {
  const end = word.length - 1;
  if (word[end] === "e") {
    const removable = end >= r2 || (end >= r1 && !endsInShortSyllable(word.slice(0, end)));
    return removable ? word.slice(0, end) : word;
  }
  return word[end] === "l" && end >= r2 && word[end - 1] === "l" ? word.slice(0, end) : word;
}
