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
    context: z
      .int()
      .min(0)
      .describe("Turns before a window that are shown to whoever reads it, and not read again."),
    together: z
      .int()
      .min(1)
      .describe(
        "Most windows of a backlog that are handed over in one packet, for an action that cuts them apart again and works on them at once (compress_window); 1 for every other.",
      ),
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
type ByTurns = Extract<WindowOptions, { readonly by: "turns" }>;
type BySession = Extract<WindowOptions, { readonly by: "session" }>;

export interface Window {
  /** What went before, for whoever wants to understand what is read. */
  readonly before: readonly Turn[];
  /** What was read before and is read again, then what is new. */
  readonly turns: readonly Turn[];
  readonly fresh: readonly Turn[];
  /** What the next window is given of this one and of what went before, oldest first. */
  readonly seen: readonly Turn[];
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
  const { overlap, context } = keptBy(options);
  const again = overlap === 0 ? [] : seen.slice(-overlap);
  const size =
    options.by === "turns"
      ? packetLength(fresh.length, options.size - again.length, options, last)
      : sessionLength(fresh, options);
  const isWhole = size !== undefined && fresh.length >= size;
  if (fresh.length === 0 || (!isWhole && !last)) return undefined;
  const taken = isWhole ? fresh.slice(0, size) : fresh;
  const all = [...seen, ...taken];
  return {
    before: seen.slice(0, seen.length - again.length),
    turns: [...again, ...taken],
    fresh: taken,
    seen: all.slice(Math.max(0, all.length - overlap - context)),
  };
}

function keptBy(options: WindowOptions): { readonly overlap: number; readonly context: number } {
  if (options.by === "session") return { overlap: 0, context: 0 };
  return { overlap: Math.min(options.overlap, options.size - 1), context: options.context };
}

/** So many of the turns before it are shown to a window at most, those that it reads again among them. */
export function turnsShown(options: WindowOptions): number {
  const { overlap, context } = keptBy(options);
  return overlap + context;
}

/** So many turns must be known to cut what comes next. */
export function turnsToCut(options: WindowOptions): number {
  return 1 + (options.by === "turns" ? options.size * options.together : options.max_turns);
}

/**
 * New turns of the next packet: as many whole windows as there are, each after the first with so many new turns as it does
 * not read again, and at the very end what is left. `first`: new turns of the first window.
 */
function packetLength(there: number, first: number, options: ByTurns, last: boolean): number {
  const step = options.size - keptBy(options).overlap;
  const windows = 1 + (last ? Math.ceil : Math.floor)((there - first) / step);
  const most = first + (Math.min(windows, options.together) - 1) * step;
  return windows < 1 ? first : Math.min(there, most);
}

/** Turns of the first session, if it is known to be over. */
function sessionLength(turns: readonly Turn[], { gap_seconds, max_turns }: BySession): number | undefined {
  const limit = gap_seconds === null ? Number.POSITIVE_INFINITY : gap_seconds * 1000;
  const end = turns.findIndex((turn, place) => {
    const before = turns[place - 1];
    if (before === undefined) return false;
    return turn.session !== before.session || turn.happenedAt - before.happenedAt > limit;
  });
  if (end > 0) return Math.min(end, max_turns);
  return turns.length >= max_turns ? max_turns : undefined;
}
