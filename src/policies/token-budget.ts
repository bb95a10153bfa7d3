/**
 * How much fits? Items in their order of importance, until the budget is spent (SCM, S1-20 … S1-22): `stop` ends at the
 * first that would overflow it, `truncate` cuts that one at the end of a sentence (of a word, where no sentence fits),
 * `skip_and_fill` passes over what is too long and goes on with what still fits. Never over budget, and the order is kept.
 */
import { z } from "zod";
import { leadingPart } from "../text/leading-part.ts";
import { countTokens } from "../text/token-count.ts";

export const tokenBudgetOptions = z.strictObject({
  budget: z.int().min(0).describe("Tokens that there is room for in all."),
  reserve: z
    .int()
    .min(0)
    .describe("Tokens of the budget that are left free, for what is written around the items."),
  mode: z
    .enum(["stop", "truncate", "skip_and_fill"])
    .describe(
      "What becomes of the first item that does not fit: the end, a cut, or a later item in its place.",
    ),
});
export type TokenBudgetOptions = Readonly<z.infer<typeof tokenBudgetOptions>>;

export interface BudgetItem {
  readonly content: string;
}

export interface DroppedItem<Item> {
  readonly item: Item;
  /** too_long: did not fit into what was left; after_end: came after the one that ended it. */
  readonly reason: "too_long" | "after_end";
}

export interface Budgeted<Item> {
  /** In the order given; the last may be cut. */
  readonly kept: readonly Item[];
  readonly dropped: readonly DroppedItem<Item>[];
  /** The item that was cut, as it was. */
  readonly truncated: Item | undefined;
  /** Of what is kept. */
  readonly tokens: number;
}

export type TokenCounter = (text: string) => number;

export function filterByBudget<Item extends BudgetItem>(
  items: readonly Item[],
  { budget, reserve, mode }: TokenBudgetOptions,
  count: TokenCounter = countTokens,
): Budgeted<Item> {
  const kept: Item[] = [];
  const dropped: DroppedItem<Item>[] = [];
  const end = (last: number, truncated?: Item): Budgeted<Item> => {
    for (const item of items.slice(last + 1)) dropped.push({ item, reason: "after_end" });
    return { kept, dropped, truncated, tokens };
  };
  const room = Math.max(0, budget - reserve);
  let tokens = 0;
  for (const [place, item] of items.entries()) {
    const cost = count(item.content);
    if (tokens + cost <= room) {
      kept.push(item);
      tokens += cost;
      continue;
    }
    const left = room - tokens;
    const cut =
      mode === "truncate" && left > 0 ? leadingPart(item.content, (part) => count(part) <= left) : "";
    if (cut !== "") {
      kept.push({ ...item, content: cut });
      tokens += count(cut);
      return end(place, item);
    }
    dropped.push({ item, reason: "too_long" });
    if (mode !== "skip_and_fill") return end(place);
  }
  return end(items.length);
}

/** The seed's count without a tokenizer, floor(length / 4): none for less than four characters, far too few for Chinese. */
export function countTokensByLength(text: string): number {
  return Math.floor(text.length / 4);
}
