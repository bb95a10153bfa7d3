/**
 * Is that enough to answer? SimpleMem's reflection after the fact (S2-30, C-14). New queries have no vector (nothing is
 * embedded in this stage, S0-39), so the service looks for them by words; the action `reflective` of memory_retrieval
 * does the same by meaning.
 */
import { z } from "zod";
import { defineAction } from "../../pipeline/action.ts";
import { toFound } from "../../pipeline/question.ts";
import { reflectionOptions, reflectionPrompts, reflectOn } from "../memory-retrieval/reflection.ts";

const options = z.strictObject({
  ...reflectionOptions,
  top_k: z.int().min(1).describe("How many hits each of these searches brings."),
});

export const reflect = defineAction({
  stage: "post_retrieval",
  name: "reflect",
  summary: "Searches again, by words, for what is missing to answer (SimpleMem).",
  options,
  claims: (options) => ({
    abilities: ["text"],
    hints: [{ strategy: "lexical", names: [] }],
    prompts: reflectionPrompts(options),
  }),
  async run(found, context, options) {
    const { question } = found;
    const hits = await reflectOn(question, found.hits, context, options, async (queries) => {
      const lists = await Promise.all(
        queries.map((text) =>
          context.store.retrieve({
            text,
            filter: question.filter,
            topK: options.top_k,
            hints: { strategy: "lexical" },
          }),
        ),
      );
      return lists.flat().map(toFound);
    });
    return { ...found, hits };
  },
});
