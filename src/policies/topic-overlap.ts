/**
 * How much do two sets of keywords share? `jaccard`, |∩| / |∪| (B.0.2; MemoryOS's package), or `mean_share`,
 * ½·|∩|/|a| + ½·|∩|/|b| (LD-Agent, Li et al., NAACL 2025; MemoryOS's evaluation). On it MemoryOS builds its Fscore (Kang et
 * al., EMNLP 2025), which decides whether a page joins a segment: likeness + overlap, in SAGE's service with nearness in
 * time besides. Keywords are the same in whatever case, width and Chinese script they are written.
 */
import { z } from "zod";
import { overlapOf } from "../tasks/rules/statement.ts";
import { simplify } from "../text/simplify.ts";

export const OVERLAP_FORMS = ["jaccard", "mean_share"] as const;
export type OverlapForm = (typeof OVERLAP_FORMS)[number];

/** 0 (nothing shared, or nothing there) to 1 (the same keywords). */
export function topicOverlap(a: Iterable<string>, b: Iterable<string>, form: OverlapForm): number {
  const { jaccard, ofFirst, ofSecond } = overlapOf(keywordSet(a), keywordSet(b));
  return form === "jaccard" ? jaccard : (ofFirst + ofSecond) / 2;
}

const weight = z.number().min(0);

export const segmentScoreOptions = z.strictObject({
  overlap: z.enum(OVERLAP_FORMS).describe("How the overlap of keywords is measured."),
  similarity_weight: weight.describe("What the likeness of the two vectors counts."),
  overlap_weight: weight.describe("What the overlap of keywords counts."),
  time: z
    .strictObject({
      weight: weight.describe("What being of the same day counts."),
      factor_per_day: z.number().positive().max(1).describe("What is left of it for every day apart."),
    })
    .nullable()
    .describe("Nearness in time; null: it does not count."),
});
export type SegmentScoreOptions = Readonly<z.infer<typeof segmentScoreOptions>>;

export interface SegmentScoreInput {
  /** Cosine of the two. */
  readonly similarity: number;
  readonly keywords: readonly [Iterable<string>, Iterable<string>];
  /** Either way. */
  readonly daysApart: number;
}

/** MemoryOS's Fscore. */
export function segmentScore(input: SegmentScoreInput, options: SegmentScoreOptions): number {
  const { overlap, similarity_weight, overlap_weight, time } = options;
  const shared = topicOverlap(...input.keywords, overlap);
  const near = time === null ? 0 : time.weight * time.factor_per_day ** Math.abs(input.daysApart);
  return similarity_weight * input.similarity + overlap_weight * shared + near;
}

function keywordSet(keywords: Iterable<string>): Set<string> {
  const folded = Array.from(keywords, (word) => simplify(word.normalize("NFKC").trim().toLowerCase()));
  return new Set(folded.filter((word) => word !== ""));
}
