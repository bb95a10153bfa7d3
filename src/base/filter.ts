/**
 * Which entries? A small tagged language that every back end understands: what a back end cannot push down, the
 * evaluator here decides. A missing field equals nothing, lies in no range and contains nothing; `not` turns that round.
 */
import { z } from "zod";
import type { Entry } from "./entry.ts";
import { MemoryError } from "./errors.ts";
import type { Json } from "./json.ts";
import { validNames } from "./nearest-name.ts";
import { parseInput } from "./parse-input.ts";
import { checkText } from "./text-input.ts";

export type Scalar = string | number | boolean | null;

export interface Range {
  readonly gt?: string | number | undefined;
  readonly gte?: string | number | undefined;
  readonly lt?: string | number | undefined;
  readonly lte?: string | number | undefined;
}

export type Filter =
  | { readonly op: "eq"; readonly field: string; readonly value: Scalar }
  | { readonly op: "in"; readonly field: string; readonly values: readonly Scalar[] }
  | ({ readonly op: "range"; readonly field: string } & Range)
  | { readonly op: "contains"; readonly field: string; readonly value: string | number | boolean }
  | { readonly op: "and"; readonly filters: readonly Filter[] }
  | { readonly op: "or"; readonly filters: readonly Filter[] }
  | { readonly op: "not"; readonly filter: Filter };

/** Builders that read like the sentence they mean. */
export const where = {
  eq: (field: string, value: Scalar): Filter => ({ op: "eq", field, value }),
  in: (field: string, values: readonly Scalar[]): Filter => ({ op: "in", field, values }),
  range: (field: string, range: Range): Filter => ({ op: "range", field, ...range }),
  contains: (field: string, value: string | number | boolean): Filter => ({ op: "contains", field, value }),
  and: (...filters: readonly Filter[]): Filter => ({ op: "and", filters }),
  or: (...filters: readonly Filter[]): Filter => ({ op: "or", filters }),
  not: (filter: Filter): Filter => ({ op: "not", filter }),
} as const;

/** Fields of an entry a filter may name; anything else must start with "metadata.". */
export const FILTER_FIELDS = [
  "id",
  "kind",
  "content",
  "rationale",
  "tags",
  "happenedAt",
  "recordedAt",
  "updatedAt",
  "contentHash",
  "sources",
  "supersededBy",
  "createdAt",
  "lastAccessAt",
  "accessCount",
  "usefulCount",
  "importance",
  "strength",
  "pinned",
  "tier",
] as const satisfies readonly (keyof Entry)[];

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const bound = z.union([z.string(), z.number()]).optional();
/** The shape alone; `parseFilter` looks at the names of fields, too. */
export const filterSchema: z.ZodType<Filter> = z.lazy(() =>
  z.discriminatedUnion("op", [
    z.strictObject({ op: z.literal("eq"), field: z.string(), value: scalar }),
    z.strictObject({ op: z.literal("in"), field: z.string(), values: z.array(scalar) }),
    z.strictObject({
      op: z.literal("range"),
      field: z.string(),
      gt: bound,
      gte: bound,
      lt: bound,
      lte: bound,
    }),
    z.strictObject({
      op: z.literal("contains"),
      field: z.string(),
      value: z.union([z.string(), z.number(), z.boolean()]),
    }),
    z.strictObject({ op: z.literal("and"), filters: z.array(filterSchema) }),
    z.strictObject({ op: z.literal("or"), filters: z.array(filterSchema) }),
    z.strictObject({ op: z.literal("not"), filter: filterSchema }),
  ]),
);

export function parseFilter(value: unknown): Filter {
  const filter = parseInput(filterSchema, value, "filter");
  checkFieldNames(filter);
  return filter;
}

export function matches(filter: Filter, entry: Entry): boolean {
  switch (filter.op) {
    case "and":
      return filter.filters.every((part) => matches(part, entry));
    case "or":
      return filter.filters.some((part) => matches(part, entry));
    case "not":
      return !matches(filter.filter, entry);
    case "eq":
      return readField(entry, filter.field) === filter.value;
    case "in":
      return filter.values.some((value) => value === readField(entry, filter.field));
    case "contains":
      return holds(readField(entry, filter.field), filter.value);
    case "range":
      return within(readField(entry, filter.field), filter);
  }
}

/** Whether a filter asks about a field anywhere. */
export function mentions(filter: Filter, field: string): boolean {
  if (filter.op === "and" || filter.op === "or") return filter.filters.some((part) => mentions(part, field));
  return filter.op === "not" ? mentions(filter.filter, field) : filter.field === field;
}

/** An entry's own field, or a path into its metadata. */
export function readField(entry: Entry, field: string): Json | undefined {
  if (field.startsWith("metadata.")) {
    let value: Json | undefined = entry.metadata;
    for (const key of field.slice("metadata.".length).split(".")) {
      if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
      value = Object.hasOwn(value, key) ? (value as { [key: string]: Json })[key] : undefined;
    }
    return value;
  }
  const known = FILTER_FIELDS.find((name) => name === field);
  return known === undefined ? undefined : entry[known];
}

function holds(value: Json | undefined, part: string | number | boolean): boolean {
  if (typeof value === "string") return value.includes(String(part));
  return Array.isArray(value) && value.includes(part);
}

/** Numbers compare with numbers and strings with strings (by code unit); anything else lies in no range. */
function within(value: Json | undefined, range: Range): boolean {
  if (typeof value !== "number" && typeof value !== "string") return false;
  const { gt, gte, lt, lte } = range;
  return (
    (gt === undefined || (typeof gt === typeof value && value > gt)) &&
    (gte === undefined || (typeof gte === typeof value && value >= gte)) &&
    (lt === undefined || (typeof lt === typeof value && value < lt)) &&
    (lte === undefined || (typeof lte === typeof value && value <= lte))
  );
}

function checkFieldNames(filter: Filter): void {
  if (filter.op === "and" || filter.op === "or") {
    for (const part of filter.filters) checkFieldNames(part);
  } else if (filter.op === "not") {
    checkFieldNames(filter.filter);
  } else if (!filter.field.startsWith("metadata.") && !FILTER_FIELDS.some((name) => name === filter.field)) {
    throw new MemoryError(
      "input_invalid",
      `Unknown field "${filter.field.slice(0, 60)}" in the filter. ${validNames(filter.field, [...FILTER_FIELDS, "metadata.<path>"])}`,
    );
  } else {
    for (const value of Object.values(filter).flat())
      if (typeof value === "string") checkText(value, "filter's value");
  }
}
