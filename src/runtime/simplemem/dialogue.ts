/** A line of dialogue as SimpleMem hands it in and prints it: `[timestamp] speaker: content` (S2-4). */
import { z } from "zod";
import { parseInput } from "../../base/parse-input.ts";
import type { NewTurn } from "../../base/turn.ts";
import { timestampOf } from "../../tasks/dialogue.ts";
import { type MomentInput, momentFrom, momentInput } from "./moment-input.ts";

export interface NewDialogue {
  readonly speaker: string;
  readonly content: string;
  /** When it was said: ISO 8601 or epoch ms. @default now */
  readonly timestamp?: MomentInput | undefined;
}

export interface Dialogue {
  /** The turn in the journal. */
  readonly dialogue_id: string;
  readonly speaker: string;
  readonly content: string;
  /** ISO 8601, on the clock of the memory's zone. */
  readonly timestamp: string;
}

const dialogueSchema = z.strictObject({
  speaker: z.string().max(256),
  content: z.string(),
  timestamp: momentInput.optional(),
});
export const dialoguesSchema: z.ZodType<readonly NewDialogue[]> = z.array(dialogueSchema).readonly();

/** The turn that is journalled; `zone` is where the clock hangs if the timestamp does not say. */
export function turnOf(
  given: NewDialogue,
  zone: string,
  now: number,
): NewTurn & { readonly happenedAt: number } {
  const { speaker, content, timestamp } = parseInput(dialogueSchema, given, "dialogue");
  const happenedAt = timestamp === undefined ? now : momentFrom(timestamp, zone, "timestamp");
  return { speaker, text: content, happenedAt, zone: offsetOf(timestamp) ?? zone };
}

export function dialogueOf(
  dialogue_id: string,
  { speaker = "", text, happenedAt, zone }: ReturnType<typeof turnOf>,
): Dialogue {
  return { dialogue_id, speaker, content: text, timestamp: timestampOf({ happenedAt, zone }) ?? "" };
}

export function printDialogue({ timestamp, speaker, content }: Omit<Dialogue, "dialogue_id">): string {
  return `[${timestamp}] ${speaker}: ${content}`;
}

/** A timestamp that names its offset was said on that clock: "tomorrow" begins at its midnight. */
function offsetOf(timestamp: MomentInput | undefined): string | undefined {
  return typeof timestamp === "string" ? /[T ].*([+-]\d{2}:?\d{2})$/.exec(timestamp)?.[1] : undefined;
}
