/** What was said, as it was said. Turns are appended to the journal before anything clever happens and never change. */
import { z } from "zod";
import type { TurnId } from "./ids.ts";
import { type JsonObject, jsonObjectSchema } from "./json.ts";
import { momentSchema } from "./moment.ts";
import { parseInput } from "./parse-input.ts";
import type { Scope } from "./scope.ts";
import { checkContent, checkText, checkTexts } from "./text-input.ts";

export interface Turn {
  readonly id: TurnId;
  /** Place in the journal, from 1, without gaps. */
  readonly seq: number;
  readonly scope: Scope;
  readonly session: string;
  readonly speaker: string;
  readonly role: Role;
  readonly text: string;
  /** What attached pictures or files show, in words. */
  readonly captions: readonly string[];
  /** When it was said, on the speaker's clock (epoch ms), and in which zone. */
  readonly happenedAt: number;
  readonly zone: string | null;
  /** When we wrote it down (epoch ms). */
  readonly recordedAt: number;
  readonly metadata: JsonObject;
}

export const ROLES = ["user", "assistant", "system", "tool", "other"] as const;
export type Role = (typeof ROLES)[number];

/** What a caller hands in; id, place and recording time are ours. */
export interface NewTurn {
  readonly text: string;
  readonly session?: string | undefined;
  readonly speaker?: string | undefined;
  readonly role?: Role | undefined;
  readonly captions?: readonly string[] | undefined;
  readonly happenedAt?: number | undefined;
  readonly zone?: string | null | undefined;
  readonly metadata?: JsonObject | undefined;
}

export const newTurnSchema = z.strictObject({
  text: z.string(),
  session: z.string().max(256).optional(),
  speaker: z.string().max(256).optional(),
  role: z.enum(ROLES).optional(),
  captions: z.array(z.string()).optional(),
  happenedAt: momentSchema.optional(),
  zone: z.string().max(64).nullable().optional(),
  metadata: jsonObjectSchema.optional(),
});

export interface TurnStamp {
  readonly id: TurnId;
  readonly scope: Scope;
  readonly recordedAt: number;
}

/** The checked turn without its place, which the journal gives at the moment of writing. */
export function makeTurn(input: NewTurn, stamp: TurnStamp): Omit<Turn, "seq"> {
  const given = parseInput(newTurnSchema, input, "turn");
  return {
    ...stamp,
    session: checkText(given.session ?? "", "turn's session"),
    speaker: checkText(given.speaker ?? "", "turn's speaker"),
    role: given.role ?? "user",
    text: checkContent(given.text, "turn's text"),
    captions: (given.captions ?? []).map((caption) => checkText(caption, "turn's caption")),
    happenedAt: given.happenedAt ?? stamp.recordedAt,
    zone: checkTexts(given.zone ?? null, "turn's zone"),
    metadata: checkTexts(given.metadata ?? {}, "turn's metadata"),
  };
}
