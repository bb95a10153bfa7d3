/** When does a timestamp begin? ISO 8601 down to any part: "2023-05-08T13:56+08:00", "2023-05-08", "2023-W19", "2023", a span. */
import { instantOf } from "../../text/time/zone.ts";

const DAY_MS = 86_400_000;

/** Epoch ms; `zone` is where the clock hangs if the timestamp does not say. Undefined if it is no moment. */
export function momentOf(timestamp: string, zone: string): number | undefined {
  const start = timestamp.split("/")[0]?.trim() ?? "";
  const week = /^(\d{4})-W(\d{2})$/.exec(start);
  if (week !== null) return instantOf(mondayOf(Number(week[1]), Number(week[2])), zone);
  const isWall = !/(?:Z|[+-]\d{2}:?\d{2})$/.test(start) || !start.includes("T");
  // Dates without a time are UTC to JavaScript, times without a zone are local: both are meant on the wall.
  const parsed = Date.parse(isWall && start.includes("T") ? `${start}Z` : start);
  if (Number.isNaN(parsed)) return undefined;
  return isWall ? instantOf(parsed, zone) : parsed;
}

/** The first day of an ISO week: week 1 holds the fourth of January. */
function mondayOf(year: number, week: number): number {
  const fourth = Date.UTC(year, 0, 4);
  const weekday = (new Date(fourth).getUTCDay() + 6) % 7;
  return fourth + ((week - 1) * 7 - weekday) * DAY_MS;
}
