/** With which words can a Chinese time begin, and which period do they name? */
import { CHINESE_NUMBER, chineseNumber } from "../chinese-number.ts";
import {
  DAY,
  daySpan,
  decadeSpan,
  FEW,
  fewAway,
  fieldsOf,
  type Granularity,
  halfYearSpan,
  hoursOf,
  isRealDate,
  monthSpan,
  quarterSpan,
  rollingSpan,
  type Span,
  thirdOf,
  unitAway,
  wallDate,
  weekendOf,
  yearSpan,
} from "./calendar.ts";
import {
  isHabitual,
  nearestMonthDay,
  nearestWeekday,
  nearestWeekend,
  nearestYearOf,
  type TimeContext,
} from "./reading.ts";
import { tenseAround } from "./tense.ts";

export interface AnchorInput {
  readonly groups: Readonly<Record<string, string | undefined>>;
  readonly context: TimeContext;
  readonly at: number;
  readonly end: number;
}

export interface ChineseAnchor {
  readonly pattern: RegExp;
  readonly relative: boolean;
  /** Means nothing unless something that narrows it follows. */
  readonly needsMore?: boolean;
  span(input: AnchorInput): Span | undefined;
}

const N = CHINESE_NUMBER;
const WEEK = "(?:周|星期|礼拜)";
const UNIT = "个?世纪|个?年代|年|个?季度|个?月|个?星期|周|个?礼拜|天|日|个?小时|个?钟头|分钟|秒钟?|晚";

export const CHINESE_ANCHORS: readonly ChineseAnchor[] = [
  relative(
    "(?<word>大前天|大后天|前天|后天|昨天|昨日|今天|今日|明天|明日|前日|当天(?=早|上午|下午|晚))",
    ({ groups, context }) => daySpan(context.now + (DAY_WORDS.get(groups.word ?? "") ?? 0) * DAY),
  ),
  relative(
    "(?<word>昨晚|昨夜|今晚|今夜|明晚|前晚|后晚|今早|今晨|明早|昨早|昨儿|今儿|明儿)(?:上|间)?",
    partOfDay,
  ),
  absolute(`(?<year>\\d{4}|[〇零一二三四五六七八九]{4})年(?!代)`, ({ groups }) =>
    yearSpan(chineseNumber(groups.year ?? "") ?? 0),
  ),
  absolute(
    "(?<![\\d])(?<year>\\d{2})年(?=\\d|[一二三四五六七八九十]|春|夏|秋|冬|初|底|末|的)(?!代)",
    ({ groups }) => yearSpan(fullYear(Number(groups.year))),
  ),
  absolute("(?<year>\\d{4})[-/.](?<month>\\d{1,2})[-/.](?<day>\\d{1,2})(?!\\d)", ({ groups }) =>
    realDay(Number(groups.year), Number(groups.month), Number(groups.day)),
  ),
  absolute(
    `(?:(?<century>上个?世纪|二十世纪|20世纪|本世纪|二十一世纪|21世纪)|(?<hundreds>1\\d|20))?(?<tens>\\d0|[一二三四五六七八九]十)年代(?<third>初|中期|末|后期)?`,
    decade,
  ),
  relative(
    "(?<word>大前年|前年|去年|今年|明年|后年|上一年|本年|这一年|下一年)(?!级|龄)",
    ({ groups, context }) => yearSpan(fieldsOf(context.now).year + (YEAR_WORDS.get(groups.word ?? "") ?? 0)),
  ),
  relative("(?<word>前年|去年|明年)的?(?:这个?时候|此时|同期|这会儿)", ({ groups, context }) => {
    const { year, month } = fieldsOf(context.now);
    return monthSpan(year + (YEAR_WORDS.get(groups.word ?? "") ?? 0), month);
  }),
  relative(
    "(?<which>上上|上|这|本|当|下下|下)(?:一?个|一)?(?<unit>季度|世纪|月(?!亮|饼|球))",
    ({ groups, context }) => unitAway(context.now, unitOf(groups.unit ?? ""), offsetOf(groups.which)),
  ),
  relative(`(?<which>上上|上|这|本|下下|下)(?:一?个|一)?${WEEK}(?!末)`, ({ groups, context }) =>
    unitAway(context.now, "week", offsetOf(groups.which)),
  ),
  relative(`(?<which>上上|上|这|本|下下|下)(?:一?个|一)?(?:${WEEK}末|周日末)`, ({ groups, context }) =>
    weekendOf(unitAway(context.now, "week", offsetOf(groups.which))),
  ),
  relative("周末", ({ context, at }) => {
    if (isHabitual(context, at)) return undefined;
    return nearestWeekend(context, at);
  }),
  relative(`(?<![上下这本每个是])${WEEK}(?<day>[一二三四五六日天])(?!期)`, ({ groups, context, at }) =>
    isHabitual(context, at) ? undefined : nearestWeekday(weekdayOf(groups.day), context, at),
  ),
  relative(`(?<month>1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])月份?(?!亮|饼)`, monthWithoutYear),
  relative(
    `(?<![\\d第月])(?<day>[12]\\d|3[01]|[1-9]|二?十[一二三四五六七八九]?|三十一?|廿[一二三四五六七八九]?)号(?![线楼机位门房车厅店院码馆桌])`,
    ({ groups, context, at }) => nearestMonthDay(chineseNumber(groups.day ?? "") ?? 0, context, at),
  ),
  relative(
    `(?<count>${N}|几|数|好几|半)(?<more>多|来)?(?<unit>${UNIT})(?<half>半)?(?:以前|之前|前)(?!后)`,
    (input) => counted(input, -1),
  ),
  relative(
    `(?<count>${N}|几|数|好几|半)(?<more>多|来)?(?<unit>${UNIT})(?<half>半)?(?:以后|之后|后)(?!来)`,
    (input) =>
      // 三天后他走了 counts from another day than today.
      tenseAround(input.context.text, input.at) === "past" ? undefined : counted(input, 1),
  ),
  relative("前(?:些|几|两)(?<unit>天|日|周|个?星期|个?月|年)", ({ groups, context }) =>
    fewAway(unitOf(groups.unit ?? ""), context.now, -1),
  ),
  relative(`(?:在?过去的?|最近的?|近|这(?!一))(?<count>${N}|几)(?<unit>${UNIT})(?:以来|里|内|来)?`, (input) =>
    rolling(input, -1),
  ),
  relative(`(?:未来的?|接下来的?|今后的?|往后)(?<count>${N}|几)(?<unit>${UNIT})(?:里|内)?`, (input) =>
    rolling(input, 1),
  ),
  relative("(?<half>上|下)半年", ({ groups, context }) =>
    halfYearSpan(fieldsOf(context.now).year, groups.half === "上" ? 1 : 2),
  ),
  relative("(?<unit>年|月|周)(?<third>初|中|底|末)(?<!周末|周中)(?!中|级)", ({ groups, context }) =>
    thirdOf(unitAway(context.now, unitOf(groups.unit ?? ""), 0), thirdByWord(groups.third)),
  ),
  relative("第?(?<quarter>[1-4一二三四])季度|Q(?<letter>[1-4])", ({ groups, context }) =>
    quarterSpan(fieldsOf(context.now).year, chineseNumber(groups.quarter ?? groups.letter ?? "") ?? 1),
  ),
  relative(
    "(?<name>元旦|圣诞节?|平安夜|国庆节?|劳动节|五一(?!路|广场)|情人节|儿童节|六一|教师节|万圣节|光棍节|双十一|跨年夜?)",
    ({ groups, context, at }) => nearestYearOf((year) => holidayIn(groups.name ?? "", year), context, at),
  ),
  {
    ...relative("(?=凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里)", ({ context, at }) =>
      isHabitual(context, at) ? undefined : daySpan(context.now),
    ),
    needsMore: true,
  },
];

const DAY_WORDS: ReadonlyMap<string, number> = new Map([
  ["大前天", -3],
  ["前天", -2],
  ["前日", -2],
  ["昨天", -1],
  ["昨日", -1],
  ["今天", 0],
  ["今日", 0],
  ["当天", 0],
  ["明天", 1],
  ["明日", 1],
  ["后天", 2],
  ["大后天", 3],
]);

const YEAR_WORDS: ReadonlyMap<string, number> = new Map([
  ["大前年", -3],
  ["前年", -2],
  ["去年", -1],
  ["上一年", -1],
  ["今年", 0],
  ["本年", 0],
  ["这一年", 0],
  ["明年", 1],
  ["下一年", 1],
  ["后年", 2],
]);

const HOLIDAYS: ReadonlyMap<string, readonly [number, number]> = new Map([
  ["元旦", [1, 1]],
  ["圣诞", [12, 25]],
  ["平安夜", [12, 24]],
  ["国庆", [10, 1]],
  ["劳动", [5, 1]],
  ["五一", [5, 1]],
  ["情人", [2, 14]],
  ["儿童", [6, 1]],
  ["六一", [6, 1]],
  ["教师", [9, 10]],
  ["万圣", [10, 31]],
  ["光棍", [11, 11]],
  ["双十一", [11, 11]],
  ["跨年", [12, 31]],
  ["跨年夜", [12, 31]],
]);

/** A fixed holiday of a year; lunar ones are not known here. */
export function holidayIn(name: string, year: number): Span {
  const date = HOLIDAYS.get(name) ?? HOLIDAYS.get(name.replace(/节$/, "")) ?? [1, 1];
  return daySpan(wallDate(year, date[0], date[1]));
}

export function weekdayOf(sign: string | undefined): number {
  const index = "一二三四五六日".indexOf(sign ?? "");
  return index < 0 ? 7 : index + 1;
}

export function thirdByWord(word: string | undefined): "early" | "middle" | "late" {
  if (word?.startsWith("初") || word?.startsWith("上旬")) return "early";
  return word?.startsWith("中") ? "middle" : "late";
}

function relative(source: string, span: ChineseAnchor["span"]): ChineseAnchor {
  return { pattern: new RegExp(source, "y"), relative: true, span };
}

function absolute(source: string, span: ChineseAnchor["span"]): ChineseAnchor {
  return { pattern: new RegExp(source, "y"), relative: false, span };
}

function offsetOf(which: string | undefined): number {
  return { 上上: -2, 上: -1, 下: 1, 下下: 2 }[which ?? ""] ?? 0;
}

function unitOf(word: string): Granularity {
  if (/世纪/.test(word)) return "century";
  if (/年代/.test(word)) return "decade";
  if (/年/.test(word)) return "year";
  if (/季/.test(word)) return "season";
  if (/月/.test(word)) return "month";
  if (/周|星期|礼拜/.test(word)) return "week";
  if (/小时|钟头/.test(word)) return "hour";
  if (/分/.test(word)) return "minute";
  return /秒/.test(word) ? "second" : "day";
}

function fullYear(short: number): number {
  return short < 50 ? 2000 + short : 1900 + short;
}

function realDay(year: number, month: number, day: number): Span | undefined {
  return isRealDate(year, month, day) ? daySpan(wallDate(year, month, day)) : undefined;
}

function partOfDay({ groups, context }: AnchorInput): Span {
  const word = groups.word ?? "";
  const offset = { 昨: -1, 今: 0, 明: 1, 前: -2, 后: 2 }[word.charAt(0)] ?? 0;
  const day = daySpan(context.now + offset * DAY);
  if (/儿/.test(word)) return day;
  return /早|晨/.test(word) ? hoursOf(day, 6, 12) : hoursOf(day, 18, 24);
}

function decade({ groups }: AnchorInput): Span | undefined {
  const tens = chineseNumber(groups.tens ?? "") ?? 0;
  const century = groups.century;
  const is21st = century !== undefined && /21|二十一|本/.test(century);
  const hundreds = groups.hundreds;
  const first =
    hundreds !== undefined
      ? Number(hundreds) * 100 + tens
      : (century === undefined ? tens < 30 : is21st)
        ? 2000 + tens
        : 1900 + tens;
  const third = groups.third;
  return third === undefined
    ? decadeSpan(first)
    : thirdOf(decadeSpan(first), thirdByWord(third.replace("后期", "末")));
}

function monthWithoutYear({ groups, context, at }: AnchorInput): Span | undefined {
  if (/[\d个第]/.test(context.text.charAt(at - 1))) return undefined;
  const month = chineseNumber(groups.month ?? "") ?? 1;
  return nearestYearOf((year) => monthSpan(year, month), context, at);
}

function counted({ groups, context, at }: AnchorInput, sign: 1 | -1): Span | undefined {
  if (/[\d第]/.test(context.text.charAt(at - 1))) return undefined;
  const unit = unitOf(groups.unit ?? "");
  const word = groups.count ?? "";
  if (/[几数]/.test(word)) return fewAway(unit, context.now, sign);
  if (word === "半") return half(unit, context.now, sign);
  const count = chineseNumber(word) ?? 1;
  if (groups.half !== undefined && unit === "year")
    return unitAway(context.now, "month", sign * (12 * count + 6));
  return unitAway(context.now, unit, sign * count);
}

function half(unit: Granularity, now: number, sign: 1 | -1): Span {
  if (unit === "year") return unitAway(now, "month", sign * 6);
  if (unit === "month") return unitAway(now, "week", sign * 2);
  if (unit === "hour") return unitAway(now, "minute", sign * 30);
  return unitAway(now, unit === "day" ? "hour" : unit, unit === "day" ? sign * 12 : sign);
}

function rolling({ groups, context }: AnchorInput, sign: 1 | -1): Span {
  const count = /几/.test(groups.count ?? "") ? FEW.most : (chineseNumber(groups.count ?? "") ?? 1);
  return rollingSpan(context.now, unitOf(groups.unit ?? ""), sign * count);
}
