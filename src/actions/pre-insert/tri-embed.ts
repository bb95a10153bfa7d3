/**
 * Reads out who does what to what (S0-26, S0-92; HippoRAG, TiM, Mem0ᵍ). An entry is either what was said, with its triples
 * beside it, or one triple each, embedded by itself, with what was said as `original_text`, which is shown in its place.
 */
import { z } from "zod";
import { defineAction } from "../../pipeline/action.ts";
import type { Draft } from "../../pipeline/draft.ts";
import { extractTriples } from "../../tasks/extract-triples.ts";
import type { Triple } from "../../text/triple.ts";
import { tripleText } from "../../text/triple-text.ts";
import { promptOption } from "./prompt-option.ts";
import { recast } from "./recast.ts";
import { triplesOf } from "./triples-of.ts";

const options = z.strictObject({
  triple_extraction_prompt: promptOption("the triples of a text"),
  max_triples: z.number().int().min(1).describe("Most triples that are kept of a text."),
  entry: z
    .enum(["passage", "triple"])
    .describe(
      "What becomes an entry: passage, what was said, with all its triples; triple, each triple by itself. What states no triple is kept as it was said.",
    ),
});

export const triEmbed = defineAction({
  stage: "pre_insert",
  name: "tri_embed",
  summary: "Reads subject–relation–object triples out of what was said.",
  options,
  claims: ({ triple_extraction_prompt: prompt, entry }) => ({
    insertMethods: ["triple_insert"],
    rewrites: entry === "triple",
    prompts: [{ task: extractTriples, prompt }],
  }),
  async run({ drafts }, context, { triple_extraction_prompt, max_triples, entry }) {
    const out: Draft[] = [];
    let count = 0;
    for (const draft of drafts) {
      const found = await triplesOf(draft, context, triple_extraction_prompt);
      const triples = found.slice(0, max_triples);
      count += triples.length;
      if (entry === "passage" || triples.length === 0) out.push(passage(draft, triples));
      else out.push(...triples.map((triple) => single(draft, triple)));
    }
    context.note("triples", count);
    return out;
  },
});

function passage(draft: Draft, triples: readonly Triple[]): Draft {
  return {
    ...draft,
    kind: draft.kind ?? "triple",
    insertMethod: "triple_insert",
    insertParams: { ...draft.insertParams, triples: triples.map((triple) => ({ ...triple })) },
  };
}

function single(draft: Draft, triple: Triple): Draft {
  return recast(draft, {
    content: tripleText(triple),
    kind: "triple",
    insertMethod: "triple_insert",
    insertParams: {
      triples: [{ ...triple }],
      originalText: draft.insertParams.originalText ?? draft.content,
    },
  });
}
