/** Which time does a question speak of? Read against the moment and the place where it was asked, never against today. */
import type { Question } from "../../pipeline/question.ts";
import type { Hints } from "../../services/hints.ts";
import { findTimes } from "../../text/time.ts";

const DAY_MS = 86_400_000;

export type TimeRange = NonNullable<Hints["time_range"]>;

/** From the beginning of the first to the end of the last time that the words name, wider by some days on both sides. */
export function timeRangeOf(
  words: string,
  { at, zone }: Pick<Question, "at" | "zone">,
  marginDays: number,
): TimeRange | undefined {
  const times = findTimes(words, { at, zone });
  if (times.length === 0) return undefined;
  const margin = marginDays * DAY_MS;
  return {
    from: Math.round(Math.min(...times.map(({ start }) => start)) - margin),
    // The end of a time is not part of it; that of a range is.
    to: Math.round(Math.max(...times.map(({ end }) => end)) - 1 + margin),
  };
}
