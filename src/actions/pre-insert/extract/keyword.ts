/** The words and phrases a text is about: `metadata.keywords`. */
import { z } from "zod";
import type { PreInsertContext } from "../../../pipeline/action.ts";
import type { Draft } from "../../../pipeline/draft.ts";
import { extractKeywords } from "../../../tasks/extract-keywords.ts";
import { promptOption } from "../prompt-option.ts";
import { addToMetadata, type Findings } from "./findings.ts";

export const keywordFields = {
  keyword_prompt: promptOption("keywords"),
  max_keywords: z.number().int().min(1).describe("Most keywords of a text."),
};

export const keywordOptions = z.strictObject({
  extract_type: z.literal("keyword").describe("The words and phrases a text is about."),
  ...keywordFields,
  add_to_metadata: addToMetadata,
});

export async function findKeywords(
  { content }: Draft,
  { think }: PreInsertContext,
  { keyword_prompt, max_keywords }: Pick<z.infer<typeof keywordOptions>, keyof typeof keywordFields>,
): Promise<Findings> {
  const { keywords } = await think(extractKeywords, { text: content, limit: max_keywords }, keyword_prompt);
  return { metadata: { keywords }, terms: keywords };
}
