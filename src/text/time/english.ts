/**
 * Which times does an English text name? A small recursive reader: at every word each rule may read a period, a rule may
 * ask for a further period behind it ("the end of …", "the Friday before …"), and the longest reading wins.
 */
import { between, daySpan, fieldsOf, hoursOf, monthSpan, type Span, unitAway, wallDate } from "./calendar.ts";
import { clockSpan } from "./english-clock.ts";
import { ENGLISH_DATE_RULES } from "./english-dates.ts";
import { ENGLISH_NESTED_RULES } from "./english-nested.ts";
import { ENGLISH_RELATIVE_RULES } from "./english-relative.ts";
import type { EnglishRule, ReadPeriod } from "./english-rule.ts";
import type { PlacedReading, Reading, TimeContext } from "./reading.ts";

export function readEnglish(context: TimeContext): PlacedReading[] {
  const found: PlacedReading[] = [];
  if (!TRIGGER.test(context.text)) return found;
  WORD_START.lastIndex = 0;
  for (let word = WORD_START.exec(context.text); word !== null; word = WORD_START.exec(context.text)) {
    const reading = rangeAt(context, word.index);
    if (reading === undefined) continue;
    const { isRange, ...rest } = reading;
    found.push({ ...rest, start: startWithPreposition(context.text, word.index, isRange) });
    WORD_START.lastIndex = reading.end;
  }
  return found;
}

const RULES: readonly EnglishRule[] = [
  ...ENGLISH_RELATIVE_RULES,
  ...ENGLISH_DATE_RULES,
  ...ENGLISH_NESTED_RULES,
];

/** A text without any of these names no time that the rules could read. */
const TRIGGER =
  /\d|day|night|week|month|year|decade|century|quarter|hour|minute|morning|afternoon|evening|noon|tomorrow|today|spring|summer|autumn|fall|winter|christmas|halloween|thanksgiving|january|february|march|april|may|june|july|august|september|october|november|december|\b(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)\b/i;
const WORD_START = /(?<![\p{L}\p{N}_])['’]?[A-Za-z0-9]/gu;
const RANGE_WORD = /\s*(?:-|–|—|\bto\b|\buntil\b|\btill\b|\bthrough\b|\band\b)\s*(?:the\s+)?/iy;
const DAY_PART = /,?\s+(?:in the\s+|during the\s+)?(morning|afternoon|evening|night)\b/iy;
const PARTS: ReadonlyMap<string, readonly [number, number]> = new Map([
  ["morning", [6, 12]],
  ["afternoon", [12, 18]],
  ["evening", [18, 24]],
  ["night", [18, 24]],
]);

/** A period with what narrows it: "yesterday" + "at 3 pm", "Friday" + "morning". */
const periodAt: ReadPeriod = (context, at) => {
  let best: Reading | undefined;
  for (const rule of RULES) {
    rule.pattern.lastIndex = at;
    const match = rule.pattern.exec(context.text);
    if (match === null) continue;
    const reading = rule.read({ match, groups: match.groups ?? {}, context, at, periodAt });
    if (reading !== undefined && reading.end > (best?.end ?? 0)) best = reading;
  }
  return best === undefined ? undefined : narrowed(best, context);
};

function narrowed(reading: Reading, context: TimeContext): Reading {
  if (reading.span.granularity !== "day" || reading.span.end - reading.span.start > daySpan(0).end)
    return reading;
  DAY_PART.lastIndex = reading.end;
  const part = DAY_PART.exec(context.text);
  const hours = PARTS.get(part?.[1]?.toLowerCase() ?? "");
  if (part !== null && hours !== undefined) {
    const end = reading.end + part[0].length;
    const span = hoursOf(reading.span, hours[0], hours[1]);
    const clock = clockSpan(context.text, end, span);
    return { ...reading, span: clock?.span ?? span, end: clock?.end ?? end };
  }
  const clock = clockSpan(context.text, reading.end, reading.span);
  return clock === undefined ? reading : { ...reading, ...clock };
}

/** One period, or two with "to" or "and" between them where "from" or "between" announced a range. */
function rangeAt(context: TimeContext, at: number): (Reading & { readonly isRange: boolean }) | undefined {
  const first = periodAt(context, at);
  if (first === undefined) return undefined;
  const range = rangeFrom(first, context, at);
  return range === undefined ? { ...first, isRange: false } : { ...range, isRange: true };
}

function rangeFrom(first: Reading, context: TimeContext, at: number): Reading | undefined {
  RANGE_WORD.lastIndex = first.end;
  const joint = RANGE_WORD.exec(context.text);
  if (joint === null) return undefined;
  const announced = /\b(?:from|between)\s+(?:the\s+)?$/i.test(context.text.slice(Math.max(0, at - 14), at));
  if (!announced && !/[-–—]/.test(joint[0])) return undefined;
  const last = periodAt(context, first.end + joint[0].length) ?? lastYearAt(context, first, joint[0].length);
  if (last === undefined || last.span.granularity !== first.span.granularity) return undefined;
  const from = first.relative && !last.relative ? beforeInYear(first.span, last.span) : first.span;
  if (from.start >= last.span.start) return undefined;
  return { span: between(from, last.span), end: last.end, relative: last.relative };
}

/** The bare second year of "from 2019 to 2021". */
function lastYearAt(context: TimeContext, first: Reading, gap: number): Reading | undefined {
  if (first.span.granularity !== "year") return undefined;
  const found = /^(1[0-9]\d\d|20\d\d)\b/.exec(context.text.slice(first.end + gap, first.end + gap + 5));
  if (found === null) return undefined;
  const span = unitAway(wallDate(Number(found[1]), 1), "year", 0);
  return { span, end: first.end + gap + found[0].length, relative: false };
}

/** "from May 3 to May 7, 2023": the first date takes the year of the last. */
function beforeInYear(first: Span, last: Span): Span {
  const { month, day } = fieldsOf(first.start);
  const { year } = fieldsOf(last.start);
  const inYear = (y: number): Span =>
    first.granularity === "month" ? monthSpan(y, month) : daySpan(wallDate(y, month, day));
  return inYear(year).start <= last.start ? inYear(year) : inYear(year - 1);
}

/** The preposition before an expression belongs to it: "on Friday" as a whole becomes "on 9 June 2023". */
function startWithPreposition(text: string, at: number, isRange: boolean): number {
  const before = (isRange ? BEFORE_RANGE : BEFORE_PERIOD).exec(text.slice(Math.max(0, at - 20), at));
  if (before === null) return at;
  // "come over tomorrow": there the word belongs to the verb.
  const isVerbs = /^over\s+$/i.test(before[0]) && !/^(?:the|last|past|this|next)\b/i.test(text.slice(at));
  return isVerbs ? at : at - before[0].length;
}

const BEFORE_PERIOD = /(?<![\p{L}\p{N}_])(?:in|on|at|over|during)\s+(?:the\s+)?$/iu;
const BEFORE_RANGE = /(?<![\p{L}\p{N}_])(?:in|on|at|over|during|from|between)\s+(?:the\s+)?$/iu;
