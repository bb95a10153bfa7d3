/** What else belongs to it? Links are followed, queries put together, tiers asked one by one (S0-40). */
import { z } from "zod";
import { defineAction } from "../../pipeline/action.ts";
import { addLinked, linkExpandClaims, linkExpandOptions } from "./merge/link-expand.ts";
import { mergeLists, multiQueryClaims, multiQueryOptions } from "./merge/multi-query.ts";
import { mergeTiers, multiTierClaims, multiTierOptions } from "./merge/multi-tier.ts";
import { mergeSegments, segmentsClaims, segmentsOptions } from "./merge/segments.ts";

export const merge = defineAction({
  stage: "post_retrieval",
  name: "merge",
  summary: "Puts hits of several searches together.",
  subtype: "merge_strategy",
  aliases: { merge_type: "merge_strategy" },
  shorthands: {
    link_expand: { merge_strategy: "link_expand" },
    multi_query: { merge_strategy: "multi_query" },
    multi_tier: { merge_strategy: "multi_tier" },
    segments: { merge_strategy: "segments" },
  },
  options: z.discriminatedUnion("merge_strategy", [
    linkExpandOptions,
    multiQueryOptions,
    multiTierOptions,
    segmentsOptions,
  ]),
  claims(options) {
    switch (options.merge_strategy) {
      case "link_expand":
        return linkExpandClaims(options);
      case "multi_query":
        return multiQueryClaims(options);
      case "multi_tier":
        return multiTierClaims(options);
      case "segments":
        return segmentsClaims(options);
    }
  },
  run(found, context, options) {
    switch (options.merge_strategy) {
      case "link_expand":
        return addLinked(found, context, options);
      case "multi_query":
        return mergeLists(found, context, options);
      case "multi_tier":
        return mergeTiers(found, context, options);
      case "segments":
        return mergeSegments(found, context, options);
    }
  },
});
