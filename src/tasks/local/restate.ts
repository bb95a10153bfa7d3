/**
 * What does a sentence say to somebody who was not there? Times become absolute against the moment it was said (S2-7), the
 * first and second person become names, and a third person does if only one person can be meant (S2-6). What is not sure
 * stays as it was said: a wrong name is worse than a pronoun.
 */
import { resolveSpeakers } from "../../text/coreference.ts";
import { findEntities } from "../../text/entities.ts";
import { makeTimesAbsolute } from "../../text/time.ts";
import { type Line, referenceOf, saidIn } from "../dialogue.ts";

export interface Talk {
  readonly speaker?: string | undefined;
  readonly listener?: string | undefined;
  readonly happenedAt?: number | undefined;
  readonly zone?: string | null | undefined;
  /** Persons named shortly before, besides the speakers, none twice. */
  readonly named: readonly string[];
}

export function restate(text: string, talk: Talk): string {
  const reference = referenceOf(talk);
  const timed = reference === undefined ? text : makeTimesAbsolute(text, reference);
  const { speaker, listener, named } = talk;
  const [other, ...more] = named;
  const third = other === undefined || more.length > 0 ? timed : resolveThird(timed, other);
  return speaker === undefined || speaker === "" ? third : resolveSpeakers(third, { speaker, listener });
}

/** A whole line, as it says to somebody who was not there. */
export async function restateLine(lines: readonly Line[], place: number): Promise<string> {
  const line = lines[place];
  if (line === undefined) return "";
  // Whoever is named in the line itself is clear to its reader: only lines before it tell more.
  const talk =
    place === 0 ? { ...line, listener: listenerOf(lines, line), named: [] } : await talkAt(lines, place);
  return restate(saidIn(line), talk);
}

/** How the line at this place is to be read, from the lines before it. */
export async function talkAt(lines: readonly Line[], place: number): Promise<Talk> {
  const line = lines[place];
  if (line === undefined) return { named: [] };
  const { speaker, happenedAt, zone } = line;
  // Finding persons takes long, and most lines speak of nobody by a pronoun.
  const named = THIRD.test(saidIn(line)) ? await namedBefore(lines, place) : [];
  return { speaker, listener: listenerOf(lines, line), happenedAt, zone, named };
}

function speakersOf(lines: readonly Line[]): string[] {
  return [...new Set(lines.map(({ speaker }) => speaker).filter((name) => name !== ""))];
}

function listenerOf(lines: readonly Line[], { speaker }: Line): string | undefined {
  const others = speakersOf(lines).filter((name) => name !== speaker);
  return others.length === 1 ? others[0] : undefined;
}

/** Persons that a pronoun of the line may mean; none where somebody without a name may be meant, too. */
async function namedBefore(lines: readonly Line[], place: number): Promise<readonly string[]> {
  const speakers = speakersOf(lines);
  const recent = lines
    .slice(Math.max(0, place - RECENT), place + 1)
    .map(saidIn)
    .join("\n");
  const persons = (await findEntities(recent, { persons: speakers })).filter(({ kind }) => kind === "person");
  const named = persons.map(({ text }) => text).filter((name) => !isOneOf(name, speakers));
  return KIN.test(withoutAppositions(recent, named)) ? [] : withoutShort(named);
}

/** What `resolveThird` puts a name in the place of. */
const THIRD = /\b(?:he|she|him|his|her)\b|[他她]/iu;

/** Lines before this one in which somebody may have been named. */
const RECENT = 3;

/** Somebody spoken of without a name, who may be meant by the next "he" or "she" as well. */
const KIN =
  /\b(?:brother|sister|mother|mom|mum|father|dad|husband|wife|son|daughter|friend|boss|colleague|teacher|neighbou?r|guy|girl|boy|man|woman|kid|child|aunt|uncle|cousin|grand\w+|doctor|partner|girlfriend|boyfriend)\b|哥哥|弟弟|姐姐|妹妹|爸|妈|老公|老婆|丈夫|妻子|儿子|女儿|同事|朋友|老板|老师|邻居|男孩|女孩|孩子|奶奶|爷爷|外婆|外公/iu;

/** "My friend Anna" names her: only the name is left. */
function withoutAppositions(text: string, names: readonly string[]): string {
  return names.reduce((left, name) => {
    const at = left.indexOf(name);
    if (at < 0) return left;
    const before = left.slice(0, at).replace(/(?:\p{L}+|\p{Script=Han}{1,4})\s*$/u, "");
    return before + left.slice(at);
  }, text);
}

function isOneOf(name: string, speakers: readonly string[]): boolean {
  const plain = name.toLowerCase();
  return speakers.some((speaker) => {
    const other = speaker.toLowerCase();
    return other === plain || other.startsWith(plain) || plain.startsWith(other);
  });
}

/** "Ben" and "Ben Lee" are one. */
function withoutShort(names: readonly string[]): string[] {
  return names.filter((name) => !names.some((other) => other !== name && other.split(/\s/).includes(name)));
}

function resolveThird(text: string, name: string): string {
  // Named in the sentence itself, the pronoun is clear to every reader.
  if (text.includes(name)) return text;
  return text
    .replace(/\b(?:[Hh]e|[Ss]he)(?=['’]s\b)/g, name)
    .replace(/\b(?:[Hh]e|[Ss]he)\b/g, name)
    .replace(/\bhim\b/g, name)
    .replace(/\b([Hh]is)\b(?=\s+\p{L})/gu, `${name}'s`)
    .replace(
      /\b[Hh]er\b(?=\s+(?:own\s+)?(?!to\b|for\b|and\b|in\b|on\b|at\b|with\b|about\b|a\b|the\b|some\b|that\b|my\b|last\b)\p{L})/gu,
      `${name}'s`,
    )
    .replace(/\bher\b/g, name)
    .replace(/[他她](?!们|人|俩)/gu, name);
}
