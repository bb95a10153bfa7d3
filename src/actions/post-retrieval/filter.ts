/** Which of them? Hits leave that are too many, too weak, too long or say the same (S0-40). */
import { z } from "zod";
import { defineAction } from "../../pipeline/action.ts";
import { dedupOptions, keepDistinct } from "./filter/dedup.ts";
import { keepDiverse, mmrOptions } from "./filter/mmr.ts";
import { keepAbove, thresholdOptions } from "./filter/threshold.ts";
import { keepWithinBudget, tokenBudgetFilterOptions } from "./filter/token-budget.ts";
import { keepFirst, topKOptions } from "./filter/top-k.ts";

export const filter = defineAction({
  stage: "post_retrieval",
  name: "filter",
  summary: "Lets only some of the hits through.",
  subtype: "filter_type",
  shorthands: {
    token_budget: { filter_type: "token_budget" },
    threshold: { filter_type: "threshold" },
    top_k: { filter_type: "top_k" },
    dedup: { filter_type: "dedup" },
    mmr: { filter_type: "mmr" },
  },
  options: z.discriminatedUnion("filter_type", [
    tokenBudgetFilterOptions,
    thresholdOptions,
    topKOptions,
    dedupOptions,
    mmrOptions,
  ]),
  run(found, context, options) {
    switch (options.filter_type) {
      case "token_budget":
        return keepWithinBudget(found, context, options);
      case "threshold":
        return keepAbove(found, options);
      case "top_k":
        return keepFirst(found, options);
      case "dedup":
        return keepDistinct(found, context, options);
      case "mmr":
        return keepDiverse(found, options);
    }
  },
});
