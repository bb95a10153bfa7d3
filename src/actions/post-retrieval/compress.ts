/** How is it said in fewer words? By its own best sentences, or by a summary (S0-40, S0-95; C-24: `summarize`). */
import { z } from "zod";
import { defineAction } from "../../pipeline/action.ts";
import { abstractiveClaims, abstractiveOptions, summarizeHits } from "./compress/abstractive.ts";
import { extractiveOptions, extractSentences } from "./compress/extractive.ts";

export const compress = defineAction({
  stage: "post_retrieval",
  name: "compress",
  summary: "Says what was found in fewer words.",
  subtype: "compress_type",
  aliases: { compress_strategy: "compress_type" },
  shorthands: {
    extractive: { compress_type: "extractive" },
    abstractive: { compress_type: "abstractive" },
    summarize: { compress_type: "abstractive" },
  },
  options: z.discriminatedUnion("compress_type", [extractiveOptions, abstractiveOptions]),
  claims: (options) => (options.compress_type === "abstractive" ? abstractiveClaims(options) : {}),
  run(found, context, options) {
    switch (options.compress_type) {
      case "extractive":
        return extractSentences(found, context, options);
      case "abstractive":
        return summarizeHits(found, context, options);
    }
  },
});
