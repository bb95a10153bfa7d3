/** Keeps what was said in short (S0-27; MemoryBank, LD-Agent): the summary takes the text's place. */
import { z } from "zod";
import type { PreInsertContext } from "../../../pipeline/action.ts";
import type { Draft } from "../../../pipeline/draft.ts";
import { promptOption } from "../prompt-option.ts";
import { recast } from "../recast.ts";
import { summaryOf } from "../summary-of.ts";

export const summarizeOptions = z.strictObject({
  transform_type: z.literal("summarize").describe("Keeps what was said in short."),
  summarize_prompt: promptOption("a summary"),
  summary_max_tokens: z
    .number()
    .int()
    .min(1)
    .describe("Most tokens of a summary; a text that has no more is kept as it is."),
  target_tier: z
    .string()
    .min(1)
    .nullable()
    .describe("The tier that summaries go to, whoever stores them; null: whoever stores them decides."),
});

export async function summarizeDrafts(
  drafts: readonly Draft[],
  context: PreInsertContext,
  options: z.infer<typeof summarizeOptions>,
): Promise<Draft[]> {
  const { target_tier: targetTier } = options;
  const placement =
    targetTier === null ? {} : { insertMode: "active" as const, insertParams: { targetTier } };
  const out: Draft[] = [];
  for (const draft of drafts) {
    const summary = await summaryOf(draft, context, options);
    out.push(
      recast(draft, { content: summary, kind: "summary", insertMethod: "summary_insert", ...placement }),
    );
  }
  return out;
}
