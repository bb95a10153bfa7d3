/**
 * SeCom (Pan et al., ICLR 2025): what was said about one topic is one memory; it is found by its denoised text and read
 * in full. So the key is embedded and stands in `metadata.compressed`, the value is the content. An exchange is never
 * parted, and where a model's division cannot be used, so many exchanges make a segment each.
 */
import { z } from "zod";
import type { PreInsertContext } from "../../../pipeline/action.ts";
import type { Draft } from "../../../pipeline/draft.ts";
import { denoiseText } from "./denoise-text.ts";
import { SIZES_MISFIT, segmentDrafts, segmentOptions, sizesFit } from "./segment-drafts.ts";

export const denoiseRatio = z
  .number()
  .gt(0)
  .max(1)
  .describe("How much of a segment's length the text keeps that is embedded; 1: all of it.");

export const segmentDenoiseOptions = z
  .strictObject({
    transform_type: z
      .literal("segment_denoise")
      .describe("Puts what was said about one topic into one entry, found by its denoised text (SeCom)."),
    ...segmentOptions,
    exchange_turns: z
      .int()
      .min(1)
      .describe("Turns of an exchange, the smallest piece; 2: each with its reply."),
    malformed_exchanges: z
      .int()
      .min(1)
      .nullable()
      .describe(
        "Exchanges of a segment where the model's division cannot be used; null: by the words, as without a model.",
      ),
    ratio: denoiseRatio,
  })
  .refine(sizesFit, SIZES_MISFIT);

export async function segmentDenoise(
  drafts: readonly Draft[],
  context: PreInsertContext,
  options: z.infer<typeof segmentDenoiseOptions>,
): Promise<Draft[]> {
  const { exchange_turns, malformed_exchanges, ratio } = options;
  const exchanges = { turns: exchange_turns, malformed: malformed_exchanges };
  const segments = await segmentDrafts(drafts, context, options, exchanges);
  return segments.map((draft) => withKey(draft, ratio));
}

function withKey(draft: Draft, ratio: number): Draft {
  const compressed = denoiseText(draft.content, ratio);
  return { ...draft, embedText: compressed, metadata: { ...draft.metadata, compressed } };
}
