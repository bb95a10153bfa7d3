/**
 * A turn with its summary, as SCM (Wang et al., 2023) keeps its memory stream: recall may then drop it, show its summary
 * or show it in full. What is short is its own summary. `metadata.turn_index` is the turn's place in the journal.
 */
import { z } from "zod";
import { defineAction } from "../../pipeline/action.ts";
import type { Draft } from "../../pipeline/draft.ts";
import { summarize } from "../../tasks/summarize.ts";
import { estimateTokens } from "../../text/token-count.ts";
import { promptOption } from "./prompt-option.ts";
import { summaryOf } from "./summary-of.ts";

const threeWay = z.strictObject({
  embed_type: z.literal("three_way").describe("Made for recall that drops, shortens or shows in full."),
  summary_threshold_tokens: z
    .number()
    .int()
    .min(0)
    .describe("What is longer than so many tokens is summarised; what is not is its own summary."),
  summarize_prompt: promptOption("a summary"),
  summary_max_tokens: z.number().int().min(1).describe("Most tokens of a summary."),
  insert_method: z
    .enum(["default", "scm_insert"])
    .describe("Who stores it: default, which takes any draft, or scm_insert, which insists on the summary."),
  embed_summary: z.boolean().describe("Whether the summary is embedded; if not, the whole text is."),
});
const options = z.discriminatedUnion("embed_type", [threeWay]);

export const scmEmbed = defineAction({
  stage: "pre_insert",
  name: "scm_embed",
  summary: "Keeps a turn in full with its summary, for recall that chooses between the two.",
  options,
  subtype: "embed_type",
  claims: ({ summarize_prompt: prompt, insert_method }) => ({
    insertMethods: [insert_method],
    prompts: [{ task: summarize, prompt }],
  }),
  async run({ drafts }, context, given) {
    const out: Draft[] = [];
    for (const draft of drafts) {
      const isLong = estimateTokens(draft.content) > given.summary_threshold_tokens;
      const summary = isLong ? await summaryOf(draft, context, given) : draft.content;
      const turn = draft.turns.at(-1);
      out.push({
        ...draft,
        ...(given.embed_summary ? { embedText: summary } : {}),
        metadata: { ...draft.metadata, ...(turn === undefined ? {} : { turn_index: turn.seq }) },
        insertMethod: given.insert_method,
        insertParams: { ...draft.insertParams, summary },
      });
    }
    return out;
  },
});
