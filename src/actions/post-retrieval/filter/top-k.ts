/** Only the first few. */
import { z } from "zod";
import type { Found } from "../../../pipeline/question.ts";

export const topKOptions = z.strictObject({
  filter_type: z.literal("top_k").describe("Only the first hits."),
  k: z.int().min(1).describe("How many hits stay where the question does not say."),
});

export function keepFirst(found: Found, { k }: z.infer<typeof topKOptions>): Found {
  return { ...found, hits: found.hits.slice(0, found.question.topK ?? k) };
}
