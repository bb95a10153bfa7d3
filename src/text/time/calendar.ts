/**
 * From when to when is a year, a season, a week, a morning? Spans of wall time (see zone.ts), half open: `start` belongs
 * to it, `end` does not. Weeks begin on Monday (ISO 8601); seasons are the meteorological ones of the northern
 * hemisphere, a winter being named by the year in which it begins.
 */

/** How sharp a span is: the largest of these units that fits into it. */
export const GRANULARITIES = [
  "second",
  "minute",
  "hour",
  "day",
  "week",
  "month",
  "season",
  "year",
  "decade",
  "century",
] as const;
export type Granularity = (typeof GRANULARITIES)[number];

export interface Span {
  readonly start: number;
  readonly end: number;
  readonly granularity: Granularity;
}

export type Season = "spring" | "summer" | "autumn" | "winter";
/** 初 / early, 中 / mid, 底 / late. */
export type Third = "early" | "middle" | "late";

export const MINUTE = 60_000;
export const HOUR = 3_600_000;
export const DAY = 86_400_000;

const SEASON_MONTHS = { spring: 2, summer: 5, autumn: 8, winter: 11 } as const;

export interface WallFields {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  /** 1 is Monday, 7 is Sunday. */
  readonly weekday: number;
}

export function fieldsOf(wall: number): WallFields {
  const date = new Date(wall);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    weekday: date.getUTCDay() === 0 ? 7 : date.getUTCDay(),
  };
}

/** Midnight of a date; months and days beyond their range carry over, as in `Date.UTC`. */
export function wallDate(year: number, month: number, day = 1): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getTime();
}

export function isRealDate(year: number, month: number, day: number): boolean {
  const fields = fieldsOf(wallDate(year, month, day));
  return fields.year === year && fields.month === month && fields.day === day;
}

export function daySpan(wall: number): Span {
  const start = Math.floor(wall / DAY) * DAY;
  return { start, end: start + DAY, granularity: "day" };
}

export function weekSpan(wall: number): Span {
  const start = daySpan(wall).start - (fieldsOf(wall).weekday - 1) * DAY;
  return { start, end: start + 7 * DAY, granularity: "week" };
}

export function weekendOf(week: Span): Span {
  return { start: week.start + 5 * DAY, end: week.start + 7 * DAY, granularity: "day" };
}

export function monthSpan(year: number, month: number): Span {
  return { start: wallDate(year, month), end: wallDate(year, month + 1), granularity: "month" };
}

export function yearSpan(year: number): Span {
  return { start: wallDate(year, 1), end: wallDate(year + 1, 1), granularity: "year" };
}

export function decadeSpan(firstYear: number): Span {
  return { start: wallDate(firstYear, 1), end: wallDate(firstYear + 10, 1), granularity: "decade" };
}

export function seasonSpan(year: number, season: Season): Span {
  const first = SEASON_MONTHS[season] + 1;
  return { start: wallDate(year, first), end: wallDate(year, first + 3), granularity: "season" };
}

export function quarterSpan(year: number, quarter: number): Span {
  const first = (quarter - 1) * 3 + 1;
  return { start: wallDate(year, first), end: wallDate(year, first + 3), granularity: "season" };
}

export function halfYearSpan(year: number, half: 1 | 2): Span {
  const first = half === 1 ? 1 : 7;
  return { start: wallDate(year, first), end: wallDate(year, first + 6), granularity: "season" };
}

/** The calendar unit that is `count` units away from the one `wall` lies in. */
export function unitAway(wall: number, unit: Granularity, count: number): Span {
  const { year, month } = fieldsOf(wall);
  switch (unit) {
    case "second":
      return floorSpan(wall + count * 1000, 1000, unit);
    case "minute":
      return floorSpan(wall + count * MINUTE, MINUTE, unit);
    case "hour":
      return floorSpan(wall + count * HOUR, HOUR, unit);
    case "day":
      return daySpan(wall + count * DAY);
    case "week":
      return weekSpan(wall + 7 * count * DAY);
    case "month":
      return monthSpan(year, month + count);
    case "season":
      return quarterSpan(year, Math.floor((month - 1) / 3) + 1 + count);
    case "year":
      return yearSpan(year + count);
    case "decade":
      return decadeSpan(Math.floor(year / 10) * 10 + 10 * count);
    case "century": {
      const first = Math.floor(year / 100) * 100 + 100 * count;
      return { start: wallDate(first, 1), end: wallDate(first + 100, 1), granularity: "century" };
    }
  }
}

/**
 * The first, middle or last part of a decade (three years at its ends, four between), a year (its first and last
 * quarter, May to August), a month (to the 10th, to the 20th, the rest) or a week (to Tuesday, Wednesday and Thursday,
 * from Friday); of anything else a third.
 */
export function thirdOf(span: Span, third: Third): Span {
  const { start, end, granularity } = span;
  const { year, month } = fieldsOf(start);
  const cut = (a: number, b: number, sharp: Granularity): Span => ({ start: a, end: b, granularity: sharp });
  const pick = (marks: readonly [number, number], sharp: Granularity): Span => {
    if (third === "early") return cut(start, marks[0], sharp);
    return third === "middle" ? cut(marks[0], marks[1], sharp) : cut(marks[1], end, sharp);
  };
  if (granularity === "year") {
    if (third === "middle") return cut(wallDate(year, 5), wallDate(year, 9), "season");
    return quarterSpan(year, third === "early" ? 1 : 4);
  }
  if (granularity === "decade") return pick([wallDate(year + 3, 1), wallDate(year + 7, 1)], "year");
  if (granularity === "month") return pick([wallDate(year, month, 11), wallDate(year, month, 21)], "week");
  if (granularity === "week") return pick([start + 2 * DAY, start + 4 * DAY], "day");
  const days = Math.floor((end - start) / DAY / 3) * DAY;
  return pick([start + days, end - days], sharpness(days));
}

/** "a few", 几: somewhere from 2 to 5. */
export const FEW = { least: 2, most: 5 } as const;

/** The stretch that lies a few units away, back (−1) or ahead (1). */
export function fewAway(unit: Granularity, wall: number, sign: 1 | -1): Span {
  const near = unitAway(wall, unit, sign * FEW.least);
  const far = unitAway(wall, unit, sign * FEW.most);
  return { ...(sign < 0 ? between(far, near) : between(near, far)), granularity: unit };
}

/** From so many units back up to today (or up to this hour), or from today so many ahead. */
export function rollingSpan(now: number, unit: Granularity, count: number): Span {
  const today = daySpan(now);
  if (unit === "hour" || unit === "minute" || unit === "second") {
    const edge = unitAway(now, unit, count);
    const present = unitAway(now, unit, 0);
    return { ...(count < 0 ? between(edge, present) : between(present, edge)), granularity: unit };
  }
  const edge = shiftDays(today.start, unit, count);
  if (count < 0) return { start: edge, end: today.end, granularity: unit };
  return { start: today.start, end: edge + DAY, granularity: unit };
}

const MONTHS_IN: ReadonlyMap<Granularity, number> = new Map([
  ["season", 3],
  ["year", 12],
  ["decade", 120],
  ["century", 1200],
]);

function shiftDays(start: number, unit: Granularity, count: number): number {
  if (unit === "day") return start + count * DAY;
  if (unit === "week") return start + 7 * count * DAY;
  const { year, month, day } = fieldsOf(start);
  const months = count * (MONTHS_IN.get(unit) ?? 1);
  const target = monthSpan(year, month + months);
  return Math.min(target.start + (day - 1) * DAY, target.end - DAY);
}

/** The hours from `from` to `to` of the day a span begins on. */
export function hoursOf(day: Span, from: number, to: number): Span {
  const start = daySpan(day.start).start;
  return { start: start + from * HOUR, end: start + to * HOUR, granularity: "hour" };
}

/** From the first span's start to the second one's end. */
export function between(first: Span, last: Span): Span {
  return { start: first.start, end: last.end, granularity: sharpness(last.end - first.start) };
}

/** The largest unit that fits into so many milliseconds. */
function sharpness(length: number): Granularity {
  let best: Granularity = "second";
  for (const unit of GRANULARITIES) if (length >= SHORTEST[unit]) best = unit;
  return best;
}

const SHORTEST: Readonly<Record<Granularity, number>> = {
  second: 1000,
  minute: MINUTE,
  hour: HOUR,
  day: DAY,
  week: 7 * DAY,
  month: 28 * DAY,
  season: 89 * DAY,
  year: 365 * DAY,
  decade: 3652 * DAY,
  century: 36_524 * DAY,
};

function floorSpan(wall: number, size: number, granularity: Granularity): Span {
  const start = Math.floor(wall / size) * size;
  return { start, end: start + size, granularity };
}
