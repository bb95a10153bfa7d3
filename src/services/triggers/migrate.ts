/**
 * Migration between tiers (S0-35; MemoryOS, MemGPT, LD-Agent): by heat, to the front and back, by sessions, by
 * want of room, by hand, into segments, or under the pressure of a model's window. Ids never change and nothing is copied (B.0.9, 20); an entry that a transform sums up stays beside its summary.
 */
import { z } from "zod";
import { MemoryError } from "../../base/errors.ts";
import type { EntryId } from "../../base/ids.ts";
import { summarize } from "../../tasks/summarize.ts";
import { carryOut } from "./migrate/carry-out.ts";
import { front, frontOptions } from "./migrate/front.ts";
import { heat, heatOptions } from "./migrate/heat.ts";
import { manual, manualOptions } from "./migrate/manual.ts";
import type { MigrationPlan, PlannedMove } from "./migrate/migration.ts";
import { overflow, overflowOptions } from "./migrate/overflow.ts";
import { type PressureOptions, pressureOptions } from "./migrate/pressure/options.ts";
import { pressurePrompts, relieve } from "./migrate/pressure.ts";
import {
  migrateBySegments,
  type SegmentsOptions,
  segmentsOptions,
  segmentsPrompts,
} from "./migrate/segments.ts";
import { time, timeOptions } from "./migrate/time.ts";
import { defineTrigger, report, type TriggerContext } from "./trigger.ts";

const options = z.discriminatedUnion("migrate_policy", [
  heatOptions,
  frontOptions,
  timeOptions,
  overflowOptions,
  manualOptions,
  segmentsOptions,
  pressureOptions,
]);

/** Of the ways that only move. */
type Options = Exclude<z.infer<typeof options>, SegmentsOptions | PressureOptions>;

export const migrate = defineTrigger({
  name: "migrate",
  summary:
    "Moves entries between tiers: by heat, when a session is over, for want of room, by hand, into segments of a theme, or under the pressure of a model's window.",
  options,
  prompts(given) {
    if (given.migrate_policy === "segments") return segmentsPrompts(given);
    if (given.migrate_policy === "pressure") return pressurePrompts(given);
    return [{ task: summarize, prompt: given.summarize_prompt }];
  },
  async run(context, given, entries) {
    if (context.traits.tiers.length < 2) {
      throw new MemoryError(
        "capability_missing",
        "The service has no tiers to move between. Valid: one that has.",
      );
    }
    if (given.migrate_policy === "segments") return migrateBySegments(context, given);
    if (given.migrate_policy === "pressure") return relieve(context, given, entries);
    const moved: PlannedMove[] = [];
    const added: EntryId[] = [];
    let examined = 0;
    // What is moved for want of room may leave no room where it goes.
    for (let isFirst = true; isFirst || given.migrate_policy === "overflow"; isFirst = false) {
      const plan = await planOf(context, given, entries);
      examined += plan.examined;
      if (plan.moves.length === 0) break;
      const done = await carryOut(context, plan.moves, given);
      added.push(...done.summaries);
      moved.push(...done.moved);
    }
    return report("migrate", {
      examined,
      added,
      moved,
      ...(moved.length === 0 ? { reason: "Nothing had to move." } : {}),
    });
  },
});

function planOf(
  context: TriggerContext,
  given: Options,
  entries: readonly EntryId[] | undefined,
): Promise<MigrationPlan> {
  switch (given.migrate_policy) {
    case "heat":
      return heat.plan(context, given, entries);
    case "front":
      return front.plan(context, given, entries);
    case "time":
      return time.plan(context, given, entries);
    case "overflow":
      return overflow.plan(context, given, entries);
    case "manual":
      return manual.plan(context, given, entries);
  }
}
