/** Cuts long texts into pieces that overlap a little (S0-27): each becomes an entry that knows its place. */
import { z } from "zod";
import type { Draft } from "../../../pipeline/draft.ts";
import { recast } from "../recast.ts";
import { CUT_STRATEGIES, cutText } from "./cut-text.ts";

export const chunkingOptions = z
  .strictObject({
    transform_type: z.literal("chunking").describe("Cuts long texts into pieces."),
    chunk_size: z.number().int().min(1).describe("Most tokens of a piece."),
    chunk_overlap: z
      .number()
      .int()
      .min(0)
      .describe("Most tokens that a piece says again of the end of the one before it."),
    strategy: z
      .enum(CUT_STRATEGIES)
      .describe(
        "Where pieces may end: fixed after any word, sentence after a sentence, paragraph at a line break. What is longer than a piece is cut more finely.",
      ),
  })
  .refine(({ chunk_size, chunk_overlap }) => chunk_overlap < chunk_size, {
    path: ["chunk_overlap"],
    error: "must be less than chunk_size",
  });

export function chunk(drafts: readonly Draft[], options: z.infer<typeof chunkingOptions>): Draft[] {
  const { chunk_size: size, chunk_overlap: overlap, strategy } = options;
  return drafts.flatMap((draft) => {
    const pieces = cutText(draft.content, { size, overlap, strategy });
    return pieces.map((content, chunkIndex) =>
      recast(draft, {
        content,
        insertMethod: "chunk_insert",
        insertParams: { chunkIndex, totalChunks: pieces.length },
      }),
    );
  });
}
