/** What a text is about, theme by theme (MemoryOS): `metadata.themes`, each with theme, keywords and content. */
import { z } from "zod";
import type { PreInsertContext } from "../../../pipeline/action.ts";
import type { Draft } from "../../../pipeline/draft.ts";
import { themes } from "../../../tasks/themes.ts";
import { linesOf } from "../lines-of.ts";
import { promptOption } from "../prompt-option.ts";
import type { Findings } from "./findings.ts";

export const multiSummaryOptions = z.strictObject({
  extract_type: z
    .literal("multi_summary")
    .describe("A summary with keywords for each theme of a text, in metadata.themes."),
  themes_prompt: promptOption("the themes of a dialogue"),
  max_themes: z.number().int().min(1).describe("Most themes of a text."),
});

export async function findThemes(
  draft: Draft,
  { think }: PreInsertContext,
  { themes_prompt, max_themes }: z.infer<typeof multiSummaryOptions>,
): Promise<Findings> {
  const given = { lines: linesOf(draft).map(({ line }) => line), limit: max_themes };
  const reply = await think(themes, given, themes_prompt);
  return { metadata: { themes: reply.themes.map((theme) => ({ ...theme })) }, terms: [] };
}
