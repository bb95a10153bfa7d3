/**
 * When is a queue of messages too full, and which of them leave? MemGPT's queue manager: a warning beyond one share of the
 * window, a flush beyond another, and a cut that says how many messages from the front give way to a summary. Two ways to
 * cut: that of MemGPT 0.2 (papers.md B3), and the sliding window of Letta 0.16 (B4).
 */
import { z } from "zod";

export const compactionSchema = z.discriminatedUnion("style", [
  z.strictObject({
    style: z.literal("recursive").describe("MemGPT 0.2: a share of the tokens, and never the last messages."),
    evict_share: z.number().gt(0).lt(1).describe("Share of the queue's tokens, from the front, that leaves."),
    keep_last: z.int().min(1).describe("So many messages at the end always stay."),
  }),
  z.strictObject({
    style: z
      .literal("sliding_window")
      .describe("Letta 0.16: a growing share of the messages, cut before an assistant's message."),
    goal_share: z.number().gt(0).lt(1).describe("Share of the window that what stays must be below."),
    first_share: z.number().min(0).lt(1).describe("Share of the messages that the growing starts from."),
    step_share: z.number().gt(0).lt(1).describe("What is added to it before every try."),
  }),
]);
export type Compaction = Readonly<z.infer<typeof compactionSchema>>;

/** As much of a message as the cut is decided by. */
export interface Queued {
  readonly tokens: number;
  readonly role: string;
}

export interface Pressure {
  readonly tokens: number;
  /** Strictly more than the share of the window. */
  readonly isWarning: boolean;
  readonly isOverflow: boolean;
}

export function pressureOf(
  tokens: number,
  { window, warningShare, flushShare }: Record<"window" | "warningShare" | "flushShare", number>,
): Pressure {
  return { tokens, isWarning: tokens > warningShare * window, isOverflow: tokens > flushShare * window };
}

/** How many messages leave from the front; 0: none can. What stays never begins with a user's message if that can be helped. */
export function planFlush(queue: readonly Queued[], window: number, compaction: Compaction): number {
  return compaction.style === "recursive"
    ? cutByTokens(queue, compaction)
    : cutByWindow(queue, window, compaction);
}

function cutByTokens(
  queue: readonly Queued[],
  { evict_share, keep_last }: Extract<Compaction, { readonly style: "recursive" }>,
): number {
  const most = queue.length - keep_last;
  if (most <= 0) return 0;
  const target = Math.floor(evict_share * tokensOf(queue));
  let running = 0;
  const first = queue.slice(0, most).findIndex(({ tokens }) => {
    running += tokens;
    return running > target;
  });
  // The original counts the message that crosses the line among those that stay, and so the last candidate.
  const cut = Math.max(1, first === -1 ? most - 1 : first);
  return queue[cut]?.role === "user" ? Math.min(cut + 1, most) : cut;
}

function cutByWindow(
  queue: readonly Queued[],
  window: number,
  { goal_share, first_share, step_share }: Extract<Compaction, { readonly style: "sliding_window" }>,
): number {
  for (let share = first_share + step_share; share < 1; share += step_share) {
    const end = Math.round(share * queue.length);
    const cut = queue.slice(0, end + 1).findLastIndex(({ role }, place) => place > 0 && role === "assistant");
    if (cut > 0 && tokensOf(queue.slice(cut)) < goal_share * window) return cut;
  }
  // Nowhere to cut: all but the last, as the original falls back to summing up everything.
  return Math.max(0, queue.length - 1);
}

function tokensOf(queue: readonly Queued[]): number {
  return queue.reduce((sum, { tokens }) => sum + tokens, 0);
}
