/** How pleasant a text is, from −1 to 1: `metadata.sentiment` (BIEM; S4-5, S4-9). A lexicon of both languages says it. */
import { z } from "zod";
import type { JsonObject } from "../../../base/json.ts";
import type { Draft } from "../../../pipeline/draft.ts";
import { scoreSentiment } from "../../../text/sentiment.ts";

export const sentimentOptions = z.strictObject({
  extract_type: z.literal("sentiment").describe("How pleasant a text is, from −1 to 1."),
});

export function sentimentOf({ content }: Draft): JsonObject {
  return { sentiment: Number(scoreSentiment(content).toFixed(2)) };
}
