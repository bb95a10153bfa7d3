/** Stores a summary where summaries belong (S0-42): kind "summary", in the tier that the preset names. */
import { z } from "zod";
import { defineAction } from "../../pipeline/action.ts";
import { toInsert } from "./to-insert.ts";

export const summaryInsert = defineAction({
  stage: "memory_insert",
  name: "summary_insert",
  summary: "Stores a summary, in the tier that the preset names for summaries.",
  options: z.strictObject({
    target_tier: z
      .string()
      .min(1)
      .nullable()
      .describe(
        "The tier that summaries go to, whatever the draft says; null: where the draft or the service puts it.",
      ),
  }),
  claims: ({ target_tier }) => (target_tier === null ? {} : { abilities: ["tiers"], tiers: [target_tier] }),
  run: (draft, { store }, { target_tier }) =>
    store.insert(
      toInsert(draft, {
        kind: draft.kind ?? "summary",
        ...(target_tier === null
          ? {}
          : { insertMode: "active" as const, insertParams: { targetTier: target_tier } }),
      }),
    ),
});
