/** As many as there is room for, the best first (S1-20 … S1-22); counted by what is shown of each hit. */
import { z } from "zod";
import type { PostRetrievalContext } from "../../../pipeline/action.ts";
import type { Found } from "../../../pipeline/question.ts";
import { filterByBudget, tokenBudgetOptions } from "../../../policies/token-budget.ts";

const { budget, reserve } = tokenBudgetOptions.shape;

export const tokenBudgetFilterOptions = z
  .strictObject({
    filter_type: z.literal("token_budget").describe("As many hits as the tokens allow."),
    budget,
    reserve,
    overflow: z
      .enum(["truncate", "drop", "skip_and_fill"])
      .describe(
        "What becomes of the first hit that does not fit: truncate cuts it after a sentence or a word, drop ends the list before it, skip_and_fill goes on with later ones that fit.",
      ),
  })
  .refine(({ budget, reserve }) => reserve <= budget, {
    path: ["reserve"],
    error: "must be no more than the budget",
  });

export function keepWithinBudget(
  found: Found,
  { note }: PostRetrievalContext,
  { budget, reserve, overflow }: z.infer<typeof tokenBudgetFilterOptions>,
): Found {
  const mode = overflow === "drop" ? "stop" : overflow;
  const items = found.hits.map((hit) => ({ content: hit.text, hit }));
  const { kept, dropped, truncated, tokens } = filterByBudget(items, { budget, reserve, mode });
  note("tokens", tokens);
  if (truncated !== undefined) note("truncated", truncated.hit.id);
  if (dropped.length > 0) {
    note(
      "dropped",
      dropped.map(({ item, reason }) => ({ id: item.hit.id, reason })),
    );
  }
  return { ...found, hits: kept.map(({ content, hit }) => ({ ...hit, text: content })) };
}
