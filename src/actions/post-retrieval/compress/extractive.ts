/**
 * Fewer words, all of them from the memories: the most central sentences (TextRank), in their order. Each memory by itself,
 * or all together as one text, where memories of which no sentence was chosen leave.
 */
import { z } from "zod";
import type { PostRetrievalContext } from "../../../pipeline/action.ts";
import type { Found } from "../../../pipeline/question.ts";
import { detectLanguage } from "../../../text/language.ts";
import { leadingPart } from "../../../text/leading-part.ts";
import { splitSentences } from "../../../text/sentences.ts";
import { rankSentences } from "../../../text/summary.ts";
import { countTokens } from "../../../text/token-count.ts";

export const extractiveOptions = z.strictObject({
  compress_type: z.literal("extractive").describe("The most central sentences, as they are."),
  unit: z.enum(["hit", "all"]).describe("Whether each hit is shortened by itself, or all as one text."),
  ratio: z.number().gt(0).max(1).describe("The part of the tokens that may stay."),
  max_tokens: z
    .int()
    .min(1)
    .nullable()
    .describe(
      "How many tokens may stay in all of a unit, where the best sentence is cut if need be; null: whatever the ratio allows.",
    ),
});
type Options = z.infer<typeof extractiveOptions>;

interface Piece {
  readonly hit: number;
  readonly text: string;
}

export function extractSentences(found: Found, { note }: PostRetrievalContext, options: Options): Found {
  const pieces = found.hits.map(({ text }, hit): Piece[] =>
    splitSentences(text).map((sentence) => ({ hit, text: sentence.text })),
  );
  const units = options.unit === "hit" ? pieces : [pieces.flat()];
  const chosen = new Map(units.flatMap((unit) => choose(unit, options)));
  const hits = found.hits.flatMap((hit, place) => {
    const all = pieces[place] ?? [];
    const kept = all.flatMap((piece) => chosen.get(piece) ?? []);
    if (kept.length === all.length && all.every(({ text }, at) => text === kept[at])) return [hit];
    const joint = detectLanguage(hit.text) === "zh" ? "" : " ";
    return kept.length === 0 ? [] : [{ ...hit, text: kept.join(joint) }];
  });
  note("sentences", { given: pieces.flat().length, kept: chosen.size });
  return { ...found, hits };
}

/** By rank, as many as fit, each with what is left of it; and the first in any case: a unit is never cut to nothing. */
function choose(pieces: readonly Piece[], { ratio, max_tokens }: Options): [Piece, string][] {
  const costs = pieces.map(({ text }) => countTokens(text));
  const total = costs.reduce((sum, cost) => sum + cost, 0);
  const most = max_tokens ?? Number.POSITIVE_INFINITY;
  const room = Math.min(Math.ceil(total * ratio), most);
  const ranks = rankSentences(pieces.map(({ text }) => text));
  const order = [...pieces.keys()].sort((a, b) => (ranks[b] ?? 0) - (ranks[a] ?? 0) || a - b);
  const chosen: [Piece, string][] = [];
  let spent = 0;
  for (const place of order) {
    const piece = pieces[place];
    const cost = costs[place] ?? 0;
    if (piece === undefined || (chosen.length > 0 && spent + cost > room)) continue;
    const text = cost <= most ? piece.text : leadingPart(piece.text, (part) => countTokens(part) <= most);
    chosen.push([piece, text]);
    spent += Math.min(cost, most);
  }
  return chosen;
}
