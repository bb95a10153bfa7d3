/**
 * To the front while it is alive and used (BIEM; S4-3, S4-14, S4-19): between the first tier and the second alone. What is
 * hot and is looked at often comes to the front; what is cold there, or has not been looked at for long, goes back. What has
 * left the front, for whatever reason, stays behind until somebody looks at it again, however hot it is: so a sweep done
 * twice equals one done once, and a full front does not exchange the same entries for ever.
 */
import { z } from "zod";
import type { EntryId } from "../../../base/ids.ts";
import { createVitality, vitalitySchema } from "../../../policies/vitality/index.ts";
import { ownVitals } from "../own-entries.ts";
import { type Migration, type PlannedMove, transformOptions } from "./migration.ts";
import { movedAt } from "./moved-at.ts";

export const frontOptions = z
  .strictObject({
    migrate_policy: z
      .literal("front")
      .describe("Between the first tier and the second, by how alive and how lately used an entry is."),
    vitality: vitalitySchema.describe(
      "How alive an entry is: the name of a vitality policy and its options.",
    ),
    enter: z.number().describe("From this score on an entry of the second tier comes to the first."),
    min_looks: z.int().min(1).describe("How often it must have been looked at for that."),
    leave: z.number().describe("Below this score an entry of the first tier goes to the second."),
    idle_seconds: z
      .number()
      .positive()
      .describe(
        "One that nobody has looked at for longer goes to the second tier, too, and comes from none.",
      ),
    ...transformOptions,
  })
  .refine(({ enter, leave }) => leave <= enter, { path: ["leave"], error: "must not be above enter" });

export const front: Migration<z.infer<typeof frontOptions>> = {
  async plan(context, { vitality, enter, min_looks, leave, idle_seconds }) {
    const [first, second] = context.traits.tiers;
    const moves: PlannedMove[] = [];
    const risen: EntryId[] = [];
    let examined = 0;
    if (first === undefined || second === undefined) return { examined, moves };
    const { score } = createVitality(vitality);
    const now = context.deps.clock.now();
    for await (const page of ownVitals(context)) {
      for (const one of page) {
        if (one.tier !== first && one.tier !== second) continue;
        examined++;
        const life = score(one, now);
        const isIdle = now - one.lastAccessAt > idle_seconds * 1000;
        if (one.tier === first && (isIdle || life < leave))
          moves.push({ id: one.id, from: first, to: second });
        const isSeen = !isIdle && one.accessCount >= min_looks;
        if (one.tier === second && isSeen && life >= enter) risen.push(one.id);
      }
    }
    for (const entry of await context.store.getMany(context.scope, risen)) {
      const since = entry && movedAt(entry);
      if (entry === undefined || (since !== undefined && entry.lastAccessAt <= since)) continue;
      moves.push({ id: entry.id, from: second, to: first });
    }
    return { examined, moves };
  },
};
