/** What the readers of both languages are given and give back: a place in a text, and the span that is named there. */
import {
  DAY,
  daySpan,
  fieldsOf,
  isRealDate,
  monthSpan,
  type Span,
  unitAway,
  wallDate,
  weekendOf,
} from "./calendar.ts";
import { isArranged, isHabit, type Tense, tenseAround } from "./tense.ts";
import type { Zone } from "./zone.ts";

/** A text, and when (on its writer's wall clock) it was written. */
export interface TimeContext {
  readonly text: string;
  readonly now: number;
  readonly zone: Zone;
}

/** A reading and where its expression begins. */
export interface PlacedReading extends Reading {
  readonly start: number;
}

export interface Reading {
  readonly span: Span;
  /** Where in the text the expression ends. */
  readonly end: number;
  /** Whether it means something else when it is said at another time. */
  readonly relative: boolean;
}

/** A month or a date without a year: by the sentence's tense, and where that says nothing the nearest one. */
export function nearestYearOf(make: (year: number) => Span, context: TimeContext, at: number): Span {
  const { year } = fieldsOf(context.now);
  return nearest([make(year - 1), make(year), make(year + 1)], context, at);
}

/** A day of the month without a month ("on the 15th", 15号); undefined where no near month has it. */
export function nearestMonthDay(day: number, context: TimeContext, at: number): Span | undefined {
  const { year, month } = fieldsOf(context.now);
  const found = [-1, 0, 1]
    .map((offset) => fieldsOf(monthSpan(year, month + offset).start))
    .filter((first) => isRealDate(first.year, first.month, day))
    .map((first) => daySpan(wallDate(first.year, first.month, day)));
  return found.length === 0 ? undefined : nearest(found, context, at);
}

/** A weekday (1 to 7) alone: the last one before today, or the next one after it if the sentence speaks of the future. */
export function nearestWeekday(weekday: number, context: TimeContext, at: number): Span {
  const today = daySpan(context.now);
  const back = (fieldsOf(context.now).weekday - weekday + 7) % 7 || 7;
  const isPlanned =
    isArranged(context.text, at) || /\b(?:for|by|until) $/i.test(context.text.slice(Math.max(0, at - 7), at));
  const isFuture = isPlanned || tenseAround(context.text, at) === "future";
  return daySpan(today.start + (isFuture ? 7 - (back % 7) : -back) * DAY);
}

/** "the weekend", 周末: by tense; where that says nothing the coming one from Thursday on, the past one before. */
export function nearestWeekend(context: TimeContext, at: number): Span {
  const tense = tenseAround(context.text, at);
  const { weekday } = fieldsOf(context.now);
  const isThisWeek = weekday > 5 || tense === "future" || (tense === "unknown" && weekday > 3);
  return weekendOf(unitAway(context.now, "week", isThisWeek ? 0 : -1));
}

/** Whether the words there stand for one time, and not for every Monday. */
export function isHabitual(context: TimeContext, at: number): boolean {
  return isHabit(context.text, at);
}

function nearest(spans: readonly Span[], context: TimeContext, at: number): Span {
  const tense = tenseAround(context.text, at);
  const allowed = spans.filter((span) => fits(span, tense, context.now));
  const distance = (span: Span): number =>
    Math.max(0, span.start - context.now, context.now - span.end) + Math.abs(span.start - context.now) / 1e6;
  const pool = allowed.length > 0 ? allowed : spans;
  return pool.reduce((best, span) => (distance(span) < distance(best) ? span : best));
}

function fits(span: Span, tense: Tense, now: number): boolean {
  if (tense === "past") return span.start <= now;
  return tense === "future" ? span.end > now : true;
}
