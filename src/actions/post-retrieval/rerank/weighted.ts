/**
 * By several reasons at once: how recent, how important, how relevant, how much of the same topic. Added up they are the
 * score of Generative Agents (Park et al., UIST 2023; the paper's recency by hours or the released one by rank); with
 * recency as a factor of the rest, that of LD-Agent (Li et al., NAACL 2025): λ·(nearness + overlap of topics).
 */
import { z } from "zod";
import type { JsonObject } from "../../../base/json.ts";
import { minMax } from "../../../math/min-max.ts";
import type { Found, FoundHit, Question } from "../../../pipeline/question.ts";
import { recencyOf, recencySchema } from "../../../policies/recency.ts";
import { ALL_EQUAL } from "../../../policies/three-reasons.ts";
import { OVERLAP_FORMS, topicOverlap } from "../../../policies/topic-overlap.ts";
import { extractKeywords } from "../../../text/keywords.ts";
import { tokenize } from "../../../text/tokenize.ts";
import { bestFirst, rescored } from "../found-hits.ts";

const weight = z.number().min(0);

export const weightedOptions = z.strictObject({
  rerank_type: z
    .literal("weighted")
    .describe("By recency, importance, relevance and shared topics together."),
  weights: z
    .strictObject({
      recency: weight.describe("What being recent counts; where recency is a factor, its exponent."),
      importance: weight.describe("What the judged importance counts."),
      relevance: weight.describe("What the score counts that the memory was found with."),
      topic_overlap: weight.describe("What keywords shared with the question count."),
    })
    .describe("What each reason counts."),
  combine: z
    .enum(["sum", "decayed_sum"])
    .describe("sum adds all four up; decayed_sum multiplies the sum of the other three by recency."),
  scaling: z
    .enum(["min_max", "none"])
    .describe(
      "min_max brings each reason to 0 … 1 over the hits, equal ones to 0.5; none takes them as they are.",
    ),
  recency: recencySchema.describe("How recency is measured."),
  unjudged_importance: z
    .number()
    .min(0)
    .max(1)
    .describe("The importance of a memory that nobody has judged."),
  overlap: z.enum(OVERLAP_FORMS).describe("How the overlap of keywords is measured."),
  topic_fields: z
    .array(z.string().min(1))
    .min(1)
    .describe(
      "The lists in a memory's metadata that tell its topics, as keywords and nouns; all that it has count.",
    ),
  max_keywords: z
    .int()
    .min(1)
    .describe("How many keywords are read out of a question or memory that comes without any."),
});
type Options = Readonly<z.infer<typeof weightedOptions>>;

const REASONS = ["recency", "importance", "relevance", "topic_overlap"] as const;
type Reason = (typeof REASONS)[number];

export function rankByReasons(found: Found, options: Options): Found {
  const { hits, question } = found;
  const measured: Record<Reason, readonly number[]> = {
    recency: recencyOf(hits, question.at, options.recency),
    importance: hits.map(({ importance }) => importance ?? options.unjudged_importance),
    relevance: hits.map(({ score }) => score),
    topic_overlap: overlapsOf(hits, question, options),
  };
  const scale = (values: readonly number[]): readonly number[] =>
    options.scaling === "none" ? values : minMax(values, ALL_EQUAL);
  const scaled: Record<Reason, readonly number[]> = {
    recency: scale(measured.recency),
    importance: scale(measured.importance),
    relevance: scale(measured.relevance),
    topic_overlap: scale(measured.topic_overlap),
  };
  const ranked = hits.map((hit, place) => {
    const parts = partsAt(place, scaled, options);
    const { recency, ...rest } = parts;
    const others = rest.importance + rest.relevance + rest.topic_overlap;
    return rescored(hit, options.combine === "sum" ? recency + others : recency * others, parts);
  });
  return { ...found, hits: bestFirst(ranked) };
}

function partsAt(
  place: number,
  scaled: Readonly<Record<Reason, readonly number[]>>,
  { weights, combine }: Options,
): Record<Reason, number> {
  const value = (reason: Reason): number => scaled[reason][place] ?? 0;
  const term = (reason: Reason): number => weights[reason] * value(reason);
  return {
    recency: combine === "sum" ? term("recency") : value("recency") ** weights.recency,
    importance: term("importance"),
    relevance: term("relevance"),
    topic_overlap: term("topic_overlap"),
  };
}

function overlapsOf(
  hits: readonly FoundHit[],
  { keywords, text }: Question,
  { overlap, max_keywords, topic_fields }: Options,
): number[] {
  const asked = topicWords(keywords, text, max_keywords);
  return hits.map(({ metadata, content }) => {
    const own = topic_fields.flatMap((field) => wordsIn(metadata, field));
    return topicOverlap(asked, topicWords(own, content, max_keywords), overlap);
  });
}

function wordsIn(metadata: JsonObject, field: string): string[] {
  const stored = Object.hasOwn(metadata, field) ? metadata[field] : [];
  return Array.isArray(stored) ? stored.filter((word) => typeof word === "string") : [];
}

/** Keywords as the words they are made of, stemmed: "oil paintings" speaks of painting, too. */
function topicWords(keywords: readonly string[], text: string, limit: number): string[] {
  const phrases = keywords.length > 0 ? keywords : extractKeywords(text, { limit }).map((word) => word.text);
  return phrases.flatMap((phrase) => {
    const words = tokenize(phrase);
    return words.length > 0 ? words : [phrase];
  });
}
