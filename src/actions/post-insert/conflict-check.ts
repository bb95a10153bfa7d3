/**
 * Does what is new clash with what is known (C-10)? Memories near it go through the chain of detectors, and the preset
 * says what happens to those that clash. By default they are superseded and stay readable: a contradiction is
 * information, and nothing vanishes (C-11).
 */
import { z } from "zod";
import type { Hit } from "../../base/hit.ts";
import type { EntryId } from "../../base/ids.ts";
import type { JsonObject } from "../../base/json.ts";
import { defineAction } from "../../pipeline/action.ts";
import { planResolution, RESOLUTIONS } from "../../policies/conflict-resolution.ts";
import {
  clashClaims,
  clashShape,
  comparesEnough,
  findClashes,
  NOT_ENOUGH,
  noteOfClash,
  surest,
} from "./round/clashes.ts";
import { type Round, runRounds } from "./round/rounds.ts";
import { settleCrud } from "./round/settle.ts";

const options = z
  .strictObject({
    ...clashShape,
    resolution: z
      .enum(RESOLUTIONS)
      .describe(
        "What happens on a clash: skip retires the new one, replace deletes the old, append keeps both, supersede retires the old, ask keeps both and reports them as a question.",
      ),
  })
  .refine(comparesEnough, NOT_ENOUGH);

export const conflictCheck = defineAction({
  stage: "post_insert",
  name: "conflict_check",
  summary: "Finds what a new memory repeats, refines, updates or contradicts, and resolves it.",
  options,
  claims: (options) => clashClaims(options),
  async run({ inserted }, context, given) {
    const notes: JsonObject[] = [];
    const decided = new Set<EntryId>();
    await runRounds(inserted, context, given, async (round) => {
      const conflicts = await findClashes(round, context, given);
      const plan = planResolution(conflicts, given.resolution);
      const [remove, supersede] = [plan.remove, plan.supersede].map((gone) => gone.map(({ hit }) => hit));
      const skippedFor = plan.insert ? undefined : surest(conflicts)?.candidate.hit;
      if (conflicts.length > 0)
        notes.push({ entry: round.id, done: plan.action, with: conflicts.map(noteOfClash) });
      if (plan.action !== "asked") decided.add(round.id);
      return carryOut(round, { remove: remove ?? [], supersede: supersede ?? [], skippedFor });
    });
    await settleCrud(context.store, decided);
    context.note("conflicts", notes);
    return undefined;
  },
});

interface Decision {
  readonly remove: readonly Hit[];
  readonly supersede: readonly Hit[];
  /** What makes the new one needless. */
  readonly skippedFor: Hit | undefined;
}

async function carryOut(
  { id, cycle }: Round,
  { remove, supersede, skippedFor }: Decision,
): Promise<EntryId[]> {
  const gone = skippedFor === undefined ? [...remove, ...supersede].map((hit) => hit.id) : [id];
  if (gone.length === 0) return [];
  await cycle.delete(gone, { hard: remove.length > 0, supersededBy: skippedFor?.id ?? id });
  return gone;
}
