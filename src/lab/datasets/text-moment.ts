/**
 * When was it said, as data sets write it? None of them names a zone, so all are read as UTC: what counts is the order and the
 * distance, and those are the same in every zone.
 */

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** "1:56 pm on 8 May, 2023": LoCoMo */
const SPOKEN = /(\d{1,2}):(\d{2})\s*([ap])\.?m\.?\s+on\s+(\d{1,2})\s+(\p{L}+),?\s+(\d{4})/iu;
/** "2023/05/20 (Sat) 02:21": LongMemEval; "2025-12-15 (Monday)": RealMem */
const WRITTEN =
  /^\s*(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:\s*[(（][^)）]*[)）])?(?:[\sT]*(\d{1,2})[:：](\d{2}))?/u;

/** Epoch milliseconds; undefined where it cannot be read. */
export function textMoment(text: string): number | undefined {
  const spoken = SPOKEN.exec(text);
  if (spoken !== null) {
    const [, hour, minute, half = "", day, month = "", year] = spoken;
    const hours = (Number(hour) % 12) + (half.toLowerCase() === "p" ? 12 : 0);
    const place = MONTHS.indexOf(month.slice(0, 3).toLowerCase());
    return place < 0 ? undefined : moment(Number(year), place, Number(day), hours, Number(minute));
  }
  const written = WRITTEN.exec(text);
  if (written === null) return undefined;
  const [, year, month, day, hour = "0", minute = "0"] = written;
  return moment(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute));
}

/** The 31st of February would be a day of March, and 25 o'clock one of tomorrow. */
function moment(year: number, month: number, day: number, hour: number, minute: number): number | undefined {
  const at = new Date(Date.UTC(year, month, day, hour, minute));
  const isMeant =
    at.getUTCMonth() === month &&
    at.getUTCDate() === day &&
    at.getUTCHours() === hour &&
    at.getUTCMinutes() === minute;
  return isMeant ? at.getTime() : undefined;
}
