/** By time alone: as a reader wants a conversation, whatever order it was found in. Scores stay as they are. */
import { z } from "zod";
import type { Found } from "../../../pipeline/question.ts";
import { oldestFirst } from "../found-hits.ts";

export const chronologicalOptions = z.strictObject({
  rerank_type: z.literal("chronological").describe("By when it happened."),
  order: z.enum(["oldest_first", "newest_first"]).describe("Which end comes first."),
});

export function orderByTime(found: Found, { order }: z.infer<typeof chronologicalOptions>): Found {
  const hits = oldestFirst(found.hits);
  return { ...found, hits: order === "oldest_first" ? hits : hits.reverse() };
}
