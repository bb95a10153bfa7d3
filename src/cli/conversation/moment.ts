/** When was it said? A date as people and programs write it, read as UTC where it names no zone. */

/** 2023-05-08, 2023/5/8, 2023年5月8日 */
const DAY = String.raw`(?<!\d)(\d{4})[-/年](\d{1,2})[-/月](\d{1,2})(?!\d)日?`;
const TIME = String.raw`(\d{1,2})[:：](\d{2})(?:[:：](\d{2}(?:\.\d+)?))?`;
const ZONE = String.raw`(Z\b|[+-]\d{2}:?\d{2})`;
const MOMENT = new RegExp(String.raw`${DAY}(?:(?:[ T]|(?<=日))${TIME}(?:\s*${ZONE})?)?`);
const WHOLE = new RegExp(`^${MOMENT.source}$`);

/** Epoch milliseconds; undefined where it cannot be read. */
export function readMoment(text: string): number | undefined {
  return momentOf(WHOLE.exec(text.trim()));
}

/** The first moment that is named in a text. */
export function findMoment(text: string): number | undefined {
  return momentOf(MOMENT.exec(text));
}

function momentOf(found: RegExpExecArray | null): number | undefined {
  if (found === null) return undefined;
  const [, year, month = "", day = "", hour = "0", minute = "00", second = "00", zone = "Z"] = found;
  const two = (digits: string): string => digits.padStart(2, "0");
  const date = `${year}-${two(month)}-${two(day)}`;
  const start = Date.parse(`${date}T00:00Z`);
  // The 31st of February would be a day of March.
  if (Number.isNaN(start) || !new Date(start).toISOString().startsWith(date)) return undefined;
  const moment = Date.parse(`${date}T${two(hour)}:${minute}:${second}${zone}`);
  return Number.isNaN(moment) ? undefined : moment;
}
