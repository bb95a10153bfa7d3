/** Which field of an entry does an index read? Any that a filter may name, checked when the index is made. */
import { z } from "zod";
import { FILTER_FIELDS } from "../base/filter.ts";
import type { Json } from "../base/json.ts";
import { validNames } from "../base/nearest-name.ts";

export const entryField = z.string().refine(isField, {
  error: ({ input }) =>
    `unknown field "${input}". ${validNames(String(input), [...FILTER_FIELDS, "metadata.<path>"])}`,
});

/** The words of a field: a text as it is, the elements of a list with spaces between them; nothing else has words. */
export function textOfField(value: Json | undefined): string {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.filter(isWord).join(" ") : "";
}

function isField(name: string): boolean {
  return /^metadata\../.test(name) || FILTER_FIELDS.some((field) => field === name);
}

function isWord(value: Json): boolean {
  return typeof value === "string" || typeof value === "number";
}
