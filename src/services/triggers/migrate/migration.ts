/**
 * One way of moving entries between tiers: it plans, and all ways are carried out alike. Upward is towards the first tier,
 * downward towards the last (C-8); a move changes where an entry is found, never its id or its data (C-9, S0-61).
 */
import { z } from "zod";
import type { EntryId } from "../../../base/ids.ts";
import type { TriggerContext } from "../trigger.ts";

export interface PlannedMove {
  readonly id: EntryId;
  readonly from: string;
  readonly to: string;
}

export interface MigrationPlan {
  /** Entries looked at. */
  readonly examined: number;
  readonly moves: readonly PlannedMove[];
}

export interface Migration<Options> {
  plan(
    context: TriggerContext,
    options: Options,
    entries: readonly EntryId[] | undefined,
  ): Promise<MigrationPlan>;
}

export const transformOptions = {
  upgrade_transform: z
    .enum(["none", "summarize"])
    .describe("What is made of entries that move towards the first tier: nothing, or a summary beside them."),
  downgrade_transform: z
    .enum(["none", "summarize"])
    .describe("What is made of entries that move towards the last tier: nothing, or a summary beside them."),
  summarize_prompt: z.string().min(1).describe("Id of the prompt that asks for such a summary."),
  summary_max_words: z.int().min(1).describe("Most words of such a summary."),
  summary_batch: z.int().min(1).describe("Most entries shown to the model at once for such a summary."),
};
