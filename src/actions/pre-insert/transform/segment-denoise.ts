/**
 * SeCom (Pan et al., ICLR 2025): what was said about one topic is one memory; it is found by its denoised text and read
 * in full. So the key is embedded and stands in `metadata.compressed`, the value is the content.
 */
import { z } from "zod";
import type { PreInsertContext } from "../../../pipeline/action.ts";
import type { Draft } from "../../../pipeline/draft.ts";
import { compress } from "./compress.ts";
import { SIZES_MISFIT, segmentDrafts, segmentOptions, sizesFit } from "./segment-drafts.ts";

export const segmentDenoiseOptions = z
  .strictObject({
    transform_type: z
      .literal("segment_denoise")
      .describe("Puts what was said about one topic into one entry, found by its denoised text (SeCom)."),
    ...segmentOptions,
    ratio: z
      .number()
      .gt(0)
      .max(1)
      .describe("How much of a segment's length the text keeps that is embedded; 1: all of it."),
  })
  .refine(sizesFit, SIZES_MISFIT);

export async function segmentDenoise(
  drafts: readonly Draft[],
  context: PreInsertContext,
  options: z.infer<typeof segmentDenoiseOptions>,
): Promise<Draft[]> {
  return compress(await segmentDrafts(drafts, context, options), options);
}
