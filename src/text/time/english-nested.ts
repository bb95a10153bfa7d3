/** English times that are told by another time: "the end of May", "the Friday before 15 July 2023", "at 3 pm on Monday". */
import {
  DAY,
  daySpan,
  fewAway,
  fieldsOf,
  hoursOf,
  monthSpan,
  quarterSpan,
  type Span,
  type Third,
  thirdOf,
  unitAway,
  weekendOf,
  weekSpan,
} from "./calendar.ts";
import { CLOCK, clockOnDay } from "./english-clock.ts";
import { type EnglishRule, nestedRule, type RuleInput, rule } from "./english-rule.ts";
import { COUNT, countOf, ORDINALS, UNIT, unitOf, WEEKDAY, weekdayOf } from "./english-words.ts";
import { isHabitual } from "./reading.ts";

const ADJECTIVE_THIRD = "(?<adjective>early|mid|late)";
const NOUN_THIRD = "(?<noun>beginning|start|middle|end)";

export const ENGLISH_NESTED_RULES: readonly EnglishRule[] = [
  nestedRule(
    `(?:${ADJECTIVE_THIRD}(?: in| on)?|(?:the )?${NOUN_THIRD} of)[ -](?:the )?`,
    ({ groups }, inner) =>
      // "late last night", "early on Monday": no calendar can say more than the inner time does.
      isLongerThanDay(inner) ? thirdOf(inner, thirdByWord(groups.adjective ?? groups.noun)) : inner,
  ),
  rule(`(?:the )?${NOUN_THIRD} of (?:the|this) (?<unit>week|month|year)\\b`, ({ groups, context }) =>
    thirdOf(unitAway(context.now, unitOf(groups.unit ?? "")[0], 0), thirdByWord(groups.noun)),
  ),
  nestedRule(
    `(?:the )?(?<unit>day|week|weekend|month|year|night|${WEEKDAY}) (?<side>before|after|prior to|following) (?:the )?(?:on )?`,
    beside,
  ),
  nestedRule(
    `(?<count>${COUNT}) (?<unit>${UNIT}) (?<side>before|after|prior to|following) (?:the )?`,
    countedBeside,
  ),
  nestedRule("the (?<unit>week|weekend) (?:of|starting|beginning) (?:on )?(?:the )?", ({ groups }, inner) => {
    if (inner.granularity !== "day") return undefined;
    const week = weekSpan(inner.start);
    return groups.unit?.toLowerCase() === "week" ? week : weekendOf(week);
  }),
  nestedRule(
    "the (?<part>early morning|morning|afternoon|evening|night) of (?:the )?",
    ({ groups }, inner) => {
      if (inner.granularity !== "day") return undefined;
      const part = groups.part?.toLowerCase();
      if (part === "early morning") return hoursOf(inner, 0, 6);
      if (part === "morning") return hoursOf(inner, 6, 12);
      return part === "afternoon" ? hoursOf(inner, 12, 18) : hoursOf(inner, 18, 24);
    },
  ),
  nestedRule(
    `the (?<nth>first|second|third|fourth|fifth|last) (?<unit>day|week|weekend|month|quarter|${WEEKDAY}) (?:of|in) (?:the )?`,
    nth,
  ),
  nestedRule(`${CLOCK},? (?:on |in )?(?:the )?`, ({ groups }, inner) =>
    isLongerThanDay(inner) || inner.granularity === "minute" ? undefined : clockOnDay(groups, inner),
  ),
  rule(`${CLOCK}`, ({ groups, context, at }) => {
    const isTime =
      groups.half !== undefined ||
      /\b(?:at|by|until|around|from|till) $/i.test(context.text.slice(Math.max(0, at - 8), at));
    return isTime && !isHabitual(context, at) ? clockOnDay(groups, daySpan(context.now)) : undefined;
  }),
];

function isLongerThanDay(span: Span): boolean {
  return span.end - span.start > DAY;
}

function thirdByWord(word: string | undefined): Third {
  const plain = word?.toLowerCase() ?? "";
  if (plain === "early" || plain === "beginning" || plain === "start") return "early";
  return plain === "late" || plain === "end" ? "late" : "middle";
}

/** The unit right before or after a time: of days the neighbouring ones, of months and years the calendar's. */
function beside({ groups }: RuleInput, inner: Span): Span | undefined {
  const unit = groups.unit?.toLowerCase() ?? "";
  const isBefore = isBeforeWord(groups.side);
  const edge = isBefore ? inner.start - DAY : inner.end;
  if (!isLongerThanDay(inner) || unit.endsWith("day") || unit === "night") {
    if (unit === "day") return daySpan(edge);
    if (unit === "night") return hoursOf(daySpan(edge), 18, 24);
    if (unit === "week") return isBefore ? days(inner.start - 7 * DAY, 7) : days(inner.end, 7);
    if (unit === "weekend") return nearestWeekend(edge, isBefore);
    if (unit.endsWith("day")) return nearestDay(edge, weekdayOf(unit), isBefore);
  }
  const [granularity] = unitOf(unit);
  return unitAway(isBefore ? inner.start : inner.end - 1, granularity, isBefore ? -1 : 1);
}

function countedBeside({ groups }: RuleInput, inner: Span): Span {
  const count = countOf(groups.count ?? "");
  const [unit, times] = unitOf(groups.unit ?? "");
  const isBefore = isBeforeWord(groups.side);
  const from = isBefore ? inner.start : inner.end - 1;
  const sign = isBefore ? -1 : 1;
  return count === "few" ? fewAway(unit, from, sign) : unitAway(from, unit, sign * count * times);
}

function nth({ groups }: RuleInput, inner: Span): Span | undefined {
  const unit = groups.unit?.toLowerCase() ?? "";
  const index = ORDINALS.get(groups.nth?.toLowerCase() ?? "") ?? 1;
  if (!isLongerThanDay(inner)) return undefined;
  if (unit === "quarter" || unit === "month") {
    if (inner.granularity !== "year") return undefined;
    const { year } = fieldsOf(inner.start);
    const last = unit === "quarter" ? 4 : 12;
    const number = index < 0 ? last : index;
    return unit === "quarter" ? quarterSpan(year, number) : monthSpan(year, number);
  }
  const found = listIn(inner, unit);
  const span = index < 0 ? found.at(-1) : found[index - 1];
  return span;
}

/** Every day, seven-day stretch, weekend or named weekday that begins within a span, in order. */
function listIn(inner: Span, unit: string): Span[] {
  const out: Span[] = [];
  if (unit === "week") {
    // "The first week of May" is its first seven days, the last its last seven.
    for (let start = inner.start; start + 7 * DAY <= inner.end; start += 7 * DAY) out.push(days(start, 7));
    out[out.length - 1] = days(inner.end - 7 * DAY, 7);
    return out;
  }
  for (let start = inner.start; start < inner.end; start += DAY) {
    const { weekday } = fieldsOf(start);
    if (unit === "weekend" && weekday === 6) out.push(days(start, 2));
    else if (unit === "day" || (unit !== "weekend" && weekday === weekdayOf(unit))) out.push(daySpan(start));
  }
  return out;
}

function days(start: number, count: number): Span {
  return { start, end: start + count * DAY, granularity: count >= 7 ? "week" : "day" };
}

function nearestWeekend(edge: number, isBefore: boolean): Span {
  const saturday = nearestDay(edge, 6, isBefore);
  // The weekend must be over before, or begin after, the time it is told by.
  return isBefore && saturday.end > edge ? days(saturday.start - 7 * DAY, 2) : days(saturday.start, 2);
}

function nearestDay(edge: number, weekday: number, isBefore: boolean): Span {
  const today = fieldsOf(edge).weekday;
  const offset = isBefore ? -((today - weekday + 7) % 7) : (weekday - today + 7) % 7;
  return daySpan(edge + offset * DAY);
}

function isBeforeWord(word: string | undefined): boolean {
  const plain = word?.toLowerCase() ?? "";
  return plain === "before" || plain === "prior to";
}
