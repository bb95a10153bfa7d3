/** What does a draft say in so many tokens? The task counts words; the last word on the length is ours. */
import type { PreInsertContext } from "../../pipeline/action.ts";
import type { Draft } from "../../pipeline/draft.ts";
import { summarize } from "../../tasks/summarize.ts";
import { estimateTokens } from "../../text/token-count.ts";
import { firstTokens } from "./transform/cut-text.ts";

export interface SummaryAsked {
  readonly summarize_prompt: string;
  readonly summary_max_tokens: number;
}

/** About so many words are a token, in English and in Chinese. */
const WORDS_PER_TOKEN = 0.7;

export async function summaryOf(
  { content }: Draft,
  { think }: Pick<PreInsertContext, "think">,
  { summarize_prompt, summary_max_tokens }: SummaryAsked,
): Promise<string> {
  // What is short enough is its own summary, and nobody has to be asked.
  if (estimateTokens(content) <= summary_max_tokens) return content;
  const max_words = Math.max(1, Math.floor(summary_max_tokens * WORDS_PER_TOKEN));
  const { summary } = await think(summarize, { texts: [content], max_words }, summarize_prompt);
  return estimateTokens(summary) <= summary_max_tokens ? summary : firstTokens(summary, summary_max_tokens);
}
