/** A question on its way to the store, and what was found on its way back (S0-16, S0-36 … S0-40). */
import { z } from "zod";
import type { Filter } from "../base/filter.ts";
import type { Hit } from "../base/hit.ts";
import type { JsonObject } from "../base/json.ts";
import type { Vector } from "../base/vector.ts";
import type { Hints } from "../services/hints.ts";
import { type Line, lineSchema, momentSchema } from "../tasks/dialogue.ts";

/** One thing to search for. */
export interface SubQuery {
  readonly text: string;
  /** What is embedded; unsaid: the text. */
  readonly embedText?: string | undefined;
  readonly vectors: readonly Vector[];
  /** What its list counts when lists are put together. */
  readonly weight: number;
  /** Its own way of looking, instead of the question's routes. */
  readonly route?: Hints | undefined;
  /** Narrows this query, beside the question's filter. */
  readonly filter?: Filter | undefined;
  /** How many hits it asks for, whatever the question as a whole asks for. */
  readonly topK?: number | undefined;
}

export interface Question {
  /** As it was asked; actions never change it. */
  readonly text: string;
  /** When it is asked (epoch ms): "last week" is meant from here. */
  readonly at: number;
  /** Where it is asked: an IANA name, or an offset such as "+08:00". */
  readonly zone: string;
  /** What was said just before, oldest first. */
  readonly talk: readonly Line[];
  /** What is searched for, at first the question itself; all of them are. */
  readonly queries: readonly SubQuery[];
  /** Whether a query may use what those before it found, or all are asked at once. */
  readonly order: "parallel" | "sequential";
  /** What the question is about, as found by an action; rerank and filter compare memories with them. */
  readonly keywords: readonly string[];
  readonly entities: readonly string[];
  /** Ways of looking, each of which is taken; none: the service's own. */
  readonly routes: readonly Hints[];
  readonly filter?: Filter | undefined;
  readonly topK?: number | undefined;
  /** What there is room for, whatever an action adds. */
  readonly room: Room;
  /** Why nothing is to be looked for (scm_gate, validate); null: look. */
  readonly skip: string | null;
  /** Pieces of information the question needs, most wanted first (plan). */
  readonly wanted: readonly string[];
  /** How often a design that checks what it found searches again at most; unsaid: as often as it says itself. */
  readonly rounds?: number | undefined;
}

/** Of the hits that are handed out, and of the text that is written of them. */
export interface Room {
  /** Most hits. @default as many as the design finds */
  readonly hits?: number | undefined;
  /** Most tokens of what is shown of all hits together. @default as many as they have */
  readonly tokens?: number | undefined;
}

/** What a caller asks. */
export interface NewQuestion {
  readonly text: string;
  readonly at?: number | undefined;
  /** @default UTC */
  readonly zone?: string | undefined;
  readonly talk?: readonly Line[] | undefined;
  readonly filter?: Filter | undefined;
  readonly topK?: number | undefined;
  /** @default no limits */
  readonly room?: Room | undefined;
  /** Most rounds of reflection for this question, in a design that reflects on what it found. @default the design's own */
  readonly rounds?: number | undefined;
}

/** As a caller without types may hand it in. */
export const questionSchema: z.ZodType<NewQuestion> = z.strictObject({
  text: z.string(),
  at: momentSchema.optional(),
  zone: z.string().optional(),
  talk: z.array(lineSchema).readonly().optional(),
  filter: z.custom<Filter>((value) => typeof value === "object" && value !== null).optional(),
  topK: z.number().int().min(1).optional(),
  room: z
    .strictObject({
      hits: z.number().int().min(1).optional(),
      tokens: z.number().int().min(0).optional(),
    })
    .optional(),
  rounds: z.number().int().min(0).max(10).optional(),
});

export interface FoundHit extends Hit {
  /** What is shown of it: its content, until an action shortens, enriches or replaces it. */
  readonly text: string;
}

/** The hits of one search, best first. */
export interface FoundList {
  readonly query: SubQuery;
  readonly hints: Hints;
  readonly hits: readonly FoundHit[];
}

export interface Found {
  readonly question: Question;
  /** Every search by itself, for actions that put them together in their own way. */
  readonly lists: readonly FoundList[];
  readonly hits: readonly FoundHit[];
  /** How likely what was asked stands in what was found, 0 to 1; null where the design does not say. */
  readonly confidence: number | null;
  /** Whether that is so little that the design would rather say that it does not know; the hits are there all the same. */
  readonly isDoubtful: boolean;
  /** The text to put into a prompt; null until an action writes it. */
  readonly context: string | null;
  /** The same in parts, where an action makes parts: persona, traits, chat messages … */
  readonly sections: JsonObject;
}

/** Of a design that does not say how sure it is. */
export const UNJUDGED: Pick<Found, "confidence" | "isDoubtful"> = { confidence: null, isDoubtful: false };

/** What was said is shown rather than what was read out of it (B.0.2). */
export function toFound(hit: Hit): FoundHit {
  const { original_text } = hit.metadata;
  return { ...hit, text: typeof original_text === "string" ? original_text : hit.content };
}

export function makeQuestion(
  { text, at, zone = "UTC", talk = [], filter, topK, room = {}, rounds }: NewQuestion,
  now: number,
): Question {
  return {
    text,
    at: at ?? now,
    zone,
    talk,
    queries: [{ text, vectors: [], weight: 1 }],
    order: "parallel",
    keywords: [],
    entities: [],
    routes: [],
    filter,
    topK,
    room,
    skip: text.trim() === "" ? "The question is blank." : null,
    wanted: [],
    rounds,
  };
}
