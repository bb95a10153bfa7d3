/** Makes of the question what finds more (S0-37, S0-94): its keywords, its names, other wordings, a clearer wording, an instruction. */
import { z } from "zod";
import { type Claims, defineAction } from "../../pipeline/action.ts";
import { expandQuery } from "../../tasks/expand-query.ts";
import { extractEntities } from "../../tasks/extract-entities.ts";
import { extractKeywords } from "../../tasks/extract-keywords.ts";
import { rewriteQuery } from "../../tasks/rewrite-query.ts";
import { entityExtractOptions, extractNames } from "./optimize/entity-extract.ts";
import { expand, expandOptions } from "./optimize/expand.ts";
import { instruct, instructionOptions } from "./optimize/instruction.ts";
import { extractFromQuestion, keywordOptions } from "./optimize/keyword-extract.ts";
import { rewrite, rewriteOptions } from "./optimize/rewrite.ts";

const options = z.discriminatedUnion("optimize_type", [
  keywordOptions,
  entityExtractOptions,
  expandOptions,
  rewriteOptions,
  instructionOptions,
]);
type Options = z.infer<typeof options>;

export const optimize = defineAction({
  stage: "pre_retrieval",
  name: "optimize",
  summary:
    "Makes of the question what finds more: keywords, other wordings, a clearer wording, an instruction.",
  options,
  subtype: "optimize_type",
  shorthands: {
    keyword_extract: { optimize_type: "keyword_extract" },
    entity_extract: { optimize_type: "entity_extract" },
    expand: { optimize_type: "expand" },
    rewrite: { optimize_type: "rewrite" },
    instruction: { optimize_type: "instruction" },
  },
  claims,
  run(question, context, options) {
    switch (options.optimize_type) {
      case "keyword_extract":
        return extractFromQuestion(question, context, options);
      case "entity_extract":
        return extractNames(question, context, options);
      case "expand":
        return expand(question, context, options);
      case "rewrite":
        return rewrite(question, context, options);
      case "instruction":
        return instruct(question, options);
    }
  },
});

function claims(options: Options): Claims {
  switch (options.optimize_type) {
    case "keyword_extract": {
      const { search_by, replace_original, keyword_prompt: prompt } = options;
      return {
        newQueries: replace_original || search_by !== null,
        hints: search_by === null ? [] : [{ strategy: search_by, names: ["keywords"] }],
        prompts: prompt === null ? [] : [{ task: extractKeywords, prompt }],
      };
    }
    case "entity_extract":
      return {
        abilities: ["graph"],
        hints: [{ strategy: "graph", names: ["entities"] }],
        prompts: [{ task: extractEntities, prompt: options.entity_prompt }],
      };
    case "expand":
      return { newQueries: true, prompts: [{ task: expandQuery, prompt: options.prompt }] };
    case "rewrite":
      return { newQueries: true, prompts: [{ task: rewriteQuery, prompt: options.prompt }] };
    case "instruction":
      return { newQueries: true, embedder: true, asksQueryVector: true };
  }
}
