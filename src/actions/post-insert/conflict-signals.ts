/**
 * A clash is a signal, not yet a decision (BIEM's cognitive dissonance; S4-1, S4-15, B.4): where the old memory is cold, or
 * the clash certain, memory is restructured and the old one is superseded; else both stay, and the question waits with its
 * evidence among the service's pending items, for somebody to confirm.
 */
import { z } from "zod";
import type { EntryId } from "../../base/ids.ts";
import type { JsonObject } from "../../base/json.ts";
import { defineAction } from "../../pipeline/action.ts";
import { type ConflictSignal, conflictSignalOptions, signalOf } from "../../policies/conflict-signal.ts";
import { createVitality, vitalitySchema } from "../../policies/vitality/index.ts";
import {
  type Clash,
  clashClaims,
  clashShape,
  comparesEnough,
  findClashes,
  NOT_ENOUGH,
  noteOfClash,
  surest,
} from "./round/clashes.ts";
import { type Round, runRounds } from "./round/rounds.ts";

const options = z
  .strictObject({
    ...clashShape,
    vitality: vitalitySchema.describe("How alive an old memory is: the policy that the service uses, too."),
    ...conflictSignalOptions.shape,
  })
  .refine(comparesEnough, NOT_ENOUGH);

interface Signal extends Clash, ConflictSignal {}

export const conflictSignals = defineAction({
  stage: "post_insert",
  name: "conflict_signals",
  summary: "Signals what a new memory clashes with: the old one gives way, or somebody is asked (BIEM).",
  options,
  claims: (options) => clashClaims(options),
  async run({ inserted }, context, given) {
    const { score } = createVitality(given.vitality);
    const { restructure_below, restructure_confidence, ignore_below } = given;
    const lines = { restructure_below, restructure_confidence, ignore_below };
    const notes: JsonObject[] = [];
    await runRounds(inserted, context, given, async (round) => {
      const clashes = await findClashes(round, context, given);
      const signals = clashes.map((clash): Signal => {
        const energy = score(clash.candidate.hit, context.now);
        return { ...clash, ...signalOf(clash.verdict, energy, lines) };
      });
      const told = signals.map((signal) => ({
        ...noteOfClash(signal),
        action: signal.action,
        priority: signal.priority,
      }));
      if (told.length > 0) notes.push({ entry: round.id, signals: told });
      const asked = told.filter(({ action }) => action === "confirm");
      const gone = await restructure(round, signals);
      const stays = !gone.includes(round.id);
      if (asked.length > 0 && stays) await context.store.leave(round.id, "crud", { signals: asked });
      return gone;
    });
    context.note("conflicts", notes);
    return undefined;
  },
});

/** What is only said again needs no second copy. */
async function restructure({ id, cycle }: Round, signals: readonly Signal[]): Promise<EntryId[]> {
  const repeated = surest(signals.filter(({ verdict }) => verdict.kind === "duplicate"));
  const old = signals
    .filter(({ action }) => action === "restructure")
    .map(({ candidate }) => candidate.hit.id);
  const gone = repeated === undefined ? old : [id];
  if (gone.length > 0) await cycle.delete(gone, { supersededBy: repeated?.candidate.hit.id ?? id });
  return gone;
}
