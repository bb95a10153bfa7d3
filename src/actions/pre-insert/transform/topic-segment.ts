/** Puts what was said about one topic into one entry (S0-27, SeCom's memory units). */
import { z } from "zod";
import { SIZES_MISFIT, segmentOptions, sizesFit } from "./segment-drafts.ts";

export const topicSegmentOptions = z
  .strictObject({
    transform_type: z.literal("topic_segment").describe("Puts what was said about one topic into one entry."),
    ...segmentOptions,
  })
  .refine(sizesFit, SIZES_MISFIT);
