/**
 * What may a client of mem0 ask for? Everything that is done here, and of what is not the one value that asks for nothing: a
 * client that sends `enable_graph: false` is served, one that sends `true` is told. Unknown fields are refused.
 */
import { z } from "zod";
import { jsonObjectSchema } from "../../base/json.ts";
import { momentInput } from "../../operations/moment.ts";
import { entitiesShape } from "./entities.ts";

/** A wish that is only fulfilled by not having it. */
function never(name: string): z.ZodType<false | null | undefined> {
  return z.literal(false, { error: `${name} is not done here. Valid: false, or leave it out` }).nullish();
}

const sharedShape = {
  output_format: z.enum(["v1.0", "v1.1"]).nullish(),
  version: z.enum(["v1", "v2"]).nullish(),
  enable_graph: never("enable_graph"),
};

const partSchema = z.looseObject({ type: z.string(), text: z.string().optional() });
const messageSchema = z.strictObject({
  role: z.enum(["user", "assistant", "system", "tool"]),
  content: z.union([z.string(), z.array(partSchema), partSchema]),
  name: z.string().max(256).nullish(),
});
export type Mem0Message = z.infer<typeof messageSchema>;

export const addSchema = z.strictObject({
  ...entitiesShape,
  ...sharedShape,
  messages: z.union([z.string(), z.array(messageSchema).min(1).max(10_000)]),
  metadata: jsonObjectSchema.nullish(),
  infer: z.boolean().nullish(),
  async_mode: z.boolean().nullish(),
  /** Epoch seconds, as mem0 has it. */
  timestamp: z.int().min(0).max(253_402_300_799).nullish(),
});

const count = z.coerce.number().int().min(1).max(1000);

/** Two names of one number: both may be said where they say the same. */
function agree(one: number | null | undefined, other: number | null | undefined): boolean {
  return typeof one !== "number" || typeof other !== "number" || one === other;
}

const searchFields = z.strictObject({
  ...entitiesShape,
  ...sharedShape,
  query: z.string(),
  filters: z.unknown().optional(),
  metadata: jsonObjectSchema.nullish(),
  top_k: count.nullish(),
  limit: count.nullish(),
  fields: z.array(z.string()).nullish(),
  reference_date: momentInput.nullish(),
  latest_only: z
    .literal(true, { error: "what was replaced is never found here. Valid: true, or leave it out" })
    .nullish(),
  threshold: z
    .literal(0, { error: "scores of this memory are not on mem0's scale. Valid: 0, or leave it out" })
    .nullish(),
  rerank: never("rerank"),
  keyword_search: never("keyword_search"),
  filter_memories: never("filter_memories"),
  show_expired: never("show_expired"),
});
export const searchSchema = searchFields.refine(({ top_k, limit }) => agree(top_k, limit), {
  path: ["limit"],
  error: "is not the same as top_k. Valid: one of them",
});
export type Mem0Search = z.infer<typeof searchSchema>;

const pageShape = {
  page: z.coerce.number().int().min(1).nullish(),
  page_size: count.nullish(),
};

/** The same as a body and as a query, in which all are texts. */
const listFields = z.strictObject({
  ...entitiesShape,
  ...sharedShape,
  ...pageShape,
  filters: z.unknown().optional(),
  metadata: jsonObjectSchema.nullish(),
  limit: count.nullish(),
  fields: z.array(z.string()).nullish(),
  start_date: z.string().nullish(),
  end_date: z.string().nullish(),
  latest_only: z.literal(true).nullish(),
  show_expired: never("show_expired"),
});
export const listSchema = listFields.refine(({ page_size, limit }) => agree(page_size, limit), {
  path: ["limit"],
  error: "is not the same as page_size. Valid: one of them",
});
export type Mem0List = z.infer<typeof listSchema>;

export const deleteAllSchema = z.strictObject({ ...entitiesShape });

export const deleteSchema = z.strictObject({
  delete_linked: z
    .literal("true", {
      error: "what a memory had replaced always goes with it. Valid: true, or leave it out",
    })
    .optional(),
});
