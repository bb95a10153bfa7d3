/**
 * Which dates and clock times does chrono-node see that our own rules do not? It knows many more ways to write an
 * absolute date ("Sat, 17 Aug 2013 18:40 GMT+9", "3-7 May 2023", "6/9/2023"); it does not know ranges such as "last
 * week", so only what it is certain of is taken: a day with its month, or an hour.
 *
 * It is given the writer's wall clock as if it were UTC, so neither this machine's clock nor its zone can show through.
 */
import type { ParsedComponents, ParsedResult } from "chrono-node";
// By name: the package itself brings fourteen languages more, a seventh of all that is loaded at every start.
import * as en from "chrono-node/en";
import * as zh from "chrono-node/zh";
import { between, daySpan, fieldsOf, HOUR, MINUTE, type Span, wallDate } from "./calendar.ts";
import { isHabitual, nearestYearOf, type PlacedReading, type TimeContext } from "./reading.ts";
import { wallTime } from "./zone.ts";

export function readWithChrono(context: TimeContext, language: "en" | "zh"): PlacedReading[] {
  // Everything taken from it has a digit in it; Chinese numerals are read by our own rules.
  if (!/\d/.test(context.text)) return [];
  const parser = language === "zh" ? zh.hans : en;
  const results = parser.parse(context.text, { instant: new Date(context.now), timezone: 0 });
  return results.flatMap((result) => {
    const reading = readingOf(result, context);
    return reading === undefined ? [] : [reading];
  });
}

/** "24 hours before", "for 3 days": an amount of time, whose anchor only our own rules look for. */
const COUNTED = /\b(?:ago|before|after|later|within|for)\b|\b(?:minute|min|hour|hr|day|week|month|year)s?\b/i;

function readingOf(result: ParsedResult, context: TimeContext): PlacedReading | undefined {
  if (!/\d/.test(result.text) || COUNTED.test(result.text)) return undefined;
  const first = spanOf(result.start, context, result.index);
  if (first === undefined) return undefined;
  // The types say undefined, the library says null.
  const last = result.end ? spanOf(result.end, context, result.index) : undefined;
  const isRange = last !== undefined && last.end > first.start;
  return {
    span: isRange ? between(first, last) : first,
    start: result.index,
    end: result.index + result.text.length,
    relative: !(isRange && result.end ? result.end : result.start).isCertain("year"),
  };
}

function spanOf(found: ParsedComponents, context: TimeContext, at: number): Span | undefined {
  const hasDate = found.isCertain("day") && found.isCertain("month");
  const hasHour = found.isCertain("hour");
  if (!hasDate && (!hasHour || !found.isCertain("meridiem") || isHabitual(context, at))) return undefined;
  const day = hasDate && !found.isCertain("year") ? yearlessDay(found, context, at) : dayOf(found);
  if (!hasHour) return day;
  const start = found.isCertain("timezoneOffset")
    ? wallTime(found.date().getTime(), context.zone)
    : day.start + (found.get("hour") ?? 0) * HOUR + (found.get("minute") ?? 0) * MINUTE;
  return found.isCertain("minute")
    ? { start, end: start + MINUTE, granularity: "minute" }
    : { start, end: start + HOUR, granularity: "hour" };
}

function dayOf(found: ParsedComponents): Span {
  return daySpan(wallDate(found.get("year") ?? 1970, found.get("month") ?? 1, found.get("day") ?? 1));
}

function yearlessDay(found: ParsedComponents, context: TimeContext, at: number): Span {
  const { month, day } = fieldsOf(dayOf(found).start);
  return nearestYearOf((year) => daySpan(wallDate(year, month, day)), context, at);
}
