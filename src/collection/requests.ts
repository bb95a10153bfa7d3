/** What may be asked of a collection: a question of another shape is refused, not ignored. */
import { z } from "zod";
import type { EdgeKey, NewEdge } from "../base/edge.ts";
import type { EntryFields } from "../base/entry.ts";
import { type Filter, parseFilter } from "../base/filter.ts";
import type { EntryId } from "../base/ids.ts";
import { jsonObjectSchema } from "../base/json.ts";
import type { Vector } from "../base/vector.ts";

export interface ScanRequest {
  readonly filter?: Filter | undefined;
  /** Entries after this id; they come in ascending order of id, which is (within a process) the order of insertion. */
  readonly after?: EntryId | undefined;
  /** @default 100 */
  readonly limit?: number | undefined;
  /** Only entries of the scope itself, not the public ones it also sees. @default false */
  readonly own?: boolean | undefined;
}

export interface NewestRequest {
  readonly filter?: Filter | undefined;
  readonly limit: number;
  /** Only entries of the scope itself, not the public ones it also sees. @default false */
  readonly own?: boolean | undefined;
}

export interface EntryChange extends EntryFields {
  readonly vectors?: readonly Vector[] | undefined;
}

/** What becomes of edges when entries go. */
export interface EdgeChange {
  readonly link?: readonly NewEdge[] | undefined;
  readonly unlink?: readonly EdgeKey[] | undefined;
}

export interface Move {
  readonly from: readonly string[];
  readonly to: readonly string[];
  /** What else changes: its tier. Not its content, whose vectors would be wrong. */
  readonly fields?: Omit<EntryFields, "content"> | undefined;
}

const FUSIONS = ["rrf", "weighted", "union"] as const;
export type Fusion = (typeof FUSIONS)[number];

const wholeNumber = z.number().int().min(0);
/** Checked by the index that is asked: it knows the space and the dimension. */
const vector = z.custom<Vector>(
  (value) => typeof value === "object" && value !== null && "space" in value && "values" in value,
);
const question = {
  index: z.string(),
  text: z.string().optional(),
  vector: vector.optional(),
  params: jsonObjectSchema.optional(),
};

export const retrievalSchema = z.strictObject({
  ...question,
  topK: wholeNumber.optional(),
  least: z.number().optional(),
  rough: z.boolean().optional(),
  filter: z.unknown().optional(),
  superseded: z.boolean().optional(),
  own: z.boolean().optional(),
});

export const multiRetrievalSchema = z.strictObject({
  queries: z.array(z.strictObject({ ...question, weight: z.number().min(0).optional() })),
  topK: wholeNumber.optional(),
  filter: z.unknown().optional(),
  superseded: z.boolean().optional(),
  own: z.boolean().optional(),
  fusion: z.enum(FUSIONS).optional(),
  rrfK: z.number().min(0).optional(),
});

export const scanSchema = z.strictObject({
  filter: z.unknown().optional(),
  after: z.custom<EntryId>((value) => typeof value === "string").optional(),
  limit: wholeNumber.optional(),
  own: z.boolean().optional(),
});

export const newestSchema = z.strictObject({
  filter: z.unknown().optional(),
  limit: wholeNumber,
  own: z.boolean().optional(),
});

export const vitalsSchema = scanSchema.omit({ filter: true, own: true });

export function optionalFilter(filter: unknown): Filter | undefined {
  return filter === undefined ? undefined : parseFilter(filter);
}
