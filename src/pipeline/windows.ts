/**
 * Which turns of the journal come together? A design that reads single turns, exchanges, sessions or windows says so in its
 * preset, and the journal is cut the same way whenever it is read: while people talk, after a crash, for another design.
 */
import { z } from "zod";
import type { Turn } from "../base/turn.ts";

export const windowSchema = z.discriminatedUnion("by", [
  z.strictObject({
    by: z.literal("turns").describe("So many turns, whatever session they belong to."),
    size: z.int().min(1).describe("Turns of a window."),
    overlap: z.int().min(0).describe("Turns at the end of a window that the next one reads again."),
  }),
  z.strictObject({
    by: z.literal("session").describe("The turns of a session, when it is over."),
    gap_seconds: z
      .number()
      .positive()
      .nullable()
      .describe("A longer silence ends a session, too; null: only the session's name does."),
    max_turns: z.int().min(1).describe("A longer session is cut."),
  }),
]);
export type WindowOptions = z.infer<typeof windowSchema>;

export interface Window {
  /** What was read before and is shown again, then what is new. */
  readonly turns: readonly Turn[];
  readonly fresh: readonly Turn[];
  /** How many of its last turns the next window reads again. */
  readonly overlap: number;
}

/**
 * The next window, or undefined while it is not full or the session not over. `last`: nothing more will come, so what is
 * there is a window.
 */
export function nextWindow(
  seen: readonly Turn[],
  fresh: readonly Turn[],
  options: WindowOptions,
  last: boolean,
): Window | undefined {
  const size = options.by === "turns" ? options.size - seen.length : sessionLength(fresh, options);
  const isWhole = size !== undefined && fresh.length >= size;
  if (fresh.length === 0 || (!isWhole && !last)) return undefined;
  const taken = isWhole ? fresh.slice(0, size) : fresh;
  return {
    turns: [...seen, ...taken],
    fresh: taken,
    overlap: options.by === "turns" ? Math.min(options.overlap, options.size - 1) : 0,
  };
}

/** Turns of the first session, if it is known to be over. */
function sessionLength(
  turns: readonly Turn[],
  { gap_seconds, max_turns }: Extract<WindowOptions, { readonly by: "session" }>,
): number | undefined {
  const limit = gap_seconds === null ? Number.POSITIVE_INFINITY : gap_seconds * 1000;
  const end = turns.findIndex((turn, place) => {
    const before = turns[place - 1];
    if (before === undefined) return false;
    return turn.session !== before.session || turn.happenedAt - before.happenedAt > limit;
  });
  if (end > 0) return Math.min(end, max_turns);
  return turns.length >= max_turns ? max_turns : undefined;
}
