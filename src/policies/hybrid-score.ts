/**
 * One score of nearness, words and names (Mem0's third version, `search`): nearness is a cosine; words are a BM25 score
 * brought to 0 … 1 by a curve that depends on how many words were asked; names add a boost. The sum is divided by what it
 * could have been at most, given which of the three any candidate has, so scores of two questions cannot be compared.
 */
import { z } from "zod";

export const keywordCurve = z
  .array(
    z.strictObject({
      up_to_terms: z
        .int()
        .min(1)
        .nullable()
        .describe("For questions of at most so many words; null: of any number."),
      middle: z.number().min(0).describe("The BM25 score that counts 0.5."),
      steepness: z.number().positive().describe("How fast it rises around there."),
    }),
  )
  .min(1)
  .refine((steps) => steps.at(-1)?.up_to_terms === null, {
    error: "the last step must be for any number of words (up_to_terms: null)",
  });
export type KeywordCurve = Readonly<z.infer<typeof keywordCurve>>;

/** A BM25 score as a part of one: 1 / (1 + e^(−s·(x − m))), with m and s of the first step that fits. */
export function keywordScore(raw: number, terms: number, curve: KeywordCurve): number {
  const step = curve.find(({ up_to_terms: most }) => most === null || terms <= most);
  if (step === undefined) return 0;
  return 1 / (1 + Math.exp(-step.steepness * (raw - step.middle)));
}

/** What a name that is `similarity` like an asked one adds to a memory, if `speakers` memories have it. */
export function nameBoost(
  similarity: number,
  speakers: number,
  { weight, crowding }: { readonly weight: number; readonly crowding: number },
): number {
  return (similarity * weight) / (1 + crowding * (Math.max(1, speakers) - 1) ** 2);
}

export interface HybridParts {
  readonly semantic: number;
  readonly keyword: number;
  readonly boost: number;
}

/** What each part counts in the sum of which a score is a part; 1, 1 and 0.5 as released. */
export interface HybridTotals {
  readonly keyword: number;
  readonly boost: number;
}

/** The scores of all candidates of one question. */
export function hybridScores(candidates: readonly HybridParts[], totals: HybridTotals): number[] {
  const hasWords = candidates.some(({ keyword }) => keyword > 0);
  const hasNames = candidates.some(({ boost }) => boost > 0);
  const most = 1 + (hasWords ? totals.keyword : 0) + (hasNames ? totals.boost : 0);
  return candidates.map(({ semantic, keyword, boost }) => Math.min(1, (semantic + keyword + boost) / most));
}
