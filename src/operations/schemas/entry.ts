/** A stored memory, as JSON. */
import { z } from "zod";
import { type JsonObject, jsonObjectSchema } from "../../base/json.ts";

/** By a name: the page of the API describes it once. */
export const jsonObject: z.ZodType<JsonObject> = jsonObjectSchema;

const entryShape = {
  id: z.string(),
  collection: z.string(),
  scope: z.string(),
  kind: z.string(),
  content: z.string(),
  rationale: z.string(),
  tags: z.array(z.string()).readonly(),
  metadata: jsonObject,
  happenedAt: z.number().describe("When it happened (epoch ms)."),
  recordedAt: z.number().describe("When it was learned (epoch ms)."),
  updatedAt: z.number(),
  contentHash: z.string(),
  sources: z.array(z.string()).readonly().describe("Turns or memories it was made from."),
  supersededBy: z.string().nullable(),
  createdAt: z.number(),
  lastAccessAt: z.number(),
  accessCount: z.number(),
  usefulCount: z.number(),
  importance: z.number().nullable(),
  strength: z.number(),
  pinned: z.boolean(),
  energyAnchor: z.object({ value: z.number(), at: z.number() }).nullable(),
  tier: z.string().nullable(),
};

export const entryOutput = z.object(entryShape);
export type EntryOutput = z.infer<typeof entryOutput>;

export const hitOutput = z.object({
  ...entryShape,
  text: z.string().describe("What is shown of it."),
  score: z.number(),
  scoreParts: z.record(z.string(), z.number()).describe("What the score is made of."),
});
export type HitOutput = z.infer<typeof hitOutput>;

export const turnOutput = z.object({
  id: z.string(),
  seq: z.number(),
  scope: z.string(),
  session: z.string(),
  speaker: z.string(),
  role: z.string(),
  text: z.string(),
  captions: z.array(z.string()).readonly(),
  happenedAt: z.number(),
  zone: z.string().nullable(),
  recordedAt: z.number(),
  metadata: jsonObject,
});
export type TurnOutput = z.infer<typeof turnOutput>;

export const eventOutput = z.object({
  seq: z.number(),
  change: z.number(),
  undoes: z.number().nullable(),
  at: z.number(),
  actor: z.string(),
  cause: z.string(),
  operation: z.string(),
  collection: z.string(),
  scope: z.string(),
  subject: z.string(),
  changed: z.array(z.string()).readonly(),
  before: jsonObject.nullable(),
  after: jsonObject.nullable(),
});
export type EventOutput = z.infer<typeof eventOutput>;
