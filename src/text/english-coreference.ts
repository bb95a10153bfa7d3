/** "I" and "you" as names, with the verb brought into the third person: "I don't like my job" → "Mia doesn't like Mia's job". */

import {
  BETWEEN,
  BETWEEN_PAIRS,
  CLAUSE_LEADS,
  IRREGULAR_PASTS,
  MODALS,
  NOT_VERBS,
  PREPOSITIONS,
  SAME_PAST,
  STAYING_VERBS,
  SUBJECT_LEADS,
  TAKING_VERBS,
} from "./lexicon/verbs-english.ts";
import type { Speakers } from "./speakers.ts";

export function resolveEnglishSpeakers(text: string, { speaker, listener }: Speakers): string {
  if (!PRONOUN.test(text)) return text;
  const words = readWords(text);
  const edits = new Map<number, string>();
  for (const [i, word] of words.entries()) {
    const found = FORMS.get(word.plain);
    const name = found?.person === 1 ? speaker : listener;
    if (found === undefined || name === undefined || isPhrase(words, i)) continue;
    if (isEmphasis(words, i)) {
      edits.set(i, "personally");
      continue;
    }
    if (found.form === "owner") edits.set(i, `${name}'s`);
    else if (found.form === "object") edits.set(i, name);
    else if (found.ending !== "") {
      edits.set(i, name + contraction(found.ending, words[i + 1]?.plain));
      if (/^'(?:m|re)$/.test(found.ending)) agreeBehindAnd(words, i, edits);
    } else {
      edits.set(i, name);
      agree(words, i, found.person, edits);
    }
  }
  return applied(text, words, edits);
}

interface WordAt {
  readonly text: string;
  /** Lower-case, with a plain apostrophe. */
  readonly plain: string;
  readonly index: number;
  /** Whether only white space lies between it and the word before. */
  readonly joined: boolean;
}

interface Form {
  readonly person: 1 | 2;
  readonly form: "subject" | "object" | "owner";
  /** 'm, 're, 've, 'll, 'd, or "". */
  readonly ending: string;
}

const PRONOUN = /\b(?:I|me|my|mine|myself|you|your|yours|yourself)\b/i;
const FORMS: ReadonlyMap<string, Form> = new Map([
  ...["", "'m", "'ve", "'ll", "'d"].map((ending): [string, Form] => [
    `i${ending}`,
    { person: 1, form: "subject", ending },
  ]),
  ...["", "'re", "'ve", "'ll", "'d"].map((ending): [string, Form] => [
    `you${ending}`,
    { person: 2, form: "subject", ending },
  ]),
  ["me", { person: 1, form: "object", ending: "" }],
  ["myself", { person: 1, form: "object", ending: "" }],
  ["yourself", { person: 2, form: "object", ending: "" }],
  ["my", { person: 1, form: "owner", ending: "" }],
  ["mine", { person: 1, form: "owner", ending: "" }],
  ["your", { person: 2, form: "owner", ending: "" }],
  ["yours", { person: 2, form: "owner", ending: "" }],
]);
const THIRD: ReadonlyMap<string, string> = new Map([
  ["am", "is"],
  ["are", "is"],
  ["were", "was"],
  ["have", "has"],
  ["do", "does"],
  ["go", "goes"],
  ["don't", "doesn't"],
  ["haven't", "hasn't"],
  ["aren't", "isn't"],
  ["weren't", "wasn't"],
]);
/** What can stand before the auxiliary of a question. */
const QUESTION_LEADS: ReadonlySet<string> = new Set(
  "what how where when who why which and but so or whom then".split(" "),
);
/** Verbs behind "you" that make it the subject, whatever stands before. */
const CLEAR_VERBS: ReadonlySet<string> = new Set(
  "are were have do don't can could will would should must might may did didn't had want need know think love like said told went got made mentioned look seem feel sound".split(
    " ",
  ),
);
const VERBS_IN_LY = /^(?:fly|apply|supply|rely|reply|multiply|comply|imply|bully|rally|tally)$/;
const WITH_ING = /^(?:sing|bring|ring|swing|cling|fling|sting|string|wring|spring)$/;
const WITH_ED = /^(?:need|feed|bleed|breed|exceed|proceed|succeed|speed|seed|weed|heed|shed|wed|embed)$/;

function readWords(text: string): WordAt[] {
  const out: WordAt[] = [];
  let end = 0;
  for (const match of text.matchAll(/[\p{L}\p{N}]+(?:['’]\p{L}+)?/gu)) {
    const joined = out.length > 0 && /^\s+$/.test(text.slice(end, match.index));
    out.push({ text: match[0], plain: match[0].toLowerCase().replace("’", "'"), index: match.index, joined });
    end = match.index + match[0].length;
  }
  return out;
}

/** "oh my god", "you know,", "you guys": set phrases that speak of nobody in particular. */
function isPhrase(words: readonly WordAt[], at: number): boolean {
  const next = words[at + 1]?.joined === true ? (words[at + 1]?.plain ?? "") : "";
  const word = words[at]?.plain;
  if (word === "my") return /^(?:god|goodness|gosh|word)$/.test(next);
  if (word !== "you") return false;
  return /^(?:guys|all|two|both)$/.test(next) || (next === "know" && words[at + 2]?.joined !== true);
}

/** "I'd been" is "had been", "I'd like" is "would like". */
function contraction(ending: string, next: string | undefined): string {
  if (ending === "'d") return /^(?:better|been|never|already)$|ed$/.test(next ?? "") ? " had" : " would";
  return { "'m": " is", "'re": " is", "'ve": " has", "'ll": " will" }[ending] ?? ending;
}

/** Brings the verb that belongs to a subject into the third person. */
function agree(words: readonly WordAt[], at: number, person: 1 | 2, edits: Map<number, string>): void {
  const auxiliary = auxiliaryBefore(words, at);
  if (auxiliary !== undefined) {
    const third = THIRD.get(words[auxiliary]?.plain ?? "");
    if (third !== undefined) edits.set(auxiliary, sameCase(third, words[auxiliary]?.text ?? ""));
    return;
  }
  if (isOneOfTwo(words, at)) return;
  let verb = at + 1;
  for (let skipped = adverbsAt(words, verb); skipped > 0; skipped = adverbsAt(words, verb)) verb += skipped;
  const word = words[verb];
  if (word?.joined !== true || NOT_VERBS.has(word.plain) || /[A-Z0-9]/.test(word.text)) return;
  if (person === 2 && !isSubject(words, at, word.plain)) return;
  edits.set(verb, thirdPerson(word.text));
  if (!MODALS.has(word.plain) && !/^(?:do|don't)$/.test(word.plain)) agreeBehindAnd(words, verb, edits);
}

/** "Ben and I live", "my brother and I live": two do, and the verb stays. */
function isOneOfTwo(words: readonly WordAt[], at: number): boolean {
  if (words[at - 1]?.plain !== "and" || words[at]?.joined !== true) return false;
  const isOwned = /^(?:my|our|the)$/.test(words[at - 3]?.plain ?? "");
  const first = isOwned ? at - 3 : at - 2;
  return first === 0 || words[first]?.joined === false;
}

/** "I moved to Rome and work at a bank": the second verb has the same subject. Only verbs that can be no nouns there. */
function agreeBehindAnd(words: readonly WordAt[], from: number, edits: Map<number, string>): void {
  for (let i = from + 1; i < words.length; i++) {
    const word = words[i];
    if (word === undefined || FORMS.get(word.plain)?.form === "subject" || CLAUSE_LEADS.has(word.plain))
      return;
    const isOfVerb = word.plain === "to" && !/^(?:[A-Z]|the$|an?$|my$|our$)/.test(words[i + 1]?.text ?? "");
    if (isOfVerb) return;
    if (word.plain !== "and" && word.plain !== "but") continue;
    let verb = i + 1;
    for (let skipped = adverbsAt(words, verb); skipped > 0; skipped = adverbsAt(words, verb)) verb += skipped;
    const [found, next] = [words[verb], words[verb + 1]];
    if (found?.joined !== true || next?.joined !== true) continue;
    const verbs = PREPOSITIONS.has(next.plain) ? STAYING_VERBS : TAKING_VERBS;
    if (verbs.has(found.plain)) edits.set(verb, thirdPerson(found.text));
  }
}

/** "I myself": said with stress, and no second person. */
function isEmphasis(words: readonly WordAt[], at: number): boolean {
  const [word, before] = [words[at], words[at - 1]];
  if (word?.joined !== true) return false;
  return (
    `${before?.plain} ${word.plain}` === "i myself" || `${before?.plain} ${word.plain}` === "you yourself"
  );
}

/** How many words from here on stand between a subject and its verb: 0, 1, or 2 of a pair. */
function adverbsAt(words: readonly WordAt[], at: number): number {
  const [first, second] = [words[at], words[at + 1]];
  if (first?.joined !== true) return 0;
  if (second?.joined === true && BETWEEN_PAIRS.has(`${first.plain} ${second.plain}`)) return 2;
  return isAdverb(first.plain) ? 1 : 0;
}

function isAdverb(word: string): boolean {
  return BETWEEN.has(word) || (word.endsWith("ly") && !VERBS_IN_LY.test(word));
}

/** The "do" of "Do you …?", if the pronoun is the subject of such a question. */
function auxiliaryBefore(words: readonly WordAt[], at: number): number | undefined {
  const before = words[at - 1];
  if (before === undefined || words[at]?.joined !== true) return undefined;
  if (!THIRD.has(before.plain) && !MODALS.has(before.plain)) return undefined;
  if (before.plain === "go") return undefined;
  const lead = words[at - 2];
  const opens = before.joined !== true || lead === undefined || QUESTION_LEADS.has(lead.plain);
  return opens ? at - 1 : undefined;
}

/** Whether "you" does something here, and is not what something is done to. */
function isSubject(words: readonly WordAt[], at: number, verb: string): boolean {
  if (words[at]?.joined !== true) return true;
  return SUBJECT_LEADS.has(words[at - 1]?.plain ?? "") || CLEAR_VERBS.has(verb);
}

/** The verb as it stands behind a name; past forms, modals and doubtful ones unchanged. */
function thirdPerson(verb: string): string {
  const plain = verb.toLowerCase().replace("’", "'");
  const known = THIRD.get(plain);
  if (known !== undefined) return known;
  if (MODALS.has(plain) || IRREGULAR_PASTS.has(plain) || SAME_PAST.has(plain)) return verb;
  if (plain.includes("'")) return verb;
  if ((plain.endsWith("ed") && !WITH_ED.test(plain)) || (plain.endsWith("ing") && !WITH_ING.test(plain)))
    return verb;
  if (/(?:s|x|z|ch|sh|o)$/.test(plain)) return `${verb}es`;
  return /[^aeiou]y$/.test(plain) ? `${verb.slice(0, -1)}ies` : `${verb}s`;
}

function sameCase(word: string, model: string): string {
  return /^[A-Z]/.test(model) ? word.charAt(0).toUpperCase() + word.slice(1) : word;
}

function applied(text: string, words: readonly WordAt[], edits: ReadonlyMap<number, string>): string {
  let out = "";
  let copied = 0;
  for (const [i, word] of words.entries()) {
    const replacement = edits.get(i);
    if (replacement === undefined) continue;
    out += text.slice(copied, word.index) + replacement;
    copied = word.index + word.text.length;
  }
  return out + text.slice(copied);
}
