/** In which order? The hits are scored anew by one of several measures, and the best comes first (S0-40). */
import { z } from "zod";
import { defineAction } from "../../pipeline/action.ts";
import { activationClaims, activationOptions, rankByActivation } from "./rerank/activation.ts";
import { chronologicalOptions, orderByTime } from "./rerank/chronological.ts";
import { crossEncoderOptions, rankByModel } from "./rerank/cross-encoder.ts";
import { newestOfSameFirst, newestOfSameOptions } from "./rerank/newest-of-same.ts";
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
    activation: { rerank_type: "activation" },
    chronological: { rerank_type: "chronological" },
    newest_of_same: { rerank_type: "newest_of_same" },
  },
  options: z.discriminatedUnion("rerank_type", [
    semanticOptions,
    timeWeightedOptions,
    pprOptions,
    weightedOptions,
    crossEncoderOptions,
    activationOptions,
    chronologicalOptions,
    newestOfSameOptions,
  ]),
  claims(options) {
    switch (options.rerank_type) {
      case "semantic":
        return semanticClaims(options);
      case "ppr":
        return pprClaims(options);
      case "activation":
        return activationClaims(options);
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
      case "newest_of_same":
        return newestOfSameFirst(found, context, options);
      case "activation":
        return rankByActivation(found, context, options);
      case "chronological":
        return orderByTime(found, options);
    }
  },
});
