/**
 * How is a span written so that it means the same whenever it is read? As ISO 8601, as English, as Chinese. What is
 * written here can be read back by the time reader and gives the same span.
 */
import {
  DAY,
  daySpan,
  fieldsOf,
  HOUR,
  MINUTE,
  type Season,
  type Span,
  seasonSpan,
  wallDate,
} from "./calendar.ts";
import { instantOf, offsetText, type Zone } from "./zone.ts";

/** "2021", "2023-06", "2023-W23", "2023-06-09", "2023-06-09T15:30+08:00", or two of them with a slash (the last included). */
export function isoOf(span: Span, zone: Zone): string {
  const shape = shapeOf(span);
  const date = (wall: number): string => isoDay(wall);
  switch (shape.kind) {
    case "years":
      return joined(String(shape.first), String(shape.last), "/");
    case "months":
    case "season":
      return joined(date(span.start).slice(0, -3), date(span.end - 1).slice(0, -3), "/");
    case "week":
      return isoWeek(span.start);
    case "weekend":
    case "days":
      return joined(date(span.start), date(span.end - 1), "/");
    case "hour":
    case "minute":
      return isoTime(span.start, zone);
    default:
      return `${isoTime(span.start, zone)}/${isoTime(span.end, zone)}`;
  }
}

/** An English phrase: "on 9 June 2023", "in the week of 5 June 2023"; without its preposition if `bare`. */
export function englishOf(span: Span, bare = false): string {
  const shape = shapeOf(span);
  const say = (preposition: string, phrase: string): string => (bare ? phrase : `${preposition} ${phrase}`);
  const range = (first: string, last: string): string =>
    bare ? `${first} – ${last}` : `between ${first} and ${last}`;
  const start = englishDay(span.start);
  const last = englishDay(span.end - 1);
  switch (shape.kind) {
    case "years": {
      if (shape.last - shape.first === 9 && shape.first % 10 === 0) return say("in", `the ${shape.first}s`);
      if (shape.first === shape.last) return say("in", String(shape.first));
      return range(String(shape.first), String(shape.last));
    }
    case "season":
      return say("in", `the ${shape.season} of ${fieldsOf(span.start).year}`);
    case "months": {
      const [first, final] = [start.replace(/^\S+ /, ""), last.replace(/^\S+ /, "")];
      return first === final ? say("in", first) : range(first, final);
    }
    case "week":
      return say("in", `the week of ${start}`);
    case "weekend":
      return say("on", `the weekend of ${start}`);
    case "days":
      return start === last ? say("on", start) : range(start, last);
    case "part":
      return say("on", `the ${ENGLISH_PARTS[shape.part]} of ${start}`);
    case "hour":
      return say("at", `${englishHour(span.start)} on ${start}`);
    case "minute":
      return say("at", `${clock(span.start)} on ${start}`);
    default:
      return range(`${clock(span.start)} on ${start}`, `${clock(span.end)} on ${englishDay(span.end)}`);
  }
}

/** A Chinese phrase: 2023年6月9日, 2023年6月5日那一周, 2023年夏天. */
export function chineseOf(span: Span): string {
  const shape = shapeOf(span);
  const day = (wall: number): string => {
    const { year, month, day: number } = fieldsOf(wall);
    return `${year}年${month}月${number}日`;
  };
  const month = (wall: number): string => day(wall).replace(/月.*$/, "月");
  const time = (wall: number): string => `${day(wall)}${clock(wall)}`;
  switch (shape.kind) {
    case "years":
      if (shape.last - shape.first === 9 && shape.first % 10 === 0) return `${shape.first}年代`;
      return joined(`${shape.first}年`, `${shape.last}年`, "至");
    case "season":
      return `${fieldsOf(span.start).year}年${CHINESE_SEASONS[shape.season]}`;
    case "months":
      return joined(month(span.start), shortened(month(span.start), month(span.end - 1)), "至");
    case "week":
      return `${day(span.start)}那一周`;
    case "weekend":
      return `${day(span.start)}那个周末`;
    case "days":
      return joined(day(span.start), shortened(day(span.start), day(span.end - 1)), "至");
    case "part":
      return `${day(span.start)}${CHINESE_PARTS[shape.part]}`;
    case "hour":
      return `${day(span.start)}${fieldsOf(span.start).hour}点`;
    case "minute":
      return time(span.start);
    default:
      return `${time(span.start)}至${time(span.end)}`;
  }
}

const ENGLISH_MONTHS =
  "January February March April May June July August September October November December".split(" ");
const ENGLISH_PARTS = ["early morning", "morning", "afternoon", "evening"] as const;
const CHINESE_PARTS = ["凌晨", "上午", "下午", "晚上"] as const;
const CHINESE_SEASONS = { spring: "春天", summer: "夏天", autumn: "秋天", winter: "冬天" } as const;
const SEASONS: readonly Season[] = ["spring", "summer", "autumn", "winter"];

type Shape =
  | { readonly kind: "years"; readonly first: number; readonly last: number }
  | { readonly kind: "season"; readonly season: Season }
  | { readonly kind: "months" | "week" | "weekend" | "days" | "hour" | "minute" | "times" }
  | { readonly kind: "part"; readonly part: 0 | 1 | 2 | 3 };

/** The coarsest way to say a span exactly. */
function shapeOf(span: Span): Shape {
  const from = fieldsOf(span.start);
  const to = fieldsOf(span.end);
  const length = span.end - span.start;
  if (span.start % DAY !== 0 || span.end % DAY !== 0) return shapeWithinDay(span);
  if (span.end === daySpan(span.start).end) return { kind: "days" };
  if (from.day === 1 && to.day === 1) {
    if (from.month === 1 && to.month === 1) return { kind: "years", first: from.year, last: to.year - 1 };
    const season = SEASONS.find((name) => seasonSpan(from.year, name).start === span.start);
    const isSeason = season !== undefined && seasonSpan(from.year, season).end === span.end;
    return isSeason ? { kind: "season", season } : { kind: "months" };
  }
  if (length === 7 * DAY && from.weekday === 1) return { kind: "week" };
  return { kind: length === 2 * DAY && from.weekday === 6 ? "weekend" : "days" };
}

function shapeWithinDay(span: Span): Shape {
  const { hour } = fieldsOf(span.start);
  const length = span.end - span.start;
  if (length === 6 * HOUR && span.start % HOUR === 0 && hour % 6 === 0) {
    const part = hour / 6;
    if (part === 0 || part === 1 || part === 2 || part === 3) return { kind: "part", part };
  }
  if (length === HOUR && span.start % HOUR === 0) return { kind: "hour" };
  return { kind: length <= MINUTE ? "minute" : "times" };
}

/** 2023年5月3日 and 2023年5月7日 → 7日: what the beginning has said need not be said again. */
function shortened(first: string, last: string): string {
  if (first === last) return last;
  const month = /^\d+年\d+月(?=\d)/.exec(first)?.[0] ?? " ";
  const year = /^\d+年/.exec(first)?.[0] ?? " ";
  if (last.startsWith(month)) return last.slice(month.length);
  return last.startsWith(year) ? last.slice(year.length) : last;
}

function joined(first: string, last: string, mark: string): string {
  return first === last ? first : `${first}${mark}${last}`;
}

function isoDay(wall: number): string {
  return new Date(wall).toISOString().slice(0, -14);
}

function isoTime(wall: number, zone: Zone): string {
  return `${isoDay(wall)}T${clock(wall)}${offsetText(instantOf(wall, zone), zone)}`;
}

/** ISO 8601: a week belongs to the year that its Thursday lies in. */
function isoWeek(monday: number): string {
  const { year } = fieldsOf(monday + 3 * DAY);
  const firstThursday = [0, 1, 2, 3, 4, 5, 6].find(
    (offset) => fieldsOf(wallDate(year, 1, 1 + offset)).weekday === 4,
  );
  const first = wallDate(year, 1, 1 + (firstThursday ?? 0)) - 3 * DAY;
  const number = Math.round((monday - first) / (7 * DAY)) + 1;
  return `${year}-W${String(number).padStart(2, "0")}`;
}

function clock(wall: number): string {
  const { hour, minute } = fieldsOf(wall);
  return `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
}

function englishHour(wall: number): string {
  const { hour } = fieldsOf(wall);
  return `${hour % 12 === 0 ? 12 : hour % 12} ${hour < 12 ? "am" : "pm"}`;
}

function englishDay(wall: number): string {
  const { year, month, day } = fieldsOf(wall);
  return `${day} ${ENGLISH_MONTHS[month - 1]} ${year}`;
}
