/** The facts a text tells, beside it: `metadata.facts`. To store each fact by itself, see transform. */
import { z } from "zod";
import type { PreInsertContext } from "../../../pipeline/action.ts";
import type { Draft } from "../../../pipeline/draft.ts";
import { extractFacts } from "../../../tasks/extract-facts.ts";
import { linesOf } from "../lines-of.ts";
import { promptOption } from "../prompt-option.ts";
import type { Findings } from "./findings.ts";

export const factOptions = z.strictObject({
  extract_type: z.literal("fact").describe("The facts a text tells, in metadata.facts."),
  fact_prompt: promptOption("the facts of a dialogue"),
});

export async function findFacts(
  draft: Draft,
  { think }: PreInsertContext,
  { fact_prompt }: z.infer<typeof factOptions>,
): Promise<Findings> {
  const given = { lines: linesOf(draft).map(({ line }) => line) };
  const { facts } = await think(extractFacts, given, fact_prompt);
  return { metadata: { facts: facts.map(({ text }) => text) }, terms: [] };
}
