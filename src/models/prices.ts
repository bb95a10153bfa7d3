/** What does a call cost? The caller's table, per million tokens, in the caller's currency; we ship no prices, they go stale. */
import type { Usage } from "./model.ts";

export interface Price {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
}

/** By model id. */
export type Prices = Readonly<Record<string, Price>>;

export function costOf(prices: Prices | undefined, model: string, usage: Usage): number | undefined {
  const price = prices !== undefined && Object.hasOwn(prices, model) ? prices[model] : undefined;
  if (price === undefined) return undefined;
  return (usage.inputTokens * price.inputPerMillion + usage.outputTokens * price.outputPerMillion) / 1e6;
}
