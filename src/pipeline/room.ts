/** What there is room for: the best hits, as many and as long as a caller allows; what is too long is passed over. */
import { filterByBudget } from "../policies/token-budget.ts";
import type { Found, Room } from "./question.ts";

/** The same object where everything fits. */
export function fitRoom(found: Found, { hits: most, tokens }: Room): Found {
  const first = most === undefined ? found.hits : found.hits.slice(0, most);
  const kept = tokens === undefined ? first : withinBudget(first, tokens);
  return kept.length === found.hits.length ? found : { ...found, hits: kept };
}

export function withinBudget(hits: Found["hits"], budget: number): Found["hits"] {
  const items = hits.map((hit) => ({ content: hit.text, hit }));
  const { kept } = filterByBudget(items, { budget, reserve: 0, mode: "skip_and_fill" });
  return kept.map(({ hit }) => hit);
}
