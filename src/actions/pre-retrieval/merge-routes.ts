/**
 * Ways of looking laid out by several actions. One that was laid out before by the same strategy is not taken beside the
 * new one: its hints go with it, so that multi_embed's fields and route's time meet in one search.
 */
import type { Hints } from "../../services/hints.ts";

export function mergeRoutes(earlier: readonly Hints[], added: readonly Hints[]): readonly Hints[] {
  const kept = earlier.filter(({ strategy }) => !added.some((route) => route.strategy === strategy));
  const merged = added.map((route) => ({
    ...earlier.find(({ strategy }) => strategy === route.strategy),
    ...route,
  }));
  return [...kept, ...merged];
}
