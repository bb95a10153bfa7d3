/**
 * In which forms do models say a list, a number, a yes? The parts that reply schemas are made of. Each takes the usual
 * variants (a comma list for a list, "yes" for true, "7/10" for 7) and gives one form; what is none of them is refused.
 */
import { z } from "zod";

/** A text with something in it. */
export const textForm = z.string().trim().min(1);

/** A text, or null for "". */
export const nullableTextForm = z.preprocess(
  (value) => (value === "" || value === undefined ? null : value),
  z.string().trim().min(1).nullable(),
);

/** A field that may be unknown: null where there is nothing, for which models also say "none" and the like. */
export const optionalTextForm = z.preprocess(
  (value) => (typeof value === "string" || value === undefined ? optionalText(value) : value),
  z.string().nullable(),
);

export function optionalText(text: string | undefined): string | null {
  const clean = text?.trim() ?? "";
  return IS_NOTHING.test(clean) ? null : clean;
}

const IS_NOTHING =
  /^(?:|none|null|n\/?a|nil|unknown|not (?:mentioned|specified|given)|无|没有|未知|未提及|未提到|暂无)[.。]?$/i;

/** Short terms, none empty, none twice. */
export const termsForm = z.preprocess(
  (value) => (typeof value === "string" ? value.split(/[,，、;；\n]/) : value),
  z.array(z.string()).transform((terms) => distinctTexts(terms)),
);

/** The same for a field that may be left out: nothing said is nothing found. */
export const termsOrNoneForm = z.preprocess((value) => value ?? [], termsForm);

/** Sentences, none empty, none twice. A single one may come without its list. */
export const sentencesForm = z.preprocess(
  (value) => (typeof value === "string" ? splitList(value) : value),
  z.array(z.string()).transform((sentences) => distinctTexts(sentences)),
);

/** Numbers of things that were shown, from 0, none twice. */
export const numbersForm = z.preprocess(
  (value) => (Array.isArray(value) ? value.map(toNumber) : value),
  z.array(z.number().int().min(0)).transform((numbers) => [...new Set(numbers)]),
);

/** The same for a field that may be left out. */
export const numbersOrNoneForm = z.preprocess((value) => value ?? [], numbersForm);

/** The number of a thing that was shown, or null for none of them. */
export const numberOrNoneForm = z.preprocess(
  (value) => (value === undefined || value === "" ? null : toNumber(value)),
  z.number().int().min(0).nullable(),
);

export const flagForm = z.preprocess((value) => {
  if (typeof value !== "string") return value;
  if (/^\s*(?:(?:true|yes|y)\b|\(?a\)|是|对|有|能|需要|可以|会)/i.test(value)) return true;
  if (/^\s*(?:(?:false|no|n)\b|\(?b\)|否|不|没|无)/i.test(value)) return false;
  return value;
}, z.boolean());

/** A whole number on a scale. */
export function scaleForm(min: number, max: number) {
  return z.preprocess((value) => {
    const number = toNumber(value);
    return typeof number === "number" ? Math.round(number) : number;
  }, z.number().int().min(min).max(max));
}

/** A part of one, which some say in per cent. */
export const confidenceForm = z.preprocess((value) => {
  const number = toNumber(value);
  return typeof number === "number" && number > 1 && number <= 100 ? number / 100 : number;
}, z.number().min(0).max(1));

function toNumber(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const found = /-?\d+(?:\.\d+)?/.exec(value);
  return found === null ? value : Number(found[0]);
}

/** "1. first\n2. second" and "- first\n- second" as lists. */
function splitList(text: string): string[] {
  return text.split(/\n+/).map((line) => line.replace(/^\s*(?:[-*•]|\(?\d+[.)、])\s*/, ""));
}

/** Trimmed, none empty, none twice whatever its case: the form in which lists of terms and sentences are given. */
export function distinctTexts(texts: readonly string[]): string[] {
  const seen = new Map<string, string>();
  for (const text of texts) {
    const clean = text.trim();
    const key = clean.toLowerCase();
    if (clean !== "" && !seen.has(key)) seen.set(key, clean);
  }
  return [...seen.values()];
}

/** What is wrong with numbers that name nothing which was shown. */
export function unknownNumbers(numbers: readonly number[], count: number, what: string): string[] {
  const wrong = numbers.filter((number) => number >= count);
  if (wrong.length === 0) return [];
  const range = count === 0 ? "there are none" : `valid are 0 to ${count - 1}`;
  return [`There is no ${what} with the number ${wrong.join(", ")}; ${range}.`];
}
