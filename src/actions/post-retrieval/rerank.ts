/** In which order? The hits are scored anew by one of five measures, and the best comes first (S0-40). */
import { z } from "zod";
import { defineAction } from "../../pipeline/action.ts";
import { crossEncoderOptions, rankByModel } from "./rerank/cross-encoder.ts";
import { pprClaims, pprOptions, rankByWalk } from "./rerank/ppr.ts";
import { rankBySimilarity, semanticClaims, semanticOptions } from "./rerank/semantic.ts";
import { rankByTime, timeWeightedOptions } from "./rerank/time-weighted.ts";
import { rankByReasons, weightedOptions } from "./rerank/weighted.ts";

export const rerank = defineAction({
  stage: "post_retrieval",
  name: "rerank",
  summary: "Scores the hits anew and puts the best first.",
  subtype: "rerank_type",
  shorthands: {
    semantic: { rerank_type: "semantic" },
    time_weighted: { rerank_type: "time_weighted" },
    ppr: { rerank_type: "ppr" },
    weighted: { rerank_type: "weighted" },
    cross_encoder: { rerank_type: "cross_encoder" },
  },
  options: z.discriminatedUnion("rerank_type", [
    semanticOptions,
    timeWeightedOptions,
    pprOptions,
    weightedOptions,
    crossEncoderOptions,
  ]),
  claims(options) {
    switch (options.rerank_type) {
      case "semantic":
        return semanticClaims(options);
      case "ppr":
        return pprClaims(options);
      case "cross_encoder":
        return { reranker: true };
      default:
        return {};
    }
  },
  run(found, context, options) {
    switch (options.rerank_type) {
      case "semantic":
        return rankBySimilarity(found, context, options);
      case "time_weighted":
        return rankByTime(found, options);
      case "ppr":
        return rankByWalk(found, context, options);
      case "weighted":
        return rankByReasons(found, options);
      case "cross_encoder":
        return rankByModel(found, context);
    }
  },
});
