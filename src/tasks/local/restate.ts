/**
 * What does a sentence say to somebody who was not there? Times become absolute against the moment it was said (S2-7), the
 * first and second person become names, and a third person, a thing or a place does if only one can be meant (S2-6). What is
 * not sure stays as it was said: a wrong name is worse than a pronoun.
 */
import { createLru } from "../../base/lru.ts";
import { resolveSpeakers } from "../../text/coreference.ts";
import { findReferents, type Referent } from "../../text/referents.ts";
import { type Sentence, splitSentences } from "../../text/sentences.ts";
import { type Replaced, reachOf, resolveThirdPerson } from "../../text/third-person.ts";
import { makeTimesAbsolute } from "../../text/time.ts";
import { type Line, referenceOf, saidIn } from "../dialogue.ts";

export interface Talk {
  readonly speaker?: string | undefined;
  readonly listener?: string | undefined;
  readonly happenedAt?: number | undefined;
  readonly zone?: string | null | undefined;
  /** What was named shortly before and in the line itself; unsaid: third persons stay. */
  readonly context?: TalkContext | undefined;
}

interface TalkContext {
  /** In earlier lines, sentence by sentence, oldest first. */
  readonly before: readonly (readonly Referent[])[];
  readonly line: string;
  readonly sentences: readonly NamingSentence[];
}

interface NamingSentence {
  readonly index: number;
  readonly referents: readonly Referent[];
}

export function restate(text: string, talk: Talk): string {
  return restated(text, talk).text;
}

/** With what took the place of pronouns of the third person. */
export function restated(
  text: string,
  talk: Talk,
): { readonly text: string; readonly replaced: readonly Replaced[] } {
  const { speaker = "", listener, context } = talk;
  const third =
    context === undefined
      ? { text, replaced: [] }
      : resolveThirdPerson(text, backgroundOf(text, talk, context));
  const reference = referenceOf(talk);
  const timed = reference === undefined ? third.text : makeTimesAbsolute(third.text, reference);
  if (speaker === "") return { text: timed, replaced: third.replaced };
  const told = resolveSpeakers(proposal(timed, speaker, listener), { speaker, listener });
  return { text: told, replaced: third.replaced };
}

/** A whole line, as it says to somebody who was not there. */
export async function restateLine(lines: readonly Line[], place: number): Promise<string> {
  const line = lines[place];
  if (line === undefined) return "";
  const said = saidIn(line);
  const talk = await talkAt(lines, place);
  // What is named in the line itself is clear to its reader: only lines before it tell more.
  const { context } = talk;
  const own = context === undefined ? undefined : { ...context, line: said, sentences: [] };
  return restate(said, { ...talk, context: own });
}

/** How the line at this place is to be read, or these parts of it, from the lines before it. */
export async function talkAt(
  lines: readonly Line[],
  place: number,
  parts?: readonly string[],
): Promise<Talk> {
  const line = lines[place];
  if (line === undefined) return {};
  const { speaker, happenedAt, zone } = line;
  const talk = { speaker, listener: listenerOf(lines, line), happenedAt, zone };
  // Finding who is named takes long, and many lines speak of nobody by a pronoun.
  const said = saidIn(line);
  const reach = Math.max(...(parts ?? [said]).map((part) => reachOf(part, said)));
  return reach < 0 ? talk : { ...talk, context: await contextAt(lines, place, reach) };
}

/** Lines before this one in which somebody may have been named. */
const RECENT = 3;
const LATELY = 128;

async function contextAt(lines: readonly Line[], place: number, reach: number): Promise<TalkContext> {
  const speakers = speakersOf(lines);
  const earlier = lines.slice(Math.max(0, place - RECENT), place).flatMap(sentencesOf);
  const line = lines[place];
  const own = line === undefined ? [] : sentencesOf(line);
  const near = earlier.slice(Math.max(0, earlier.length - reach));
  const read = await Promise.all([...near, ...own].map((one) => namedIn(one, speakers)));
  const known = read
    .flatMap(({ referents }) => referents)
    .filter(({ kind, text }) => kind === "person" && text !== "");
  const named = read.map(({ text, index, referents }) => ({
    index,
    referents: [...referents, ...again(text, known, referents)],
  }));
  return {
    before: named.slice(0, near.length).map(({ referents }) => referents),
    line: line === undefined ? "" : saidIn(line),
    sentences: named.slice(near.length).map(({ index, referents }) => ({
      index,
      referents: referents.map((one) => ({ ...one, end: one.end + index })),
    })),
  };
}

interface SaidSentence extends Sentence {
  readonly speaker: string;
}

function sentencesOf(line: Line): SaidSentence[] {
  return splitSentences(saidIn(line)).map((sentence) => ({ ...sentence, speaker: line.speaker }));
}

/** A sentence is read again for each of the next ones. */
const lately = createLru<string, Promise<readonly Referent[]>>(LATELY);

async function namedIn(
  said: SaidSentence,
  speakers: readonly string[],
): Promise<SaidSentence & { readonly referents: readonly Referent[] }> {
  const { text, speaker } = said;
  const find = (): Promise<Referent[]> => findReferents(text, { speaker, speakers });
  return { ...said, referents: await lately.get([text, speaker, ...speakers].join("\n"), find) };
}

/** A name that was found in one sentence is a name in the others, too. */
function again(text: string, known: readonly Referent[], found: readonly Referent[]): Referent[] {
  return known.flatMap((one): Referent[] => {
    const index = text.indexOf(one.text);
    const end = index + one.text.length;
    return index < 0 || found.some((other) => other.end === end) ? [] : [{ ...one, end, isCompany: false }];
  });
}

/** What a reader of this part of the line knows: all before it, and what it names itself. */
function backgroundOf(
  text: string,
  { speaker = "", listener }: Talk,
  { before, line, sentences }: TalkContext,
) {
  const at = placeIn(line, text);
  const inside = ({ end }: Referent): boolean => end > at && end <= at + text.length;
  const earlier = sentences.map(({ referents }) => referents.filter(({ end }) => end <= at));
  const told = earlier.filter((_, place) => (sentences[place]?.index ?? 0) < at);
  const own = sentences.flatMap(({ referents }) => referents.filter(inside));
  return {
    before: [...before, ...told],
    ownSentences: told.length,
    own: own.map((one) => ({ ...one, end: one.end - at })),
    speaker,
    listener,
  };
}

/** Where a part of the line begins; a clause that was given a subject is known by its end. */
function placeIn(line: string, part: string): number {
  const whole = line.indexOf(part);
  if (whole >= 0) return whole;
  const tail = part.replace(/[\p{P}\s]+$/u, "").slice(-TAIL);
  const found = line.indexOf(tail);
  return found < 0 ? 0 : Math.max(0, found + tail.length - part.length);
}

const TAIL = 12;

/** "Let's meet" is a proposal of somebody to somebody. */
function proposal(text: string, speaker: string, listener: string | undefined): string {
  return text.replace(LETS, (_, called: string | undefined) => {
    const whom = called ?? listener;
    return `${speaker} proposes ${whom === undefined ? "" : `to ${whom} `}to `;
  });
}

const LETS =
  /^(?:(\p{Lu}\p{L}+), )?[Ll]et['’]s (?=\p{Ll}{2,})(?!not\b|see\b|say\b|be\b|just\b|hope\b|face\b)/u;

function speakersOf(lines: readonly Line[]): string[] {
  return [...new Set(lines.map(({ speaker }) => speaker).filter((name) => name !== ""))];
}

/** The other of two, or whom of several the line calls by name: "Lena, can you …?" */
function listenerOf(lines: readonly Line[], { speaker, text }: Line): string | undefined {
  const others = speakersOf(lines).filter((name) => name !== speaker);
  if (others.length === 1) return others[0];
  const called = others.filter((name) => calls(text, name));
  return called.length === 1 ? called[0] : undefined;
}

function calls(text: string, name: string): boolean {
  const first = /^\p{L}+/u.exec(name)?.[0] ?? name;
  const at = new RegExp(
    `(?:^|[.!?。！？]\\s*|\\b(?:hey|hi|thanks|sorry|ok|okay|yes|no),?\\s+)${first}[,，！!]|[,，]\\s*${first}[.!?。！？]`,
    "iu",
  );
  return at.test(text);
}
