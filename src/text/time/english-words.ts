/** Numbers, units, months and weekdays as English writes them, and the pieces of patterns that match them. */
import type { Granularity, Season } from "./calendar.ts";

const MONTHS: ReadonlyMap<string, number> = numbered(
  "january february march april may june july august september october november december",
  3,
);
const WEEKDAYS: ReadonlyMap<string, number> = numbered(
  "monday tuesday wednesday thursday friday saturday sunday",
  3,
);
export const ORDINALS: ReadonlyMap<string, number> = new Map([
  ...numbered("first second third fourth fifth", 9),
  ["last", -1],
]);

const NUMBERS: ReadonlyMap<string, number> = new Map([
  ...numbered("one two three four five six seven eight nine ten eleven twelve", 9),
  ["a", 1],
  ["an", 1],
  ["thirteen", 13],
  ["fourteen", 14],
  ["fifteen", 15],
  ["sixteen", 16],
  ["eighteen", 18],
  ["twenty", 20],
  ["thirty", 30],
  ["forty", 40],
  ["fifty", 50],
]);

const UNITS: ReadonlyMap<string, readonly [Granularity, number]> = new Map([
  ["second", ["second", 1]],
  ["minute", ["minute", 1]],
  ["min", ["minute", 1]],
  ["hour", ["hour", 1]],
  ["hr", ["hour", 1]],
  ["day", ["day", 1]],
  ["night", ["day", 1]],
  ["week", ["week", 1]],
  ["fortnight", ["week", 2]],
  ["month", ["month", 1]],
  ["quarter", ["season", 1]],
  ["year", ["year", 1]],
  ["yr", ["year", 1]],
  ["decade", ["decade", 1]],
  ["century", ["century", 1]],
]);

export const COUNT = `a couple(?: of)?|a few|several|\\d+|${[...NUMBERS.keys()].sort(longestFirst).join("|")}`;
export const UNIT = `(?:${[...UNITS.keys()].sort(longestFirst).join("|")})s?`;
/** A month's name, or its abbreviation with the dot that a number follows: a sentence's full stop is left alone. */
export const MONTH =
  "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\b(?:\\.(?= \\d))?";
export const WEEKDAY =
  "(?:mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)\\b";
export const WEEKDAY_NAME = "(?:mon|tues|wednes|thurs|fri|satur|sun)day";
export const SEASON = "spring|summer|autumn|fall|winter";
export const YEAR = "1[0-9]\\d\\d|20\\d\\d";

/** A number, or "few" where the speaker did not say how many. */
export function countOf(word: string): number | "few" {
  const plain = word.toLowerCase();
  if (plain === "a few" || plain === "several") return "few";
  if (plain.startsWith("a couple")) return 2;
  return NUMBERS.get(plain) ?? Number(plain);
}

/** The calendar unit of a word, and how many of them the word means ("fortnight": two weeks). */
export function unitOf(word: string): readonly [Granularity, number] {
  const plain = word.toLowerCase();
  return UNITS.get(plain) ?? UNITS.get(plain.replace(/s$/, "")) ?? ["day", 1];
}

export function monthOf(word: string): number {
  return MONTHS.get(word.toLowerCase().slice(0, 3)) ?? 1;
}

export function weekdayOf(word: string): number {
  return WEEKDAYS.get(word.toLowerCase().slice(0, 3)) ?? 1;
}

export function seasonOf(word: string): Season {
  const plain = word.toLowerCase();
  return plain === "spring" || plain === "summer" || plain === "winter" ? plain : "autumn";
}

function numbered(words: string, length: number): Map<string, number> {
  return new Map(words.split(" ").map((word, i) => [word.slice(0, length), i + 1]));
}

function longestFirst(a: string, b: string): number {
  return b.length - a.length;
}
