/**
 * Who is "she", what is "it", where is "there"? Puts names in the place of pronouns where what was said before leaves one
 * choice (S2-6). A wrong name is worse than a pronoun, so a pronoun with two readings stays.
 */
import type { Referent } from "./referent.ts";

export interface Background {
  /** Named before this sentence, oldest first, by sentences. */
  readonly before: readonly (readonly Referent[])[];
  /** How many of those sentences, the last ones, are of the same breath: the line itself. */
  readonly ownSentences: number;
  /** Named in the sentence itself. */
  readonly own: readonly Referent[];
  readonly speaker: string;
  /** If only two talk: the other one. */
  readonly listener?: string | undefined;
}

export interface Replaced {
  /** As it was said. */
  readonly pronoun: string;
  readonly by: string;
}

export interface Resolved {
  readonly text: string;
  readonly replaced: readonly Replaced[];
}

export function resolveThirdPerson(text: string, background: Background): Resolved {
  const replaced: Replaced[] = [];
  let out = "";
  let end = 0;
  for (const found of text.matchAll(PRONOUN)) {
    const pronoun = found[0];
    const after = text.slice(found.index + pronoun.length);
    const by = replacement(pronoun, text.slice(0, found.index), after, background);
    if (by === undefined || isQuoted(text, found.index)) continue;
    out += text.slice(end, found.index) + by;
    end = found.index + pronoun.length;
    replaced.push({ pronoun, by });
  }
  return { text: out + text.slice(end), replaced };
}

/**
 * From how many sentences before its line the pronouns of a text may get a name, so that no others need be read; −1: none
 * of them can get any, as most of "it" and "we".
 */
export function reachOf(text: string, line = text): number {
  if (PERSONS.test(text)) return PERSON_SENTENCES;
  const after = (pronoun: RegExp, ...leads: readonly RegExp[]): boolean =>
    [...text.matchAll(pronoun)].some(({ index }) => leads.some((lead) => lead.test(text.slice(0, index))));
  if (GROUPS.test(text) || after(/\bthere\b/gi, GOES, STAYS)) return NEAR_SENTENCES;
  if (text.includes("它") || after(/\bit\b/gi, TAKES)) return THING_SENTENCES;
  const isTogether = /\b(?:we|us|our)\b/i.test(text) && /\bwith\b|\band I\b/.test(line);
  return isTogether || /我们|咱们/u.test(text) ? 0 : -1;
}

const PERSONS = /\b(?:he|she|him|his|hers?)\b|[他她](?![们俩])/iu;
/** Places, too. */
const GROUPS = /\b(?:they|them|their)\b|[他她][们俩]|\bfrom there\b|那里|那儿|那边/iu;
const PRONOUN =
  /\b(?:he|she|him|his|hers?|it|its|they|them|their|there|we|us|our)\b(?!['’](?:d|ll|ve)\b)|[他她它](?:们|俩)?|我们|咱们|那里|那儿|那边/giu;

type Kind = Referent["kind"];

function replacement(
  pronoun: string,
  lead: string,
  after: string,
  background: Background,
): string | undefined {
  const word = pronoun.toLowerCase();
  const at = lead.length;
  if (/^(?:he|she|him|his|her|hers|他|她)$/.test(word)) return person(word, lead, after, background);
  if (/^(?:they|them|their|他们|她们|他俩|她俩)$/.test(word)) return group(word, at, background);
  if (/^(?:it|its|它)$/.test(word)) return thing(word, lead, after, background);
  if (/^(?:there|那里|那儿|那边)$/.test(word)) return place(word, lead, after, background);
  return /^(?:we|us|our|我们|咱们)$/.test(word) ? company(word, at, after, background) : undefined;
}

/** This sentence and at most so many before it, backwards, each with what it names before this place. */
function backwards({ own, before }: Background, at: number, most: number): (readonly Referent[])[] {
  return [own.filter(({ end }) => end <= at), ...before.slice(Math.max(0, before.length - most)).reverse()];
}

/** The only one that can be meant: of all that were named, or of the nearest sentence that names any, if it is so near. */
function only(
  fits: (one: Referent) => boolean,
  at: number,
  background: Background,
  most: number,
  near = background.ownSentences,
): Referent | undefined {
  const all = new Map<string, Referent>();
  let nearest: Referent | undefined;
  let place = 0;
  for (const sentence of backwards(background, at, most)) {
    const fitting = new Map(sentence.filter(fits).map((one) => [one.text, one]));
    if (all.size === 0 && fitting.size === 1 && place <= near) [nearest] = fitting.values();
    for (const [text, one] of fitting) all.set(text, one);
    place++;
  }
  const [first] = all.values();
  const found = all.size === 1 ? first : nearest;
  return found?.text === "" ? undefined : found;
}

/** Sentences back in which a person may have been named; a thing or a place is forgotten sooner. */
const PERSON_SENTENCES = 8;
const NEAR_SENTENCES = 4;
const THING_SENTENCES = 2;
/** Sentences of the line before to which "there" may answer. */
const ANSWERED = 2;

function person(word: string, lead: string, after: string, background: Background): string | undefined {
  const at = lead.length;
  const gender = /^(?:she|hers?|她)$/.test(word) ? "female" : "male";
  const fits = (one: Referent): boolean =>
    one.kind === "person" && (one.gender === null || one.gender === gender);
  const found = only(fits, at, background, PERSON_SENTENCES) ?? surer(fits, at, background);
  if (found === undefined) return undefined;
  if (/^(?:他|她)$/.test(word)) return /^(?:人|俩|的?们)/.test(after) ? undefined : found.text;
  return ownsSomething(word, lead, after) ? ownerOf(found) : found.text;
}

/** In the nearest sentence that names anybody: the only one whose sex is told, beside some of whom it is not. */
function surer(fits: (one: Referent) => boolean, at: number, background: Background): Referent | undefined {
  for (const sentence of backwards(background, at, PERSON_SENTENCES)) {
    const fitting = sentence.filter(fits);
    if (fitting.length === 0) continue;
    const told = new Set(fitting.filter(({ gender }) => gender !== null).map(({ text }) => text));
    return told.size === 1 ? fitting.find(({ gender, text }) => gender !== null && text !== "") : undefined;
  }
  return undefined;
}

/** "His" and the "her" before a noun own something; the "her" of "help her move" and of "for her lately" does not. */
function ownsSomething(word: string, lead: string, after: string): boolean {
  if (word !== "her") return /^(?:his|hers|their)$/.test(word);
  return /^\s+\p{L}/u.test(after) && !NOT_OWNED.test(after) && !LETS_DO.test(lead);
}

const NOT_OWNED =
  /^\s+(?:(?:to|for|and|or|in|on|at|with|about|a|an|the|some|that|my|last|every|when|if|because|but|so|up|out|off|back|as|from|how|what|is|was|this|next|again|too|now|then|here|there)\b|\p{L}+ly\b)/iu;
const LETS_DO =
  /\b(?:help(?:s|ed|ing)?|let(?:s|ting)?|mak(?:e|es|ing)|made|see(?:ing)?|saw|watch(?:ed|ing)?|hear(?:d|ing)?)\s+$/i;

/** "Mia's", and of several "the parents'". */
function ownerOf({ text, kind }: Pick<Referent, "text" | "kind">): string {
  return kind === "group" && text.endsWith("s") ? `${text}'` : `${text}'s`;
}

function group(word: string, at: number, background: Background): string | undefined {
  const found = only(({ kind }) => kind === "group", at, background, NEAR_SENTENCES);
  if (found === undefined) return undefined;
  return word === "their" ? ownerOf(found) : found.text;
}

/** As the object of one of these, "it" is a thing; at the head of a sentence it may be anything. */
const TAKES =
  /\b(?:love|loves|loved|like|likes|liked|hate|hates|hated|use|uses|used|wear|wears|wore|ride|rides|rode|read|reads|finished|finish|bought|buy|sell|sold|fix|fixed|repair|repaired|bring|brings|brought|carry|lost|found|play|plays|played|cook|cooked|bake|baked|eat|ate|drink|paint|painted|write|wrote|keep|keeps|kept|take|takes|took|call|called|name|named|afford|enjoy|enjoyed|enjoys|clean|feed|walk|watch|watched|return|returned|look at|looking at|looks at)\s+$/i;
const CHINESE_TAKES =
  /(?:喜欢|爱|讨厌|带着?|用着?|骑着?|穿着?|读|看|修|卖|买|写完?|做完?|画|弹|养|喂|叫|找到了?|找|丢了?|洗|玩|吃|喝|还|拿|取名|照顾)[了过]?$/u;

function thing(word: string, lead: string, after: string, background: Background): string | undefined {
  const isObject = word === "它" ? CHINESE_TAKES.test(lead) : word === "it" && TAKES.test(lead);
  // "I love it when", "I like it here", "I find it hard to".
  if (
    !isObject ||
    /^\s+(?:when|if|that|here|to|so|up|out|going|easy|real|together|all|off|[a-z]+ (?:to|that)\b)/i.test(
      after,
    )
  )
    return undefined;
  return only(({ kind }) => kind === "thing", lead.length, background, THING_SENTENCES)?.text;
}

const GOES =
  /\b(?:go|goes|went|going|gone|been|be|moved|move|moving|travel(?:l?ed|l?ing)?|fly|flew|flying|drive|drove|driving|came|come|coming|return(?:ed)?|ran|walk(?:ed)?|get|got|arrived?)(?: back)?\s+$/i;
const STAYS =
  /\b(?:live|lives|lived|living|work|works|worked|working|stay|stays|stayed|staying|eat|ate|eaten|study|studies|studied|studying|met|meet|teach|teaches|taught|grew up|born|spent [\p{L} ]{1,20}|dinner|lunch|breakfast|house|flat|apartment|job|company|school|office)\s+$/iu;

function place(word: string, lead: string, after: string, background: Background): string | undefined {
  const isChinese = word !== "there";
  const isGoing = GOES.test(lead) || /\bfrom\s+$/i.test(lead);
  if (!isChinese && !isGoing && !STAYS.test(lead)) return undefined;
  if (/^['’]|^\s+(?:is|are|was|were|will|has|have|for (?:me|you|her|him|us|them))\b/i.test(after))
    return undefined;
  const near = background.ownSentences + ANSWERED;
  const found = only(({ kind }) => kind === "place", lead.length, background, NEAR_SENTENCES, near);
  if (found === undefined) return undefined;
  if (isChinese || /\bfrom\s+$/i.test(lead)) return found.text;
  return `${isGoing ? "to" : isHouse(found.text) ? "at" : "in"} ${found.text}`;
}

/** "At the museum", "at Rosa's", and "in the town", "in Rome". */
function isHouse(name: string): boolean {
  return (
    /^the |['’]s$/.test(name) &&
    !/(?:town|city|village|country|mountains?|forest|island|park|garden)$/.test(name)
  );
}

/** The speaker and whom the speaker is with; in a proposal, the one it is made to. */
function company(word: string, at: number, after: string, background: Background): string | undefined {
  const { speaker, listener, ownSentences } = background;
  if (speaker === "") return undefined;
  const and = /^\p{Script=Han}/u.test(word) ? "和" : " and ";
  if (
    /^\p{Script=Han}/u.test(word) &&
    listener !== undefined &&
    /^[^，。！？,]{2,30}[吧](?:[。！!，]|$)/u.test(after)
  )
    return `${speaker}${and}${listener}`;
  const isNear = { ...background, before: background.before.slice(background.before.length - ownSentences) };
  const with_ = (wanted: Kind) => (one: Referent) => one.isCompany === true && one.kind === wanted;
  const found =
    only(with_("group"), at, isNear, THING_SENTENCES) ?? only(with_("person"), at, isNear, THING_SENTENCES);
  if (found === undefined) return undefined;
  const both = { ...found, text: `${speaker}${and}${found.text}` };
  return word === "our" ? ownerOf(both) : both.text;
}

const QUOTED = /"[^"\n]*"|“[^”\n]*”|「[^」\n]*」|『[^』\n]*』|《[^》\n]*》/g;

function isQuoted(text: string, index: number): boolean {
  return [...text.matchAll(QUOTED)].some(
    (quote) => index > quote.index && index < quote.index + quote[0].length,
  );
}
