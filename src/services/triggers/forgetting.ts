/**
 * Forgetting (S0-35; MemoryBank, seed 001): what a vitality policy finds less alive than a threshold leaves recall, the
 * weakest first, and before them what the service has no room for and left pending. By default it is archived: in no
 * index, but still readable by its id; for good only where the config says so (C-11). The whole scope is swept, whatever was just inserted. Scores are computed from stored observables and never
 * written, so a sweep that finds nothing to forget writes nothing, and one done twice equals one done once (C-1).
 */
import { hash } from "node:crypto";
import { z } from "zod";
import { MemoryError } from "../../base/errors.ts";
import type { EntryId } from "../../base/ids.ts";
import { validNames } from "../../base/nearest-name.ts";
import { type ForgettingCandidate, planForgetting } from "../../policies/forgetting.ts";
import { createVitality, vitalitySchema } from "../../policies/vitality/index.ts";
import type { Vitals } from "../../storage/storage.ts";
import type { ServiceTraits } from "../service.ts";
import { findOrphans, readDerivations } from "./forgetting/orphans.ts";
import { allVitals } from "./own-entries.ts";
import { pendingOf, settle } from "./pending.ts";
import { defineTrigger, report, type TriggerContext } from "./trigger.ts";

/** The same entry, day and seed draw the same: a sweep done twice equals one done once. */
const drawSchema = z.strictObject({
  drawn: z
    .literal("daily")
    .describe("A number of its own for each entry, another one each day (UTC), weighed as the day began."),
  seed: z.int().min(0).describe("Where the numbers begin."),
});

const options = z.strictObject({
  vitality: vitalitySchema.describe("How alive an entry is: the name of a vitality policy and its options."),
  threshold: z
    .union([z.number(), drawSchema])
    .describe(
      "Entries less alive than this are forgotten: a number, or { drawn: daily, seed } for a number from 0 to 1 that is drawn for each entry and day (MemoryBank: a retention of 0.3 is forgotten with a chance of 0.7).",
    ),
  retention_min: z.int().min(0).describe("So many entries stay, however weak they are."),
  archive_before_delete: z
    .boolean()
    .describe("true: forgotten entries leave every index but can be read by id; false: they are deleted."),
  tiers: z
    .array(z.string().min(1))
    .min(1)
    .nullable()
    .describe("Only entries of these tiers are forgotten and counted; null: all."),
  max_per_run: z.int().min(1).nullable().describe("At most so many are forgotten at once; null: any number."),
  derived_kinds: z
    .array(z.string().min(1))
    .describe(
      "Kinds, as summaries, that go when the last entry they were made from has gone, and are scored only where they stand in its place.",
    ),
});

type Options = z.infer<typeof options>;

export const forgetting = defineTrigger({
  name: "forgetting",
  summary: "Takes what is no longer alive out of recall: archived, or deleted where that is wanted.",
  options,
  async run(context, given) {
    checkTiers(given.tiers, context.traits);
    const vitals = await allVitals(context);
    const inUse = new Set<string>(vitals.map(({ id }) => id));
    const derivations = await readDerivations(context, given.derived_kinds, inUse);
    const standIns = new Set(derivations.flatMap(({ entry, standsIn }) => (standsIn ? [entry.id] : [])));
    const weighed = await weigh(context, vitals, standIns, given);
    const examined = weighed.length;
    const rules = { forget_below: 0, retention_min: given.retention_min };
    const weak = planForgetting(weighed, rules).slice(0, given.max_per_run ?? undefined);
    const gone = [...weak, ...findOrphans(derivations, weak)];
    if (gone.length === 0)
      return report("forgetting", { examined, reason: "Nothing is weak enough to be forgotten." });
    await retire(context, gone, given);
    await settle(context, "forget", gone);
    return report("forgetting", {
      examined,
      ...(given.archive_before_delete ? { retired: gone } : { deleted: gone }),
    });
  },
});

async function weigh(
  context: TriggerContext,
  vitals: readonly Vitals[],
  standIns: ReadonlySet<EntryId>,
  given: Options,
): Promise<ForgettingCandidate<EntryId>[]> {
  const vitality = createVitality(given.vitality);
  const { at, lineOf } = sweepOf(given.threshold, context.deps.clock.now());
  const spared = new Set(given.derived_kinds);
  const crowdedOut = new Set((await pendingOf(context, "forget")).map(({ entry }) => entry));
  return vitals
    .filter(({ id, kind, tier }) => (!spared.has(kind) || standIns.has(id)) && isIn(tier, given.tiers))
    .map((one) => ({
      id: one.id,
      // What is left above the line.
      vitality: crowdedOut.has(one.id) ? Number.NEGATIVE_INFINITY : vitality.score(one, at) - lineOf(one.id),
      pinned: one.pinned,
    }));
}

const DAY_MS = 86_400_000;

interface Sweep {
  /** The moment that entries are weighed at. */
  readonly at: number;
  /** Below which an entry is forgotten. */
  lineOf(id: EntryId): number;
}

/** Where lines are drawn, entries are weighed as the day began: what came or was recalled since is as alive as can be. */
function sweepOf(threshold: Options["threshold"], now: number): Sweep {
  if (typeof threshold === "number") return { at: now, lineOf: () => threshold };
  const day = Math.floor(now / DAY_MS);
  const numberOf = (id: EntryId): number =>
    Number.parseInt(hash("sha256", `${threshold.seed}/${day}/${id}`).slice(0, 8), 16);
  return { at: day * DAY_MS, lineOf: (id) => numberOf(id) / 2 ** 32 };
}

async function retire(context: TriggerContext, ids: readonly EntryId[], given: Options): Promise<void> {
  const { store, scope } = context;
  if (given.archive_before_delete) await store.archiveMany(scope, ids, { cause: "forgetting" });
  else for (const id of ids) await context.delete(id);
}

function isIn(tier: string | null, tiers: readonly string[] | null): boolean {
  return tiers === null || (tier !== null && tiers.includes(tier));
}

function checkTiers(tiers: readonly string[] | null, traits: ServiceTraits): void {
  const unknown = tiers?.find((tier) => !traits.tiers.includes(tier));
  if (unknown === undefined) return;
  throw new MemoryError(
    "option_invalid",
    `The service has no tier "${unknown}" to forget in. ${validNames(unknown, traits.tiers)}`,
  );
}
