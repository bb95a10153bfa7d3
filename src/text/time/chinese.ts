/**
 * Which times does a Chinese text name? Chinese says the larger unit first, so a reader can start with a period (去年, 上周,
 * 2023年6月, 昨天, 三个月前) and narrow it step by step with what follows: 夏天, 五月, 三号, 下午, 三点半. The text must be in
 * simplified characters. Lunar dates (大年初一, 中秋) are not read: they need an almanac.
 */
import {
  between,
  DAY,
  daySpan,
  fieldsOf,
  monthSpan,
  type Span,
  wallDate,
  weekendOf,
  weekSpan,
} from "./calendar.ts";
import { CHINESE_ANCHORS, type ChineseAnchor } from "./chinese-anchors.ts";
import { narrowChinese } from "./chinese-narrow.ts";
import type { PlacedReading, Reading, TimeContext } from "./reading.ts";

export function readChinese(context: TimeContext): PlacedReading[] {
  const found: PlacedReading[] = [];
  TRIGGER.lastIndex = 0;
  for (let hit = TRIGGER.exec(context.text); hit !== null; hit = TRIGGER.exec(context.text)) {
    const reading = rangeAt(context, hit.index);
    if (reading === undefined) {
      TRIGGER.lastIndex = hit.index + 1;
      continue;
    }
    found.push({ ...reading, start: hit.index });
    TRIGGER.lastIndex = reading.end;
  }
  return found;
}

/** The first characters of everything an anchor can match. */
const TRIGGER =
  /[\d〇零一二两三四五六七八九十百廿大前去今明后上下这本当昨同近最过未接几数半周星礼年月早凌清中晚夜傍圣元国劳情儿教平万双第光跨Qq]/g;
const RANGE_WORD = /\s*(?:到|至|—|–|-|~|～)\s*/y;
const SIDE =
  /的?(?<side>前|后)(?:的)?(?<count>一|1)?(?<unit>天|日|周|个?星期|个?月|年)(?!\d|[一二三四五六七八九])/y;
const THAT = /(?:所在)?(?:的)?(?:那|当)(?:一|个)?(?<unit>周末|周|星期|礼拜|个?月)/y;

/** One time, or two with 到 or 至 between them. */
function rangeAt(context: TimeContext, at: number): Reading | undefined {
  const first = timeAt(context, at);
  if (first === undefined) return undefined;
  RANGE_WORD.lastIndex = first.end;
  const joint = RANGE_WORD.exec(context.text);
  if (joint === null) return first;
  const from = first.end + joint[0].length;
  const last = timeAt(context, from) ?? shortEnd(context, first, from);
  if (last === undefined) return first;
  const end = last.relative && !first.relative ? afterInYear(first.span, last.span) : last.span;
  if (end.granularity !== first.span.granularity || end.start <= first.span.start) return first;
  return { span: between(first.span, end), end: last.end, relative: first.relative };
}

function timeAt(context: TimeContext, at: number): Reading | undefined {
  let best: Reading | undefined;
  for (const anchor of CHINESE_ANCHORS) {
    const reading = anchored(anchor, context, at);
    if (reading !== undefined && reading.end > (best?.end ?? 0)) best = reading;
  }
  return best === undefined ? undefined : moved(best, context.text);
}

function anchored(anchor: ChineseAnchor, context: TimeContext, at: number): Reading | undefined {
  anchor.pattern.lastIndex = at;
  const match = anchor.pattern.exec(context.text);
  if (match === null) return undefined;
  const span = anchor.span({ groups: match.groups ?? {}, context, at, end: at + match[0].length });
  if (span === undefined) return undefined;
  const reading = { span, end: at + match[0].length, relative: anchor.relative };
  return narrowChinese(reading, context.text, anchor.needsMore === true);
}

/** 6月9日前一周, 6月9日的前一天, 6月9日那一周. */
function moved(reading: Reading, text: string): Reading {
  const { span, end } = reading;
  THAT.lastIndex = end;
  const that = THAT.exec(text);
  if (that !== null && span.granularity === "day") {
    const unit = that.groups?.unit ?? "";
    const week = weekSpan(span.start);
    const { year, month } = fieldsOf(span.start);
    const whole = unit.endsWith("月") ? monthSpan(year, month) : unit === "周末" ? weekendOf(week) : week;
    return { ...reading, span: whole, end: end + that[0].length };
  }
  SIDE.lastIndex = end;
  const side = SIDE.exec(text);
  // 三天前 was read as a whole; only a calendar date can have a day before it.
  if (side === null || span.end - span.start < DAY || !/[日号天月年]/.test(text.charAt(end - 1)))
    return reading;
  const { side: word, count, unit } = side.groups ?? {};
  if (count === undefined && !side[0].startsWith("的")) return reading;
  return { ...reading, span: beside(span, word === "前", unit ?? ""), end: end + side[0].length };
}

function beside(span: Span, isBefore: boolean, unit: string): Span {
  const days = (start: number, count: number): Span => ({
    start,
    end: start + count * DAY,
    granularity: count === 7 ? "week" : "day",
  });
  if (unit === "天" || unit === "日") return daySpan(isBefore ? span.start - DAY : span.end);
  if (unit === "周" || unit.endsWith("星期")) return days(isBefore ? span.start - 7 * DAY : span.end, 7);
  const { year, month } = fieldsOf(isBefore ? span.start : span.end - 1);
  const step = isBefore ? -1 : 1;
  return unit === "年"
    ? between(monthSpan(year + step, 1), monthSpan(year + step, 12))
    : monthSpan(year, month + step);
}

/** 6月3日至7日, 6月3日到5号: the end takes the beginning's month. */
function shortEnd(context: TimeContext, first: Reading, from: number): Reading | undefined {
  const match = /^(\d{1,2})[日号]/.exec(context.text.slice(from, from + 3));
  if (match === null || first.span.granularity !== "day") return undefined;
  const { year, month } = fieldsOf(first.span.start);
  const span = daySpan(wallDate(year, month, Number(match[1])));
  return { span, end: from + match[0].length, relative: first.relative };
}

/** 2023年6月3日至7月2日: the end takes the beginning's year, or the next. */
function afterInYear(first: Span, last: Span): Span {
  const { year } = fieldsOf(first.start);
  const { month, day } = fieldsOf(last.start);
  const inYear = (y: number): Span =>
    last.granularity === "month" ? monthSpan(y, month) : daySpan(wallDate(y, month, day));
  if (last.granularity !== "month" && last.granularity !== "day") return last;
  return inYear(year).start > first.start ? inYear(year) : inYear(year + 1);
}
