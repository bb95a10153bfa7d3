/** A moment as callers of SimpleMem write it: epoch ms, or ISO 8601 down to any part, "2025-01-16T14:00" or "2025-01". */
import { z } from "zod";
import { momentOf } from "../../actions/pre-insert/moment-of.ts";
import { MemoryError } from "../../base/errors.ts";
import { momentSchema } from "../../base/moment.ts";
import { instantOf, wallTime } from "../../text/time/zone.ts";

export type MomentInput = string | number;
export const momentInput: z.ZodType<MomentInput> = z.union([momentSchema, z.string().min(1)]);

/** When it begins; `zone` is where the clock hangs if the text does not say. */
export function momentFrom(given: MomentInput, zone: string, what: string): number {
  const found = typeof given === "number" ? given : written(given, zone);
  if (found !== undefined && momentSchema.safeParse(found).success) return found;
  throw new MemoryError(
    "input_invalid",
    `The ${what} ${JSON.stringify(given)} is no moment. Valid: epoch milliseconds, or ISO 8601, as "2025-01-16T14:00:00" or "2025-01-16".`,
  );
}

function written(given: string, zone: string): number | undefined {
  const [, year, month = "01", day = "01"] = ISO.exec(given) ?? [];
  // JavaScript takes 30 February for 2 March.
  const isDay = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day);
  return isDay ? momentOf(given.replace(" ", "T").replace(",", "."), zone) : undefined;
}

/** Its last millisecond: "2025-01" lasts until the month is over. */
export function endOf(given: MomentInput, zone: string, what: string): number {
  const start = momentFrom(given, zone, what);
  const [, year, month, day, time] = typeof given === "number" ? [] : (ISO.exec(given) ?? []);
  if (year === undefined || time !== undefined) return start;
  const wall = new Date(wallTime(start, zone));
  if (month === undefined) wall.setUTCFullYear(wall.getUTCFullYear() + 1);
  else if (day === undefined) wall.setUTCMonth(wall.getUTCMonth() + 1);
  else wall.setUTCDate(wall.getUTCDate() + 1);
  return instantOf(wall.getTime(), zone) - 1;
}

const ISO =
  /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?))?)?)?$/;
