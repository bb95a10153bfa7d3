/**
 * A memory on its way in: what pre_insert actions shape and memory_insert stores. It carries how it wants to be inserted
 * (S0-24, S0-33) and the lines it was made from, so that an action that reads dialogue has the dialogue.
 */
import type { NewEntry } from "../base/entry.ts";
import type { Turn } from "../base/turn.ts";
import type { Vector } from "../base/vector.ts";
import type { InsertMode, InsertParams } from "../services/service.ts";
import { judgedFields, judgedText, judgmentOf } from "./judgment.ts";

export interface Draft extends NewEntry {
  /** What is embedded; unsaid: the content. */
  readonly embedText?: string | undefined;
  /** Vectors that an action made already; the others are made when pre_insert is done. */
  readonly vectors: readonly Vector[];
  /** Who stores it: the name of an action of the stage memory_insert. */
  readonly insertMethod: string;
  readonly insertMode: InsertMode;
  /** What its insert method reads. */
  readonly insertParams: DraftParams;
  /** What was said, that this draft comes from, in order. */
  readonly turns: readonly Turn[];
  /** Somebody worded it: actions that reword or split are not shown it. */
  readonly judged?: true | undefined;
}

/** Placement, and what single insert methods want to know (S0-42). */
export interface DraftParams extends InsertParams {
  readonly triples?: readonly { subject: string; relation: string; object: string }[] | undefined;
  readonly chunkIndex?: number | undefined;
  readonly totalChunks?: number | undefined;
  /** The text before it was cut, shortened or read out. */
  readonly originalText?: string | undefined;
  readonly summary?: string | undefined;
  readonly segment?: string | undefined;
  /** The emotion that is strongest, and how strong, 0 to 1. */
  readonly emotion?: { readonly category: string; readonly intensity: number } | undefined;
}

export interface InputOptions {
  /** One draft per turn, or one for all turns that come together. */
  readonly unit: "turn" | "packet";
  /** Whether a draft's content says who speaks: "Ada: I moved to Rome." */
  readonly with_speaker: boolean;
}

/** The drafts that the first action sees; those that somebody judged stand for themselves and come first. */
export function draftsOf(turns: readonly Turn[], { unit, with_speaker }: InputOptions): Draft[] {
  const judged = turns.flatMap((turn) => judgedDraft(turn) ?? []);
  const said = turns.filter((turn) => judgmentOf(turn) === undefined);
  const units = unit === "turn" ? said.map((turn) => [turn]) : said.length > 0 ? [said] : [];
  const plain = units.map((some) => ({
    content: some.map((turn) => textOf(turn, with_speaker)).join("\n"),
    ...originOf(some),
  }));
  return [...judged, ...plain];
}

function judgedDraft(turn: Turn): Draft | undefined {
  const judgment = judgmentOf(turn);
  if (judgment === undefined) return undefined;
  const fields = judgedFields(turn, judgment);
  const origin = originOf([turn]);
  const metadata = { ...origin.metadata, ...(judgment.own === undefined ? {} : { own: judgment.own }) };
  return { ...origin, ...fields, metadata, embedText: judgedText(fields), judged: true };
}

function originOf(said: readonly Turn[]): Omit<Draft, "content"> {
  return {
    happenedAt: Math.max(...said.map(({ happenedAt }) => happenedAt)),
    sources: said.map(({ id }) => id),
    metadata: metadataOf(said),
    vectors: [],
    insertMethod: "default",
    insertMode: "passive",
    insertParams: {},
    turns: said,
  };
}

/** What was said and shown in one turn. */
export function textOf({ speaker, text, captions }: Turn, withSpeaker: boolean): string {
  const said = captions.reduce((all, caption) => `${all} [${caption}]`, text);
  return withSpeaker && speaker !== "" ? `${speaker}: ${said}` : said;
}

function metadataOf(said: readonly Turn[]): { readonly [key: string]: string | readonly string[] } {
  const speakers = [...new Set(said.map(({ speaker }) => speaker))].filter((name) => name !== "");
  const session = said.at(-1)?.session ?? "";
  const role = said.length === 1 ? said[0]?.role : undefined;
  const answering = said.filter(({ role }) => role === "assistant").map(({ speaker }) => speaker);
  const assistants = speakers.filter((name) => answering.includes(name));
  return {
    ...(speakers.length > 0 ? { persons: speakers } : {}),
    // Designs that keep a profile keep one of who is served, not of who serves. Of one turn its role says which.
    ...(said.length > 1 && assistants.length > 0 ? { assistants } : {}),
    ...(said.length === 1 && speakers[0] !== undefined ? { speaker: speakers[0] } : {}),
    ...(role === undefined || role === "user" ? {} : { role }),
    ...(session === "" ? {} : { session }),
  };
}
