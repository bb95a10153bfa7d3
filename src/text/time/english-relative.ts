/** English times that count from now: "yesterday", "three months ago", "last week", "this Friday", "the past two weeks". */
import {
  between,
  DAY,
  daySpan,
  FEW,
  fewAway,
  fieldsOf,
  hoursOf,
  monthSpan,
  rollingSpan,
  type Span,
  seasonSpan,
  unitAway,
  wallDate,
  weekendOf,
  weekSpan,
} from "./calendar.ts";
import { type EnglishRule, type RuleInput, rule } from "./english-rule.ts";
import {
  COUNT,
  countOf,
  MONTH,
  monthOf,
  SEASON,
  seasonOf,
  UNIT,
  unitOf,
  WEEKDAY,
  WEEKDAY_NAME,
  weekdayOf,
} from "./english-words.ts";
import { isHabitual, nearestWeekday, nearestWeekend } from "./reading.ts";
import { tenseAround } from "./tense.ts";

const WHICH = "(?<which>this past|this coming|last|past|previous|this|current|next|coming|upcoming)";
const ABOUT = "(?:about |around |roughly |nearly |almost |over |more than |just )?";

export const ENGLISH_RELATIVE_RULES: readonly EnglishRule[] = [
  rule(
    "(?:the )?(?<word>day before yesterday|day after tomorrow|yesterday|today|tomorrow)\\b",
    ({ groups, context }) =>
      daySpan(context.now + (DAY_WORDS.get(groups.word?.toLowerCase() ?? "") ?? 0) * DAY),
  ),
  rule(
    "(?<word>last night|tonight|this morning|this afternoon|this evening|earlier today|later today)\\b",
    partOfNow,
  ),
  rule(`${ABOUT}(?<count>${COUNT})[ -](?<unit>${UNIT}) (?:ago|back|earlier this)\\b`, ({ groups, context }) =>
    away(groups, context.now, -1),
  ),
  rule(`${ABOUT}(?<count>${COUNT}) (?<unit>${UNIT}) from now\\b`, ({ groups, context }) =>
    away(groups, context.now, 1),
  ),
  rule(`(?<count>${COUNT}) (?<day>${WEEKDAY_NAME})s ago\\b`, ({ groups, context }) => {
    const back = (fieldsOf(context.now).weekday - weekdayOf(groups.day ?? "") + 7) % 7 || 7;
    const count = countOf(groups.count ?? "");
    return count === "few" ? undefined : daySpan(context.now - (back + 7 * (count - 1)) * DAY);
  }),
  rule(`${ABOUT}half a year ago\\b`, ({ context }) => unitAway(context.now, "month", -6)),
  rule(`${ABOUT}(?:an?|one) year and a half ago\\b`, ({ context }) => unitAway(context.now, "month", -18)),
  rule(
    `(?<=\\bin )${ABOUT}(?<count>${COUNT}) (?<unit>${UNIT})\\b(?! of\\b| or\\b)`,
    ({ groups, context, at }) =>
      // "finished it in two weeks" tells how long it took.
      tenseAround(context.text, at) === "past" ? undefined : away(groups, context.now, 1),
  ),
  rule("(?:the )?other (?<unit>day|night|week)\\b", ({ match, groups, context }) =>
    match[0].toLowerCase().startsWith("the")
      ? fewAway(unitOf(groups.unit ?? "")[0], context.now, -1)
      : undefined,
  ),
  rule(
    `(?:the )?${WHICH} (?<unit>week|weekend|month|quarter|year|decade|century)\\b(?! (?:before|after)\\b)`,
    unitByWord,
  ),
  rule(
    "(?:the )?(?<unit>week|weekend|month|year) (?<word>before last|after next)\\b",
    ({ groups, context }) =>
      unitSpan(groups.unit ?? "", context.now, groups.word?.toLowerCase() === "before last" ? -2 : 2),
  ),
  rule("the weekend\\b", ({ context, at }) => nearestWeekend(context, at)),
  rule(
    `(?:the )?(?:last|past|previous) (?<count>${COUNT}) (?<unit>${UNIT})\\b(?<!\\ba \\w+)`,
    ({ groups, context }) => rolling(groups, context.now, -1),
  ),
  rule(`(?:the )?(?:next|coming|following) (?<count>${COUNT}) (?<unit>${UNIT})\\b`, ({ groups, context }) =>
    rolling(groups, context.now, 1),
  ),
  rule("(?<word>earlier|later) this (?<unit>week|month|year)\\b", ({ groups, context }) => {
    const whole = unitSpan(groups.unit ?? "", context.now, 0);
    const today = daySpan(context.now);
    if (groups.word?.toLowerCase() === "earlier") {
      return today.start > whole.start ? between(whole, { ...today, end: today.start }) : today;
    }
    return today.end < whole.end ? between({ ...today, start: today.end }, whole) : today;
  }),
  rule(`(?:${WHICH} )?(?<day>${WEEKDAY})(?:(?: of)? (?<week>last|this|next) week\\b)?`, weekdayByWord),
  rule(`${WHICH} (?<month>${MONTH})(?! \\d)`, monthByWord),
  rule(`(?:${WHICH} )(?<season>${SEASON})\\b`, seasonByWord),
  rule("this time (?<which>last|next) year\\b", ({ groups, context }) => {
    const { year, month } = fieldsOf(context.now);
    return monthSpan(year + direction(groups.which), month);
  }),
];

const DAY_WORDS: ReadonlyMap<string, number> = new Map([
  ["day before yesterday", -2],
  ["yesterday", -1],
  ["today", 0],
  ["tomorrow", 1],
  ["day after tomorrow", 2],
]);

/** −1 for the one before, 0 for the present one, 1 for the one after. */
function direction(which: string | undefined): -1 | 0 | 1 {
  const word = which?.toLowerCase() ?? "this";
  if (word === "last" || word === "previous" || word.endsWith("past")) return -1;
  return word === "this" || word === "current" ? 0 : 1;
}

function partOfNow({ groups, context }: RuleInput): Span {
  const word = groups.word?.toLowerCase() ?? "";
  const today = daySpan(context.now);
  const hour = fieldsOf(context.now).hour;
  if (word === "last night") return hoursOf(daySpan(today.start - DAY), 18, 24);
  if (word === "earlier today") return hoursOf(today, 0, Math.max(1, hour));
  if (word === "later today") return hoursOf(today, Math.min(23, hour), 24);
  if (word.endsWith("morning")) return hoursOf(today, 6, 12);
  return word.endsWith("afternoon") ? hoursOf(today, 12, 18) : hoursOf(today, 18, 24);
}

function away(groups: RuleInput["groups"], now: number, sign: 1 | -1): Span {
  const count = countOf(groups.count ?? "");
  const [unit, times] = unitOf(groups.unit ?? "");
  return count === "few" ? fewAway(unit, now, sign) : unitAway(now, unit, sign * count * times);
}

/** From so many units back up to today, or from today on. */
function rolling(groups: RuleInput["groups"], now: number, sign: 1 | -1): Span {
  const count = countOf(groups.count ?? "");
  const [unit, times] = unitOf(groups.unit ?? "");
  return rollingSpan(now, unit, sign * (count === "few" ? FEW.most : count) * times);
}

function unitByWord({ match, groups, context, at }: RuleInput): Span {
  const unit = groups.unit?.toLowerCase() ?? "";
  const which = groups.which?.toLowerCase() ?? "";
  // "the past year" reaches up to today; "last year" and "this past year" do not.
  if (which === "past" && unit !== "weekend") return rollingSpan(context.now, unitOf(unit)[0], -1);
  const isNextWeekendAhead = unit === "weekend" && direction(which) === 1 && /^this/i.test(which);
  if (isNextWeekendAhead) return weekendOf(weekSpan(context.now));
  if (unit === "weekend" && which === "this" && fieldsOf(context.now).weekday < 3) {
    // Said early in the week about what was, "this weekend" is the one just gone.
    const offset = tenseAround(context.text, at + match[0].length) === "past" ? -1 : 0;
    return weekendOf(unitAway(context.now, "week", offset));
  }
  return unitSpan(unit, context.now, direction(which));
}

function unitSpan(unit: string, now: number, count: number): Span {
  if (unit.toLowerCase() === "weekend") return weekendOf(unitAway(now, "week", count));
  return unitAway(now, unitOf(unit)[0], count);
}

function weekdayByWord({ match, groups, context, at }: RuleInput): Span | undefined {
  const name = groups.day ?? "";
  const which = groups.which?.toLowerCase();
  const isShort = !/day$/i.test(name);
  const isNamed =
    which !== undefined ||
    groups.week !== undefined ||
    /\bon $/i.test(context.text.slice(Math.max(0, at - 4), at));
  // "sat" and "sun" are words of their own.
  if (isShort && !(isNamed && /^[A-Z]/.test(name))) return undefined;
  const weekday = weekdayOf(name);
  const inWeek = (offset: number): Span =>
    daySpan(unitAway(context.now, "week", offset).start + (weekday - 1) * DAY);
  if (groups.week !== undefined) return inWeek(direction(groups.week));
  if (which === undefined) {
    if (isHabitual(context, at) || context.text[at + match[0].length] === "s") return undefined;
    if (NOT_ONE_DAY.test(context.text.slice(Math.max(0, at - 10), at))) return undefined;
    return nearestWeekday(weekday, context, at);
  }
  if (which === "this") return inWeek(0);
  if (which === "next") return inWeek(1);
  const today = fieldsOf(context.now).weekday;
  const back = (today - weekday + 7) % 7 || 7;
  return daySpan(context.now + (direction(which) < 0 ? -back : 7 - (back % 7)) * DAY);
}

/** "on a Friday" is any, "Black Friday" a name, and "today is Friday" tells nothing new. */
const NOT_ONE_DAY = /\b(?:an?|black|good|cyber|is|it['’]s) $/i;

function monthByWord({ groups, context }: RuleInput): Span {
  const wanted = monthOf(groups.month ?? "");
  const { year, month } = fieldsOf(context.now);
  const sign = direction(groups.which);
  if (sign < 0) return monthSpan(wanted < month ? year : year - 1, wanted);
  return monthSpan(sign > 0 && wanted <= month ? year + 1 : year, wanted);
}

/** "last summer" is the latest summer that is over or was not the present one; "next summer" the first yet to begin. */
function seasonByWord({ groups, context }: RuleInput): Span {
  const season = seasonOf(groups.season ?? "");
  const { year } = fieldsOf(context.now);
  const sign = direction(groups.which);
  if (sign === 0) return currentSeason(context.now, season);
  const spans = [-2, -1, 0, 1, 2].map((offset) => seasonSpan(year + offset, season));
  const past = spans.filter((span) => span.end <= context.now).at(-1);
  const future = spans.find((span) => span.start > context.now);
  return (sign < 0 ? past : future) ?? seasonSpan(year, season);
}

function currentSeason(now: number, season: "spring" | "summer" | "autumn" | "winter"): Span {
  const { year } = fieldsOf(now);
  // In January "this winter" began last year.
  if (season === "winter" && now < wallDate(year, 3)) return seasonSpan(year - 1, season);
  return seasonSpan(year, season);
}
