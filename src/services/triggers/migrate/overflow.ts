/**
 * By overflow (MemGPT, MemoryOS): a service with full tiers leaves a pending item for each entry that no longer fits, with
 * where it is and where it should go. Here they are moved; what has gone or moved since is only acknowledged.
 */
import { z } from "zod";
import { isEntryId } from "../../../base/ids.ts";
import { pendingOf } from "../pending.ts";
import type { TriggerContext } from "../trigger.ts";
import { type Migration, type MigrationPlan, type PlannedMove, transformOptions } from "./migration.ts";

export const overflowOptions = z.strictObject({
  migrate_policy: z
    .literal("overflow")
    .describe("What no longer fits into a tier, by the service's capacities."),
  ...transformOptions,
});

const payloadSchema = z.looseObject({ source_tier: z.string(), target_tier: z.string() });

export const overflow: Migration<z.infer<typeof overflowOptions>> = {
  plan: planOverflow,
};

export async function planOverflow(context: TriggerContext): Promise<MigrationPlan> {
  const { scope, store } = context;
  const pending = await pendingOf(context, "migrate");
  const moves: PlannedMove[] = [];
  for (const { id: job, entry: id, payload } of pending) {
    const where = payloadSchema.safeParse(payload);
    const entry = isEntryId(id) ? await store.get(scope, id) : undefined;
    const isThere = where.success && entry?.supersededBy === null && entry.tier === where.data.source_tier;
    // A move settles what waited about it.
    if (isThere) moves.push({ id: entry.id, from: where.data.source_tier, to: where.data.target_tier });
    else await store.settleWork(scope, job, { cause: "migrate" });
  }
  return { examined: pending.length, moves };
}
