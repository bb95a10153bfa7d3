/** Turns what was said into other texts (S0-27): pieces, segments, facts, summaries, compressed keys, linked pages. */
import { z } from "zod";
import { type Claims, defineAction, type PreInsertContext, type StageData } from "../../pipeline/action.ts";
import type { Draft } from "../../pipeline/draft.ts";
import { extractFacts } from "../../tasks/extract-facts.ts";
import { judgeContinuity } from "../../tasks/judge-continuity.ts";
import { summarize } from "../../tasks/summarize.ts";
import { chunk, chunkingOptions } from "./transform/chunking.ts";
import { compress, compressOptions } from "./transform/compress.ts";
import { continuityCheck, continuityCheckOptions } from "./transform/continuity-check.ts";
import { factExtract, factExtractOptions } from "./transform/fact-extract.ts";
import { newFactClaims, newFactExtract, newFactExtractOptions } from "./transform/new-fact-extract.ts";
import { segmentDenoise, segmentDenoiseOptions } from "./transform/segment-denoise.ts";
import { segmentClaims, segmentDrafts } from "./transform/segment-drafts.ts";
import {
  sessionDatabase,
  sessionDatabaseClaims,
  sessionDatabaseOptions,
} from "./transform/session-database.ts";
import { summarizeDrafts, summarizeOptions } from "./transform/summarize.ts";
import { topicSegmentOptions } from "./transform/topic-segment.ts";
import { withPrevious, withPreviousOptions } from "./transform/with-previous.ts";

const options = z.discriminatedUnion("transform_type", [
  chunkingOptions,
  topicSegmentOptions,
  factExtractOptions,
  newFactExtractOptions,
  summarizeOptions,
  compressOptions,
  segmentDenoiseOptions,
  continuityCheckOptions,
  withPreviousOptions,
  sessionDatabaseOptions,
]);
type Options = z.infer<typeof options>;

export const transform = defineAction({
  stage: "pre_insert",
  name: "transform",
  summary: "Turns what was said into pieces, segments, facts, summaries, compressed keys or linked pages.",
  options,
  subtype: "transform_type",
  shorthands: {
    chunking: { transform_type: "chunking" },
    topic_segment: { transform_type: "topic_segment" },
    fact_extract: { transform_type: "fact_extract" },
    new_fact_extract: { transform_type: "new_fact_extract" },
    summarize: { transform_type: "summarize" },
    compress: { transform_type: "compress" },
    segment_denoise: { transform_type: "segment_denoise" },
    continuity_check: { transform_type: "continuity_check" },
    with_previous: { transform_type: "with_previous" },
    session_database: { transform_type: "session_database" },
  },
  claims: (given) => ({ ...claimsOf(given), rewrites: !ONLY_ADDING.includes(given.transform_type) }),
  run: (said, context, given) => transformed(said, context, given),
});

/** These leave the text as it is. */
const ONLY_ADDING: readonly Options["transform_type"][] = ["compress", "continuity_check"];

function transformed(
  said: StageData["pre_insert"]["given"],
  context: PreInsertContext,
  given: Options,
): Draft[] | Promise<Draft[]> {
  const { drafts } = said;
  switch (given.transform_type) {
    case "chunking":
      return chunk(drafts, given);
    case "topic_segment":
      return segmentDrafts(drafts, context, given);
    case "fact_extract":
      return factExtract(drafts, context, given);
    case "new_fact_extract":
      return newFactExtract(said, context, given);
    case "summarize":
      return summarizeDrafts(drafts, context, given);
    case "compress":
      return compress(drafts, given);
    case "segment_denoise":
      return segmentDenoise(drafts, context, given);
    case "continuity_check":
      return continuityCheck(drafts, context, given);
    case "with_previous":
      return withPrevious(said, context, given);
    case "session_database":
      return sessionDatabase(drafts, context, given);
  }
}

/** Who says nothing about insert methods leaves them to the actions before. */
function claimsOf(given: Options): Claims {
  switch (given.transform_type) {
    case "chunking":
      return { insertMethods: ["chunk_insert"] };
    case "topic_segment":
      return { insertMethods: ["segment_insert"], prompts: segmentClaims(given) };
    case "fact_extract":
      return {
        insertMethods: ["fact_insert"],
        prompts: [{ task: extractFacts, prompt: given.fact_prompt }],
      };
    case "new_fact_extract":
      return newFactClaims(given);
    case "summarize":
      return {
        insertMethods: ["summary_insert"],
        ...(given.target_tier === null ? {} : { abilities: ["tiers"], tiers: [given.target_tier] }),
        prompts: [{ task: summarize, prompt: given.summarize_prompt }],
      };
    case "compress":
      return { abilities: ["vector"], embedder: true };
    case "segment_denoise":
      return {
        abilities: ["vector"],
        embedder: true,
        insertMethods: ["segment_insert"],
        prompts: segmentClaims(given),
      };
    case "continuity_check":
      return {
        hints: [{ strategy: given.strategy, names: [] }],
        prompts: [{ task: judgeContinuity, prompt: given.continuity_prompt }],
      };
    case "with_previous":
      return { insertMethods: ["default"] };
    case "session_database":
      return sessionDatabaseClaims(given);
  }
}
