/**
 * A wrong date that looks like the right one: every date in a text moved by forty days, every month by four, every year by
 * two, so that no reading of "about then" still fits. undefined where the text has no date to move.
 */

const MONTHS = [
  ...["January", "February", "March", "April", "May", "June", "July"],
  ...["August", "September", "October", "November", "December"],
] as const;
const MONTH = `(?<name>${MONTHS.map((month) => `${month}|${month.slice(0, 3)}`).join("|")})\\.?`;
const YEAR = "(?<year>(?:19|20)\\d{2})";
const DAY = "(?<day>\\d{1,2})(?:st|nd|rd|th)?";

const DAYS = 40;
const MONTHS_ON = 4;
const YEARS_ON = 2;

/** The most exact first: what one of them has read, the next ones leave alone. */
const FORMS: readonly RegExp[] = [
  new RegExp(`\\b${DAY} ?${MONTH},? ${YEAR}\\b`, "giu"),
  new RegExp(`\\b${MONTH} ${DAY},? ${YEAR}\\b`, "giu"),
  new RegExp(`\\b${YEAR}-(?<month>\\d{2})-${DAY}\\b`, "gu"),
  new RegExp(`${YEAR}年(?<month>\\d{1,2})月(?<day>\\d{1,2})[日号]`, "gu"),
  new RegExp(`\\b${MONTH},? ${YEAR}\\b`, "giu"),
  new RegExp(`${YEAR}年(?<month>\\d{1,2})月`, "gu"),
  new RegExp(`(?<![\\d.,])${YEAR}(?![\\d,]|\\.\\d)`, "gu"),
];

export function shiftedDate(text: string): string | undefined {
  const moved: string[] = [];
  let left = text;
  for (const form of FORMS) {
    left = left.replace(form, (found, ...rest) => {
      const groups: unknown = rest.at(-1);
      const shifted = shift(found, groupsOf(groups));
      if (shifted === undefined) return found;
      // A mark keeps the place, so that the next forms do not move it again.
      return `\uE000${moved.push(shifted) - 1}\uE000`;
    });
  }
  if (moved.length === 0) return undefined;
  return left.replace(/\uE000(\d+)\uE000/g, (_, place) => moved[Number(place)] ?? "");
}

interface Parts {
  readonly year: number;
  /** From 0. */
  readonly month: number | undefined;
  readonly day: number | undefined;
}

function groupsOf(groups: unknown): Parts {
  const text = (name: string): string | undefined => {
    const value: unknown =
      typeof groups === "object" && groups !== null
        ? Object.getOwnPropertyDescriptor(groups, name)?.value
        : undefined;
    return typeof value === "string" ? value : undefined;
  };
  const [name, month, day] = [text("name"), text("month"), text("day")];
  const named = MONTHS.findIndex((one) => one.toLowerCase().startsWith((name ?? "-").toLowerCase()));
  return {
    year: Number(text("year")),
    month: name !== undefined ? named : month === undefined ? undefined : Number(month) - 1,
    day: day === undefined ? undefined : Number(day),
  };
}

function shift(found: string, { year, month, day }: Parts): string | undefined {
  if (month === undefined) return found.replace(/\d{4}/, String(year + YEARS_ON));
  if (month < 0 || month > 11) return undefined;
  const date =
    day === undefined
      ? new Date(Date.UTC(year, month + MONTHS_ON, 1))
      : new Date(Date.UTC(year, month, day + DAYS));
  const [y, m, d] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  if (found.includes("年")) return day === undefined ? `${y}年${m + 1}月` : `${y}年${m + 1}月${d}日`;
  if (/^\d{4}-/.test(found)) return date.toISOString().slice(0, 10);
  if (day === undefined) return `${MONTHS[m]} ${y}`;
  return `${d} ${MONTHS[m]} ${y}`;
}
