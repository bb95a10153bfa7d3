/** What an option's words mean: a number, a moment, one end of a span; else what would be valid. */
import { MemoryError } from "../base/errors.ts";
import { type Filter, where } from "../base/filter.ts";
import type { Given } from "./command.ts";
import { readMoment } from "./conversation/moment.ts";

const DAY_MS = 86_400_000;

export function wholeNumber(given: Given, option: string): number | undefined {
  const text = given.text(option);
  if (text === undefined) return undefined;
  const number = Number(text);
  if (text.trim() !== "" && Number.isSafeInteger(number) && number >= 1) return number;
  throw new MemoryError("option_invalid", `--${option} is "${text}". Valid: a whole number from 1 on.`);
}

/** As a seed, or how many at most where none may be meant. */
export function wholeFromZero(given: Given, option: string): number | undefined {
  const number = amount(given, option);
  if (number === undefined || Number.isSafeInteger(number)) return number;
  throw new MemoryError("option_invalid", `--${option} is ${number}. Valid: a whole number from 0 on.`);
}

/** How many hits are looked at: "5,10,20". */
export function hitCounts(given: Given): number[] {
  return (list(given, "k") ?? [given.text("k") ?? ""]).map((text) => {
    const number = Number(text);
    if (Number.isSafeInteger(number) && number >= 1) return number;
    throw new MemoryError("option_invalid", `--k has "${text}". Valid: whole numbers from 1 on, as 5,10,20.`);
  });
}

export function amount(given: Given, option: string): number | undefined {
  const text = given.text(option);
  if (text === undefined) return undefined;
  const number = Number(text);
  if (text.trim() !== "" && Number.isFinite(number) && number >= 0) return number;
  throw new MemoryError("option_invalid", `--${option} is "${text}". Valid: a number from 0 on, as 0.25.`);
}

export function moment(given: Given, option: string): number | undefined {
  const text = given.text(option);
  if (text === undefined) return undefined;
  const found = readMoment(text);
  if (found !== undefined) return found;
  throw new MemoryError(
    "option_invalid",
    `--${option} is "${text}". Valid: a date as 2023-05-08 or 2023-05-08 13:56.`,
  );
}

/** The end of a span: a day without a time is meant whole. */
export function lastMoment(given: Given, option: string): number | undefined {
  const found = moment(given, option);
  const isDay = given.text(option)?.includes(":") === false;
  return found !== undefined && isDay ? found + DAY_MS - 1 : found;
}

/** "a, b" or "a，b". */
export function list(given: Given, option: string): string[] | undefined {
  const parts = given
    .text(option)
    ?.split(/[,，、]/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  return parts?.length === 0 ? undefined : parts;
}

/** Memories of --kind and with --tag; undefined: all. */
export function kindAndTag(given: Given): Filter | undefined {
  const [kind, tag] = [given.text("kind"), given.text("tag")];
  const parts = [
    ...(kind === undefined ? [] : [where.eq("kind", kind)]),
    ...(tag === undefined ? [] : [where.contains("tags", tag)]),
  ];
  return parts.length === 0 ? undefined : where.and(...parts);
}
