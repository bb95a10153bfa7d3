/** English times that the calendar names: years, months, dates, decades, seasons of a year, quarters and fixed holidays. */
import {
  DAY,
  daySpan,
  decadeSpan,
  fieldsOf,
  isRealDate,
  monthSpan,
  quarterSpan,
  type Span,
  seasonSpan,
  wallDate,
  yearSpan,
} from "./calendar.ts";
import { type EnglishRule, type RuleInput, rule } from "./english-rule.ts";
import { MONTH, monthOf, SEASON, seasonOf, WEEKDAY, YEAR } from "./english-words.ts";
import { isHabitual, nearestMonthDay, nearestYearOf } from "./reading.ts";
import { tenseAround } from "./tense.ts";

/** Words after which a bare month or year is a time and not a number or a name. */
const AFTER_PREPOSITION =
  "(?<=\\b(?:in|since|during|by|until|till|from|of|before|after|around|circa|through|between|early|late|mid|to|back in|the year)[ -](?:the )?)";
const WHOSE_YEAR = `(?: of)?,? (?:(?<year>${YEAR}|['’]\\d\\d)\\b|(?<whose>last|this|next) year\\b)`;
const DAY_NUMBER = "(?<day>\\d{1,2})(?:st|nd|rd|th)?";
const NAMED_YEAR = (groups: RuleInput["groups"]): boolean => groups.year === undefined;

export const ENGLISH_DATE_RULES: readonly EnglishRule[] = [
  rule("(?<year>\\d{4})-(?<number>\\d{2})-(?<day>\\d{2})(?![\\d-])", isoDate, false),
  rule("(?<year>\\d{4})-(?<number>\\d{2})(?![\\d-])", isoMonth, false),
  rule(`(?:the year )?(?<year>${YEAR})\\b(?![-/.:]\\d)`, bareYear, false),
  rule("(?<first>the )?(?:(?<century>1\\d|20)|['’])?(?<tens>\\d0)['’]?s\\b", decade, false),
  rule(
    `(?<month>${MONTH})${WHOSE_YEAR}`,
    ({ groups, context }) => monthSpan(yearOf(groups, context.now), monthOf(groups.month ?? "")),
    NAMED_YEAR,
  ),
  rule(`${AFTER_PREPOSITION}(?<month>${MONTH})(?! \\d)`, ({ groups, context, at }) =>
    nearestYearOf((year) => monthSpan(year, monthOf(groups.month ?? "")), context, at),
  ),
  rule(
    `(?:${WEEKDAY}\\.?,? )?(?:the )?${DAY_NUMBER}(?: of)? (?<month>${MONTH})(?:${WHOSE_YEAR})?`,
    dayAndMonth,
    NAMED_YEAR,
  ),
  rule(
    `(?:${WEEKDAY}\\.?,? )?(?<month>${MONTH}) (?:the )?${DAY_NUMBER}\\b(?!:\\d|['’]?s\\b)(?:${WHOSE_YEAR})?`,
    dayAndMonth,
    NAMED_YEAR,
  ),
  rule(
    "the (?<day>\\d{1,2})(?:st|nd|rd|th)(?: of (?<whose>last|this|next) month)?\\b(?! (?:century|time|of \\w))",
    dayOfMonth,
  ),
  rule(
    `(?:the )?(?<season>${SEASON})${WHOSE_YEAR}`,
    ({ groups, context }) => seasonSpan(yearOf(groups, context.now), seasonOf(groups.season ?? "")),
    NAMED_YEAR,
  ),
  rule(`(?<=\\b(?:in|during|over|since|by) )(?:the )?(?<season>${SEASON})\\b`, seasonByTense),
  rule(
    `Q(?<quarter>[1-4])(?:${WHOSE_YEAR})?\\b`,
    ({ groups, context }) => quarterSpan(yearOf(groups, context.now), Number(groups.quarter)),
    NAMED_YEAR,
  ),
  rule(
    "(?:(?<which>last|this|next) )?(?<name>christmas eve|christmas day|christmas|boxing day|new year['’]?s eve|new year['’]?s day|halloween|valentine['’]?s day|independence day|thanksgiving)\\b" +
      `(?:${WHOSE_YEAR})?`,
    holiday,
    NAMED_YEAR,
  ),
];

const FIXED_HOLIDAYS: ReadonlyMap<string, readonly [number, number]> = new Map([
  ["christmas eve", [12, 24]],
  ["christmas day", [12, 25]],
  ["christmas", [12, 25]],
  ["boxing day", [12, 26]],
  ["new years eve", [12, 31]],
  ["new years day", [1, 1]],
  ["halloween", [10, 31]],
  ["valentines day", [2, 14]],
  ["independence day", [7, 4]],
]);

function yearOf(groups: RuleInput["groups"], now: number): number {
  if (groups.year !== undefined) return fullYear(groups.year);
  const offset = { last: -1, next: 1 }[groups.whose?.toLowerCase() ?? ""] ?? 0;
  return fieldsOf(now).year + offset;
}

/** '69 and '07: the century that fits a life told today. */
function fullYear(text: string): number {
  const number = Number(text.replace(/['’]/, ""));
  if (number >= 100) return number;
  return number + (number < 50 ? 2000 : 1900);
}

function isoDate({ groups }: RuleInput): Span | undefined {
  const [year, month, day] = [Number(groups.year), Number(groups.number), Number(groups.day)];
  return isRealDate(year, month, day) ? daySpan(wallDate(year, month, day)) : undefined;
}

function isoMonth({ groups }: RuleInput): Span | undefined {
  const [year, month] = [Number(groups.year), Number(groups.number)];
  return year >= 1000 && year < 2100 && month >= 1 && month <= 12 ? monthSpan(year, month) : undefined;
}

const YEAR_SIGN = new RegExp(`${AFTER_PREPOSITION}$`, "i");

function bareYear({ match, groups, context, at }: RuleInput): Span | undefined {
  const isNamed = /^the/i.test(match[0]) || YEAR_SIGN.test(context.text.slice(Math.max(0, at - 16), at));
  // "of 1500 people", "from 2000 metres": a number of things.
  const isCount =
    /^ (?!and\b|to\b|in\b|at\b|on\b|or\b|but\b|when\b|with\b|for\b|as\b|he\b|she\b|we\b|i\b|they\b|it\b|the\b|was\b|is\b)(?:[a-z]+s|people|men|women|children|percent|kg|km|m)\b/i.test(
      context.text.slice(at + match[0].length, at + match[0].length + 20),
    );
  return isNamed && !isCount ? yearSpan(Number(groups.year)) : undefined;
}

function decade({ groups }: RuleInput): Span | undefined {
  const tens = Number(groups.tens);
  if (groups.century !== undefined) return decadeSpan(Number(groups.century) * 100 + tens);
  // "the 80s" is a decade, "my 20s" an age.
  if (groups.first === undefined || tens < 20) return undefined;
  return decadeSpan((tens >= 30 ? 1900 : 2000) + tens);
}

function dayAndMonth({ groups, context, at }: RuleInput): Span | undefined {
  const name = groups.month ?? "";
  const hasYear = groups.year !== undefined || groups.whose !== undefined;
  // "5 may come" and "march 3 miles" are not dates.
  if (!hasYear && /^(?:may|mar|march)\b/.test(name)) return undefined;
  const month = monthOf(name);
  const day = Number(groups.day);
  const inYear = (year: number): Span => daySpan(wallDate(year, month, day));
  const year = hasYear ? yearOf(groups, context.now) : 2024;
  if (!isRealDate(year, month, day)) return undefined;
  return hasYear ? inYear(year) : nearestYearOf(inYear, context, at);
}

function dayOfMonth({ groups, context, at }: RuleInput): Span | undefined {
  const day = Number(groups.day);
  if (groups.whose === undefined) {
    const isAnnounced = /\b(?:on|by|until|since|before|after|from) $/i.test(
      context.text.slice(Math.max(0, at - 8), at),
    );
    return isAnnounced ? nearestMonthDay(day, context, at) : undefined;
  }
  const { year, month } = fieldsOf(context.now);
  const offset = { last: -1, next: 1 }[groups.whose.toLowerCase()] ?? 0;
  const whole = monthSpan(year, month + offset);
  const start = whole.start + (day - 1) * DAY;
  return day >= 1 && start < whole.end ? daySpan(start) : undefined;
}

function seasonByTense({ groups, context, at }: RuleInput): Span | undefined {
  const season = seasonOf(groups.season ?? "");
  return tenseAround(context.text, at) === "unknown"
    ? undefined
    : nearestYearOf((year) => seasonSpan(year, season), context, at);
}

function holiday({ groups, context, at }: RuleInput): Span | undefined {
  const name = (groups.name ?? "").toLowerCase().replace(/['’]/g, "");
  const inYear = (year: number): Span => daySpan(holidayDate(name, year));
  if (groups.year !== undefined || groups.whose !== undefined) return inYear(yearOf(groups, context.now));
  const which = groups.which?.toLowerCase();
  if (which === undefined) return isHabitual(context, at) ? undefined : nearestYearOf(inYear, context, at);
  const { year } = fieldsOf(context.now);
  if (which === "this") return inYear(year);
  const today = daySpan(context.now).start;
  if (which === "last") return inYear(inYear(year).start < today ? year : year - 1);
  return inYear(inYear(year).start > today ? year : year + 1);
}

function holidayDate(name: string, year: number): number {
  const fixed = FIXED_HOLIDAYS.get(name);
  if (fixed !== undefined) return wallDate(year, fixed[0], fixed[1]);
  // Thanksgiving, United States: the fourth Thursday of November.
  const first = wallDate(year, 11);
  return first + (((4 - fieldsOf(first).weekday + 7) % 7) + 21) * DAY;
}
