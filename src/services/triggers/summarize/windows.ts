/** Days and weeks as people count them where they live: each has a name, the date it starts, and is over at a moment. */
import { instantOf, wallTime } from "../../../text/time/zone.ts";

export const WINDOWS = ["daily", "weekly", "global"] as const;
export type Window = (typeof WINDOWS)[number];

export interface Span {
  /** The date of its first day; "" for all of time. */
  readonly start: string;
  /** When it is over (epoch ms); all of time never is, and is summed up as far as it goes. */
  readonly endsAt: number;
}

const DAY_MS = 86_400_000;
/** 1970-01-01 was a Thursday; weeks start on Mondays. */
const DAYS_SINCE_MONDAY = 3;

export function spanOf(window: Window, at: number, zone: string): Span {
  if (window === "global") return { start: "", endsAt: Number.NEGATIVE_INFINITY };
  const day = Math.floor(wallTime(at, zone) / DAY_MS);
  const first = window === "daily" ? day : day - ((((day + DAYS_SINCE_MONDAY) % 7) + 7) % 7);
  const length = window === "daily" ? 1 : 7;
  return {
    start: new Date(first * DAY_MS).toISOString().slice(0, 10),
    endsAt: instantOf((first + length) * DAY_MS, zone),
  };
}
