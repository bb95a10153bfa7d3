/**
 * Which English words count as one in LoCoMo's F1? Porter's first algorithm (M. F. Porter, 1980) with the changes that NLTK
 * makes by default. The stemmer of our own search is Porter's second algorithm and gives other stems ("generous" and
 * "general" stay apart there), so scores would not be comparable.
 */
export function porterStem(given: string): string {
  const word = given.toLowerCase();
  const known = WHOLE_WORDS.get(word);
  if (known !== undefined) return known;
  if (word.length <= 2) return word;
  return [plural, past, finalY, doubleSuffix, middleSuffix, lastSuffix, finalE, doubleL].reduce(
    (stem, step) => step(stem),
    word,
  );
}

/** NLTK: words that the rules would spoil. */
const WHOLE_WORDS: ReadonlyMap<string, string> = new Map([
  ["skies", "sky"],
  ["dying", "die"],
  ["lying", "lie"],
  ["tying", "tie"],
  ["innings", "inning"],
  ["outings", "outing"],
  ["cannings", "canning"],
  ...["sky", "news", "inning", "outing", "canning", "howe", "proceed", "exceed", "succeed"].map(
    (word): [string, string] => [word, word],
  ),
]);

/** A suffix, what takes its place, and what must hold of the rest; unsaid: more than no measure. */
interface Rule {
  readonly from: string;
  readonly to: string;
  readonly holds?: (rest: string) => boolean;
}

/** The first suffix that fits decides: if its condition fails, nothing happens. */
function apply(word: string, rules: readonly Rule[]): string {
  for (const { from, to, holds = (rest: string) => measure(rest) > 0 } of rules) {
    if (!word.endsWith(from)) continue;
    const rest = word.slice(0, word.length - from.length);
    return holds(rest) ? rest + to : word;
  }
  return word;
}

const always = (): boolean => true;

function plural(word: string): string {
  // NLTK: "dies" and "ties" keep their e.
  if (word.endsWith("ies") && word.length === 4) return word.slice(0, -1);
  return apply(word, [
    { from: "sses", to: "ss", holds: always },
    { from: "ies", to: "i", holds: always },
    { from: "ss", to: "ss", holds: always },
    { from: "s", to: "", holds: always },
  ]);
}

function past(word: string): string {
  // NLTK: "died" is as "dies", and "spied" as "spies".
  if (word.endsWith("ied")) return word.slice(0, word.length === 4 ? -1 : -2);
  if (word.endsWith("eed")) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const suffix = ["ed", "ing"].find(
    (one) => word.endsWith(one) && hasVowel(word.slice(0, word.length - one.length)),
  );
  if (suffix === undefined) return word;
  const rest = word.slice(0, word.length - suffix.length);
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`;
  if (endsInDouble(rest)) return /[lsz]$/.test(rest) ? rest : rest.slice(0, -1);
  return measure(rest) === 1 && endsInShortSyllable(rest) ? `${rest}e` : rest;
}

/** NLTK: only after a consonant that is not the first letter, so that "enjoy" and "by" stay. */
function finalY(word: string): string {
  return apply(word, [
    { from: "y", to: "i", holds: (rest) => rest.length > 1 && isConsonant(rest, rest.length - 1) },
  ]);
}

function doubleSuffix(word: string): string {
  // NLTK: what "alli" leaves is looked at once more ("rationally": rationalli → rational → ration).
  if (word.endsWith("alli") && measure(word.slice(0, -4)) > 0) return doubleSuffix(word.slice(0, -2));
  return apply(word, DOUBLE_SUFFIXES);
}

const DOUBLE_SUFFIXES: readonly Rule[] = [
  { from: "ational", to: "ate" },
  { from: "tional", to: "tion" },
  { from: "enci", to: "ence" },
  { from: "anci", to: "ance" },
  { from: "izer", to: "ize" },
  { from: "bli", to: "ble" },
  { from: "alli", to: "al" },
  { from: "entli", to: "ent" },
  { from: "eli", to: "e" },
  { from: "ousli", to: "ous" },
  { from: "ization", to: "ize" },
  { from: "ation", to: "ate" },
  { from: "ator", to: "ate" },
  { from: "alism", to: "al" },
  { from: "iveness", to: "ive" },
  { from: "fulness", to: "ful" },
  { from: "ousness", to: "ous" },
  { from: "aliti", to: "al" },
  { from: "iviti", to: "ive" },
  { from: "biliti", to: "ble" },
  { from: "fulli", to: "ful" },
  // NLTK: the l counts with the rest.
  { from: "logi", to: "log", holds: (rest) => measure(`${rest}l`) > 0 },
];

function middleSuffix(word: string): string {
  return apply(word, [
    { from: "icate", to: "ic" },
    { from: "ative", to: "" },
    { from: "alize", to: "al" },
    { from: "iciti", to: "ic" },
    { from: "ical", to: "ic" },
    { from: "ful", to: "" },
    { from: "ness", to: "" },
  ]);
}

const LAST_SUFFIXES: readonly Rule[] =
  "al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize".split(" ").map((from) => ({
    from,
    to: "",
    holds: (rest) => measure(rest) > 1 && (from !== "ion" || /[st]$/.test(rest)),
  }));

function lastSuffix(word: string): string {
  return apply(word, LAST_SUFFIXES);
}

function finalE(word: string): string {
  return apply(word, [
    {
      from: "e",
      to: "",
      holds: (rest) => measure(rest) > 1 || (measure(rest) === 1 && !endsInShortSyllable(rest)),
    },
  ]);
}

function doubleL(word: string): string {
  return apply(word, [{ from: "ll", to: "l", holds: (rest) => measure(`${rest}l`) > 1 }]);
}

/** A y is a consonant at the beginning and after a vowel. */
function isConsonant(word: string, at: number): boolean {
  const letter = word.charAt(at);
  if ("aeiou".includes(letter)) return false;
  return letter !== "y" || at === 0 || !isConsonant(word, at - 1);
}

/** How often a consonant follows a vowel: m in [C](VC)^m[V]. */
function measure(word: string): number {
  let count = 0;
  for (let at = 1; at < word.length; at++) if (isConsonant(word, at) && !isConsonant(word, at - 1)) count++;
  return count;
}

function hasVowel(word: string): boolean {
  return Array.from(word).some((_, at) => !isConsonant(word, at));
}

function endsInDouble(word: string): boolean {
  const last = word.length - 1;
  return last >= 1 && word[last] === word[last - 1] && isConsonant(word, last);
}

/** Consonant, vowel, consonant other than w, x, y; NLTK: or just a vowel and a consonant. */
function endsInShortSyllable(word: string): boolean {
  const last = word.length - 1;
  if (last === 1) return !isConsonant(word, 0) && isConsonant(word, 1);
  return (
    last >= 2 &&
    isConsonant(word, last - 2) &&
    !isConsonant(word, last - 1) &&
    isConsonant(word, last) &&
    !/[wxy]$/.test(word)
  );
}
