/** When was it, in words a reader of the memory understands: "9 June 2023", 2023年6月9日, or how long ago. */
import { z } from "zod";
import { detectLanguage, type Language } from "../../text/language.ts";
import { DAY, daySpan, HOUR, MINUTE } from "../../text/time/calendar.ts";
import { chineseOf, englishOf, isoOf } from "../../text/time/format.ts";
import { wallTime } from "../../text/time/zone.ts";

export const momentStyle = z
  .enum(["day", "minute", "ago"])
  .describe('How a moment is written: its day, its day and minute, or how long ago it was ("3 days ago").');
export type MomentStyle = z.infer<typeof momentStyle>;

export interface PrintOptions {
  readonly style: MomentStyle;
  readonly zone: string;
  /** What "ago" counts back from. */
  readonly now: number;
}

/** In the language of the text it stands beside; by ISO 8601 where that is neither English nor Chinese. */
export function printMoment(at: number, beside: string, { style, zone, now }: PrintOptions): string {
  const language = detectLanguage(beside);
  if (style === "ago") return printAge(Math.max(0, now - at), language);
  const wall = wallTime(at, zone);
  const minute = Math.floor(wall / MINUTE) * MINUTE;
  const span =
    style === "day"
      ? daySpan(wall)
      : ({ start: minute, end: minute + MINUTE, granularity: "minute" } as const);
  if (language === "zh") return chineseOf(span);
  return language === "en" ? englishOf(span, true) : isoOf(span, zone);
}

const UNITS = [
  { ms: DAY, en: "day", zh: "天" },
  { ms: HOUR, en: "hour", zh: "小时" },
  { ms: MINUTE, en: "minute", zh: "分钟" },
] as const;

function printAge(ms: number, language: Language): string {
  const unit = UNITS.find((one) => ms >= one.ms);
  if (unit === undefined) return language === "zh" ? "刚刚" : "just now";
  const count = Math.floor(ms / unit.ms);
  return language === "zh" ? `${count}${unit.zh}前` : `${count} ${unit.en}${count === 1 ? "" : "s"} ago`;
}
