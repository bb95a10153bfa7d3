/** How is a Chinese period narrowed by the words behind it? Year → season, month → day → part of the day → clock. */
import { CHINESE_NUMBER, chineseNumber } from "../chinese-number.ts";
import {
  DAY,
  daySpan,
  fieldsOf,
  HOUR,
  halfYearSpan,
  hoursOf,
  isRealDate,
  MINUTE,
  monthSpan,
  quarterSpan,
  type Season,
  type Span,
  seasonSpan,
  thirdOf,
  wallDate,
} from "./calendar.ts";
import { holidayIn, thirdByWord, weekdayOf } from "./chinese-anchors.ts";
import type { Reading } from "./reading.ts";

/** The reading with everything that follows and narrows it; undefined if `needsMore` and nothing does. */
export function narrowChinese(reading: Reading, text: string, needsMore: boolean): Reading | undefined {
  let { span, end } = reading;
  let steps = 0;
  for (const step of STEPS) {
    if (!step.fits(span)) continue;
    step.pattern.lastIndex = end;
    const match = step.pattern.exec(text);
    if (match === null) continue;
    const narrower = step.span(match.groups ?? {}, span);
    if (narrower === undefined) continue;
    span = narrower;
    end += match[0].length;
    steps += step.isWeak === true ? 1 : 2;
  }
  // 下午 alone may be any afternoon; 下午三点 is a time of today.
  return needsMore && steps < 3 ? undefined : { ...reading, span, end };
}

interface Step {
  readonly pattern: RegExp;
  fits(span: Span): boolean;
  span(groups: Readonly<Record<string, string | undefined>>, within: Span): Span | undefined;
  /** Says too little to make a time by itself. */
  readonly isWeak?: boolean;
}

const N = CHINESE_NUMBER;
const PARTS: readonly (readonly [RegExp, number, number])[] = [
  [/凌晨|半夜|深夜/, 0, 6],
  [/清晨|早上|早晨|上午|早/, 6, 12],
  [/中午|正午/, 11, 13],
  [/下午|午后/, 12, 18],
  [/傍晚|晚上|晚间|夜里|夜晚|晚/, 18, 24],
];
const SEASONS: Readonly<Record<string, Season>> = { 春: "spring", 夏: "summer", 秋: "autumn", 冬: "winter" };

const STEPS: readonly Step[] = [
  {
    pattern: /的?(?<sign>[春夏秋冬])(?:天|季|日|末)?(?!节|游|菜|梦)/y,
    fits: (span) => span.granularity === "year",
    span: (groups, within) => seasonSpan(fieldsOf(within.start).year, SEASONS[groups.sign ?? ""] ?? "summer"),
  },
  {
    pattern: /的?(?<half>上|下)半年/y,
    fits: (span) => span.granularity === "year",
    span: (groups, within) => halfYearSpan(fieldsOf(within.start).year, groups.half === "上" ? 1 : 2),
  },
  {
    pattern: /的?(?:第?(?<quarter>[1-4一二三四])季度|Q(?<letter>[1-4]))/y,
    fits: (span) => span.granularity === "year",
    span: (groups, within) =>
      quarterSpan(fieldsOf(within.start).year, chineseNumber(groups.quarter ?? groups.letter ?? "") ?? 1),
  },
  {
    pattern: /的?年?(?<third>初|中(?!国|学|心|午|秋|旬)|底|末)/y,
    fits: (span) => span.granularity === "year",
    span: (groups, within) => thirdOf(within, thirdByWord(groups.third)),
  },
  {
    pattern:
      /的?(?<name>元旦|圣诞节?|平安夜|国庆节?|劳动节|五一|情人节|儿童节|六一|教师节|万圣节|光棍节|双十一|跨年夜?)/y,
    fits: (span) => span.granularity === "year",
    span: (groups, within) => holidayIn(groups.name ?? "", fieldsOf(within.start).year),
  },
  {
    pattern: /的?(?<month>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])月份?/y,
    fits: (span) => span.granularity === "year",
    span: (groups, within) => monthSpan(fieldsOf(within.start).year, chineseNumber(groups.month ?? "") ?? 1),
  },
  {
    pattern: new RegExp(`的?(?<day>${N})[日号]`, "y"),
    fits: (span) => span.granularity === "month",
    span: (groups, within) => dayIn(within, chineseNumber(groups.day ?? "") ?? 0),
  },
  {
    pattern: /的?月?(?<third>初|上旬|中旬|中(?!国|学|心|午|秋)|下旬|底|末)/y,
    fits: (span) => span.granularity === "month",
    span: (groups, within) => thirdOf(within, thirdByWord(groups.third)),
  },
  {
    pattern: /的?第(?<nth>[一二三四1-4])(?:个?星期|周)/y,
    fits: (span) => span.granularity === "month",
    span: (groups, within) => {
      const start = within.start + ((chineseNumber(groups.nth ?? "") ?? 1) - 1) * 7 * DAY;
      return { start, end: start + 7 * DAY, granularity: "week" };
    },
  },
  {
    pattern: /的?(?:星期|礼拜|周)?(?<day>[一二三四五六日天])(?![个些点样直起次定般切共旦])/y,
    fits: (span) => span.granularity === "week" && fieldsOf(span.start).weekday === 1,
    span: (groups, within) => daySpan(within.start + (weekdayOf(groups.day) - 1) * DAY),
  },
  {
    pattern: /[（(,，]?(?:星期|礼拜|周)[一二三四五六日天][)）]?/y,
    fits: isOneDay,
    span: (_groups, within) => within,
    isWeak: true,
  },
  {
    pattern:
      /[,，]?\s*的?(?<part>凌晨|半夜|深夜|清晨|早上|早晨|上午|中午|正午|下午|午后|傍晚|晚上|晚间|夜里|夜晚|早(?=\d|[一二三四五六七八九十])|晚(?=\d|[一二三四五六七八九十]))/y,
    fits: isOneDay,
    span: (groups, within) => {
      const part = PARTS.find(([pattern]) => pattern.test(groups.part ?? ""));
      return part === undefined ? undefined : hoursOf(within, part[1], part[2]);
    },
    isWeak: true,
  },
  {
    pattern: new RegExp(
      `\\s*的?(?<hour>${N})(?:[点时](?!间|候|代|期|[心滴])|[:：](?=\\d{2}))(?:(?<half>半)|(?<quarter>[一三])刻|(?<minute>${N})分?)?(?:钟|整)?`,
      "y",
    ),
    fits: (span) => isOneDay(span) || (span.granularity === "hour" && span.end - span.start > HOUR),
    span: clockTime,
  },
];

function isOneDay(span: Span): boolean {
  return span.granularity === "day" && span.end - span.start === DAY;
}

function dayIn(month: Span, day: number): Span | undefined {
  const { year, month: number } = fieldsOf(month.start);
  return isRealDate(year, number, day) ? daySpan(wallDate(year, number, day)) : undefined;
}

function clockTime(groups: Readonly<Record<string, string | undefined>>, within: Span): Span | undefined {
  const said = chineseNumber(groups.hour ?? "");
  if (said === undefined || said > 24) return undefined;
  const day = daySpan(within.start).start;
  const from = (within.start - day) / HOUR;
  // 下午三点 is 15, 晚上八点 20, 中午一点 13, 晚上十二点 the day's end.
  const isLate = from >= 11 && said < 12 && !(from === 11 && said === 11);
  const hour = from >= 18 && said === 12 ? 24 : isLate ? said + 12 : said;
  const minutes = minutesOf(groups);
  const start = day + hour * HOUR + (minutes ?? 0) * MINUTE;
  if (minutes === undefined) return { start, end: start + HOUR, granularity: "hour" };
  return minutes > 59 ? undefined : { start, end: start + MINUTE, granularity: "minute" };
}

function minutesOf(groups: Readonly<Record<string, string | undefined>>): number | undefined {
  if (groups.half !== undefined) return 30;
  if (groups.quarter !== undefined) return groups.quarter === "一" ? 15 : 45;
  return groups.minute === undefined ? undefined : chineseNumber(groups.minute);
}
