/** The nouns of a text, as LD-Agent compares topics by them: `metadata.nouns`, English ones in the singular. */
import { z } from "zod";
import type { Draft } from "../../../pipeline/draft.ts";
import { findNouns } from "../../../text/nouns.ts";
import { addToMetadata, type Findings } from "./findings.ts";

export const nounFields = {
  max_nouns: z.number().int().min(1).describe("Most nouns of a text, in the order they are said."),
};

export const nounOptions = z.strictObject({
  extract_type: z.literal("noun").describe("The nouns of a text."),
  ...nounFields,
  add_to_metadata: addToMetadata,
});

export async function nounsOf(
  { content }: Draft,
  { max_nouns }: { readonly max_nouns: number },
): Promise<Findings> {
  const nouns = await findNouns(content, max_nouns);
  return { metadata: { nouns }, terms: nouns };
}
