/** As many of the best hits as a number of tokens allows (SCM as seed 001 has it: S1-20 … S1-22), on any collection. */
import { z } from "zod";
import type { Hit } from "../../base/hit.ts";
import { parseInput } from "../../base/parse-input.ts";
import type { Scope } from "../../base/scope.ts";
import type { Collection } from "../../collection/collection.ts";
import type { Retrieval } from "../../collection/retrieve.ts";
import {
  type Budgeted,
  countTokensByLength,
  filterByBudget,
  tokenBudgetOptions,
} from "../../policies/token-budget.ts";
import { countTokens, type Tokenizer } from "../../text/token-count.ts";

const { budget, reserve, mode } = tokenBudgetOptions.shape;

export const budgetRetrievalOptions = z.strictObject({
  index_name: z.string().min(1).describe("The index that is asked."),
  max_candidates: z.int().min(1).describe("How many hits there may be before the budget is applied."),
  token_budget: budget,
  reserve,
  mode,
  token_count: z
    .enum(["estimate", "length"])
    .describe(
      "How tokens are counted without a tokenizer: by kinds of characters, or a quarter of the length.",
    ),
});
export type BudgetRetrievalOptions = Readonly<z.infer<typeof budgetRetrievalOptions>>;

export type Question = Pick<Retrieval, "text" | "vector" | "filter" | "params">;

/** `tokenizer`: the model's own, where the count must be exact. */
export async function retrieveWithBudget(
  collection: Collection,
  scope: Scope,
  question: Question,
  options: BudgetRetrievalOptions,
  tokenizer?: Tokenizer,
): Promise<Budgeted<Hit>> {
  const given = parseInput(budgetRetrievalOptions, options, "options of retrieveWithBudget");
  const { index_name: index, max_candidates: topK, token_budget, token_count, ...rest } = given;
  const hits = await collection.retrieve(scope, { ...question, index, topK });
  const count = tokenizer === undefined && token_count === "length" ? countTokensByLength : countTokens;
  return filterByBudget(hits, { budget: token_budget, ...rest }, (text) => count(text, tokenizer));
}
