/** Embeds several texts of a memory (S0-30): as a vector for each, as one vector of all, or as an entry for each. */
import { z } from "zod";
import { type Claims, defineAction } from "../../pipeline/action.ts";
import { concatOptions, embedTogether } from "./multi-embed/concat.ts";
import { dictFields, dictOptions, embedApart, hasTexts } from "./multi-embed/dict.ts";
import { separateOptions, splitByField } from "./multi-embed/separate.ts";

const options = z.discriminatedUnion("output", [dictOptions, concatOptions, separateOptions]);
type Options = z.infer<typeof options>;

export const multiEmbed = defineAction({
  stage: "pre_insert",
  name: "multi_embed",
  summary: "Embeds several texts of a memory: as several vectors, as one, or as several entries.",
  options,
  subtype: "output",
  claims: claimsOf,
  run({ drafts }, context, given) {
    switch (given.output) {
      case "dict":
        return embedApart(drafts, context, given.fields);
      case "concat":
        return embedTogether(drafts, context, given.fields);
      case "separate":
        return drafts.flatMap((draft) => splitByField(draft, given.fields));
    }
  },
});

function claimsOf(given: Options): Claims {
  return {
    abilities: ["vector"],
    ...(given.output === "dict" && !hasTexts(given.fields) ? {} : { embedder: true }),
    insertMethods: ["multi_index_insert"],
    rewrites: given.output === "separate",
    ...(given.output === "dict" ? { vectorFields: dictFields(given.fields) } : {}),
  };
}
