/**
 * Stores a memory where its importance puts it (S0-42). The number is the draft's own `importance`, where `score` writes it
 * (B.0.9, 19). A tier that the draft names already stands: whoever scored it has chosen.
 */
import { z } from "zod";
import { defineAction } from "../../pipeline/action.ts";
import type { Draft } from "../../pipeline/draft.ts";
import { toInsert } from "./to-insert.ts";

const rung = z.strictObject({
  min_importance: z.number().min(0).max(1).describe("The least importance that goes to this tier, 0 to 1."),
  tier: z.string().min(1).describe("Name of the tier."),
});

const options = z.strictObject({
  tiers: z
    .array(rung)
    .min(1)
    .nullable()
    .describe(
      "Which tier an importance goes to: the one with the highest bound it reaches; below all of them the service decides. null: the service always decides.",
    ),
});
type Options = z.infer<typeof options>;

export const priorityInsert = defineAction({
  stage: "memory_insert",
  name: "priority_insert",
  summary: "Stores a draft in the tier that its importance calls for.",
  options,
  claims: ({ tiers }) =>
    tiers === null ? {} : { abilities: ["tiers"], tiers: [...new Set(tiers.map(({ tier }) => tier))] },
  run(draft, { store, note }, { tiers }) {
    const priority = draft.importance ?? draft.insertParams.priority;
    if (priority === undefined) note("without_importance", true);
    const targetTier = draft.insertParams.targetTier ?? tierFor(priority, tiers);
    return store.insert(
      toInsert(draft, {
        insertParams: { targetTier, priority },
        ...(targetTier === undefined ? {} : { insertMode: "active" as const }),
      }),
    );
  },
});

function tierFor(importance: Draft["importance"], tiers: Options["tiers"]): string | undefined {
  if (importance === undefined || importance === null) return undefined;
  const reached = (tiers ?? []).filter(({ min_importance }) => importance >= min_importance);
  return reached.sort((a, b) => b.min_importance - a.min_importance)[0]?.tier;
}
