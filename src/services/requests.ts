/**
 * What may be asked of a service: a word it does not know is refused, not ignored. Checks are shallow and cheap: what an
 * entry's fields, a filter or a vector may hold, the layer that reads them says.
 */
import { z } from "zod";
import type { NewEntry } from "../base/entry.ts";
import type { Filter } from "../base/filter.ts";
import { type EntryId, isEntryId } from "../base/ids.ts";
import { parseInput } from "../base/parse-input.ts";
import type { Vector } from "../base/vector.ts";
import { fusionSchema } from "../policies/fusion.ts";
import { hintsSchema } from "./hints.ts";
import type { InsertParams, OptimizeRequest, ServiceInsert, ServiceQuery } from "./service.ts";

const checkedLater = z.unknown().optional();
/** By the collection, when the entry is made. That it comes superseded, or in whose indexes, is nobody's to say. */
const entryFields: Readonly<Record<Exclude<keyof NewEntry, "supersededBy">, typeof checkedLater>> = {
  content: checkedLater,
  kind: checkedLater,
  rationale: checkedLater,
  tags: checkedLater,
  metadata: checkedLater,
  happenedAt: checkedLater,
  sources: checkedLater,
  lastAccessAt: checkedLater,
  accessCount: checkedLater,
  usefulCount: checkedLater,
  importance: checkedLater,
  strength: checkedLater,
  pinned: checkedLater,
  energyAnchor: checkedLater,
  tier: checkedLater,
};

const vectors = z
  .array(
    z.custom<Vector>(
      (value) => typeof value === "object" && value !== null && "space" in value && "values" in value,
      "must be a vector: { space, values }",
    ),
  )
  .readonly();
const filter = z.custom<Filter>((value) => typeof value === "object" && value !== null, "must be a filter");
const topK = z.int().min(0);
const entryId = z.custom<EntryId>(
  (value) => typeof value === "string" && isEntryId(value),
  "must be an entry's id",
);
/** A key of spaces alone could never be asked for. */
export const keySchema = z
  .string()
  .max(10_000)
  .refine((key) => key.trim() !== "", "must hold more than spaces");

const paramsSchema = z.strictObject({
  targetTier: z.string().optional(),
  targetIndexes: z.array(z.string()).readonly().optional(),
  key: keySchema.optional(),
  priority: z.number().min(0).max(1).optional(),
});

const insertSchema = z.strictObject({
  ...entryFields,
  vectors: vectors.optional(),
  edges: z.array(z.unknown()).optional(),
  supersedes: z.array(entryId).optional(),
  insertMode: z.enum(["passive", "active"]).optional(),
  insertParams: paramsSchema.optional(),
});

const querySchema = z.strictObject({
  text: z.string().optional(),
  vectors: vectors.optional(),
  filter: filter.optional(),
  topK: topK.optional(),
  hints: hintsSchema.optional(),
  rough: z.boolean().optional(),
  own: z.boolean().optional(),
  touch: z.boolean().optional(),
});

const optimizeSchema = z.strictObject({
  // Which triggers there are, and what each is told, the service says.
  trigger: z.string(),
  config: z.unknown(),
  entries: z.array(entryId).optional(),
});

export const multiIndexSchema = z.strictObject({
  queries: z
    .array(
      z.strictObject({
        index: z.string(),
        text: z.string().optional(),
        vectors: vectors.optional(),
        hints: hintsSchema.optional(),
      }),
    )
    .min(1)
    .readonly(),
  fusion: fusionSchema.optional(),
  weights: z.record(z.string(), z.number().min(0)).optional(),
  topK: topK.optional(),
  filter: filter.optional(),
  own: z.boolean().optional(),
  touch: z.boolean().optional(),
});

export const neighborsSchema = z.strictObject({
  // How far is too far, the index says.
  depth: z.int().min(1).optional(),
  types: z.array(z.string()).readonly().optional(),
  direction: z.enum(["out", "in", "both"]).optional(),
  touch: z.boolean().optional(),
});

/** −1 (useless) to 1 (useful). */
export const judgementSchema = z.number().min(-1).max(1);

/** An insert whose words were checked; params are empty unless it is active. */
export interface CheckedInsert {
  readonly entry: Omit<ServiceInsert, "insertMode" | "insertParams">;
  readonly active: boolean;
  readonly params: InsertParams;
}

export function checkInsert(given: ServiceInsert): CheckedInsert {
  const { insertMode, insertParams } = parseInput(insertSchema, given, "entry to insert");
  const { insertMode: _mode, insertParams: _params, ...entry } = given;
  return { entry, active: insertMode === "active", params: insertParams ?? {} };
}

export function checkQuery(given: ServiceQuery): ServiceQuery {
  return parseInput(querySchema, given, "question");
}

export function checkOptimize(given: OptimizeRequest): OptimizeRequest {
  parseInput(optimizeSchema, given, "request to optimize");
  return given;
}
