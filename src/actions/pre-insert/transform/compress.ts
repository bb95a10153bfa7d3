/**
 * Embeds a text in short and keeps it whole: the compressed text is the key, the content the value. `metadata.compressed`
 * holds the key. A summary that is embedded already stays the key (B.0.2: summary before compressed before the rest).
 */
import { z } from "zod";
import type { Draft } from "../../../pipeline/draft.ts";
import { compressText } from "./compress-text.ts";

export const compressOptions = z.strictObject({
  transform_type: z.literal("compress").describe("Embeds the most central sentences, and keeps all."),
  ratio: z.number().gt(0).max(1).describe("How much of a text's length the compressed text keeps."),
});

export function compress(drafts: readonly Draft[], { ratio }: { readonly ratio: number }): Draft[] {
  return drafts.map((draft) => {
    const compressed = compressText(draft.content, ratio);
    const { summary } = draft.insertParams;
    const bySummary = summary !== undefined && draft.embedText === summary;
    return {
      ...draft,
      embedText: bySummary ? summary : compressed,
      metadata: { ...draft.metadata, compressed },
    };
  });
}
