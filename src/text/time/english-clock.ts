/** Which hour or minute of a day does an English clock time name? "3 pm", "15:30", "noon", "half past four" is not read. */
import { HOUR, MINUTE, type Span } from "./calendar.ts";

export const CLOCK =
  "(?:(?<hour>\\d{1,2})(?::(?<minute>\\d{2}))?\\s*(?<half>[ap]m\\b|[ap]\\.m\\.)|(?<hour24>[01]?\\d|2[0-3]):(?<minute24>\\d{2})(?!\\d)|(?<word>noon|midnight)\\b|(?<round>\\d{1,2}) o['’]clock)";

const AFTER_DAY = new RegExp(`,?\\s+(?:at |around |about |by |@ ?)?${CLOCK}`, "iy");
const BARE_HOUR = /\s+at (?<round>1[0-2]|[1-9])\b(?![:/.-]?\d)/iy;

/** The clock time that follows a day or a part of it in the text, on that day. */
export function clockSpan(text: string, at: number, within: Span): { span: Span; end: number } | undefined {
  AFTER_DAY.lastIndex = at;
  BARE_HOUR.lastIndex = at;
  const match = AFTER_DAY.exec(text) ?? BARE_HOUR.exec(text);
  if (match === null) return undefined;
  const span = clockOnDay(match.groups ?? {}, within);
  return span === undefined ? undefined : { span, end: at + match[0].length };
}

/** The named groups of CLOCK as an hour or a minute of the day that `within` lies on. */
export function clockOnDay(
  groups: Readonly<Record<string, string | undefined>>,
  within: Span,
): Span | undefined {
  const dayStart = Math.floor(within.start / (24 * HOUR)) * 24 * HOUR;
  const minuteText = groups.minute ?? groups.minute24;
  const hour = hourOf(groups, within.start - dayStart >= 12 * HOUR);
  const minute = Number(minuteText ?? 0);
  if (hour > 24 || minute > 59) return undefined;
  const start = dayStart + hour * HOUR + minute * MINUTE;
  return minuteText === undefined
    ? { start, end: start + HOUR, granularity: "hour" }
    : { start, end: start + MINUTE, granularity: "minute" };
}

function hourOf(groups: Readonly<Record<string, string | undefined>>, isAfternoon: boolean): number {
  if (groups.word !== undefined) return groups.word.toLowerCase() === "noon" ? 12 : 0;
  if (groups.hour24 !== undefined) return Number(groups.hour24);
  const half = groups.half?.toLowerCase();
  if (half !== undefined) return (Number(groups.hour) % 12) + (half.startsWith("p") ? 12 : 0);
  // "tomorrow at 5": people mean the afternoon for the small numbers.
  const hour = Number(groups.round);
  return hour < 12 && (isAfternoon || hour < 7) ? hour + 12 : hour;
}
