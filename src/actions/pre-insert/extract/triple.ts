/** What a text states, beside it: `metadata.triples`, by which graph services link. */
import { z } from "zod";
import type { PreInsertContext } from "../../../pipeline/action.ts";
import type { Draft } from "../../../pipeline/draft.ts";
import { promptOption } from "../prompt-option.ts";
import { triplesOf } from "../triples-of.ts";
import type { Findings } from "./findings.ts";

export const tripleOptions = z.strictObject({
  extract_type: z.literal("triple").describe("Who does what to what, in metadata.triples."),
  triple_extraction_prompt: promptOption("the triples of a text"),
  max_triples: z.number().int().min(1).describe("Most triples that are kept of a text."),
});

export async function readTriples(
  draft: Draft,
  context: PreInsertContext,
  { triple_extraction_prompt, max_triples }: z.infer<typeof tripleOptions>,
): Promise<Findings> {
  const found = await triplesOf(draft, context, triple_extraction_prompt);
  const triples = found.slice(0, max_triples).map((triple) => ({ ...triple }));
  return { metadata: { triples }, terms: [] };
}
