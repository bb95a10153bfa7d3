/**
 * Cuts long texts into pieces that overlap a little (S0-27): each becomes an entry that knows its place, comes from the turns
 * it holds words of, and states those of the text's triples that it speaks of.
 */
import { z } from "zod";
import type { Draft } from "../../../pipeline/draft.ts";
import { mentions } from "../../../text/mentions.ts";
import type { Triple } from "../../../text/triple.ts";
import { type DraftLine, linesOf, originOf } from "../lines-of.ts";
import { recast } from "../recast.ts";
import { CUT_STRATEGIES, cutPieces, type Piece } from "./cut-text.ts";

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
    const pieces = cutPieces(draft.content, { size, overlap, strategy });
    const lines = linesOf(draft);
    return pieces.map((piece, chunkIndex) => {
      const held = linesIn(piece, lines);
      const { params, metadata } = triplesIn(piece, draft, held);
      return recast(draft, {
        ...originOf(held),
        content: piece.text,
        kind: "chunk",
        metadata,
        insertMethod: "chunk_insert",
        insertParams: { ...params, chunkIndex, totalChunks: pieces.length },
      });
    });
  });
}

/** Lines stand one below the other in a draft's content. */
function linesIn({ start, end }: Piece, lines: readonly DraftLine[]): readonly DraftLine[] {
  let next = 0;
  const held = lines.filter(({ text }) => {
    const at = next;
    next += text.length + 1;
    return at < end && start < at + text.length;
  });
  return held.length === 0 ? lines : held;
}

const triplesSchema = z.array(z.object({ subject: z.string(), relation: z.string(), object: z.string() }));

/** Triples say who where the text says "I": a speaker need not be named to be spoken of. */
function triplesIn({ text }: Piece, { insertParams, metadata }: Draft, held: readonly DraftLine[]) {
  const speakers = new Set(held.map(({ line }) => line.speaker));
  const isStated = ({ subject, object }: Triple): boolean =>
    mentions(text, object) && (speakers.has(subject) || mentions(text, subject));
  const { triples } = insertParams;
  const stored = triplesSchema.safeParse(metadata?.triples);
  return {
    params: triples === undefined ? {} : { triples: triples.filter(isStated) },
    metadata: stored.success ? { triples: stored.data.filter(isStated) } : {},
  };
}
