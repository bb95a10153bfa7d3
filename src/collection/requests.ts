/** What a question to a collection may look like: anything else is refused, not ignored. */
import { z } from "zod";
import { type Filter, parseFilter } from "../base/filter.ts";
import type { EntryId } from "../base/ids.ts";
import { jsonObjectSchema } from "../base/json.ts";
import type { Vector } from "../base/vector.ts";

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
  filter: z.unknown().optional(),
  superseded: z.boolean().optional(),
});

export const multiRetrievalSchema = z.strictObject({
  queries: z.array(z.strictObject({ ...question, weight: z.number().min(0).optional() })),
  topK: wholeNumber.optional(),
  filter: z.unknown().optional(),
  superseded: z.boolean().optional(),
  fusion: z.enum(FUSIONS).optional(),
  rrfK: z.number().min(0).optional(),
});

export const scanSchema = z.strictObject({
  filter: z.unknown().optional(),
  after: z.custom<EntryId>((value) => typeof value === "string").optional(),
  limit: wholeNumber.optional(),
});

export const vitalsSchema = scanSchema.omit({ filter: true });

export function optionalFilter(filter: unknown): Filter | undefined {
  return filter === undefined ? undefined : parseFilter(filter);
}
