/**
 * What a service does to itself when it is told to (S0-18, S0-35): look over its entries and write insights, links,
 * summaries, retire or move entries. It runs inside the service, so it may read and write as often as it must (C-27), but
 * loses nothing: what leaves recall is archived or superseded unless the config says delete. Run twice with nothing new
 * in between, the second run changes nothing.
 */
import type { z } from "zod";
import type { Hit } from "../../base/hit.ts";
import type { EntryId } from "../../base/ids.ts";
import type { Scope } from "../../base/scope.ts";
import type { Collection } from "../../collection/collection.ts";
import type { BoundVitality } from "../../policies/vitality/index.ts";
import type { Asker } from "../../tasks/prompt-library.ts";
import type {
  OptimizeReport,
  ServiceDeps,
  ServiceInsert,
  ServiceQuery,
  ServiceTraits,
  Trigger,
} from "../service.ts";

export interface TriggerContext {
  readonly scope: Scope;
  readonly store: Collection;
  readonly deps: ServiceDeps;
  readonly traits: ServiceTraits;
  /** Whether the service walks links only the way they go. */
  readonly directed: boolean;
  /** How the service's memories fade and wake; undefined: looks are only counted. */
  readonly vitality: BoundVitality | undefined;
  /** The indexes that hold vectors of a space. */
  vectorIndexes(space: string): readonly string[];
  /** As the service itself inserts: with its placement. */
  insert(entry: ServiceInsert): Promise<EntryId>;
  /** As the service itself looks, but the look is not counted: nobody was shown anything. */
  retrieve(query: ServiceQuery): Promise<Hit[]>;
  /** Removes for good, as the service itself does: with what only that entry needed. */
  delete(id: EntryId): Promise<boolean>;
  /** Moves an entry to another tier, as the service itself does. */
  move(id: EntryId, tier: string): Promise<void>;
}

export interface TriggerDefinition<Options = unknown> {
  readonly name: Trigger;
  readonly summary: string;
  readonly options: z.ZodType<Options>;
  /** The prompts it asks with, to be found and checked when a preset is loaded. */
  prompts?(options: Options): readonly { readonly task: Asker; readonly prompt: string }[];
  /** `entries`: what was just inserted; absent: everything of the scope. */
  run(
    context: TriggerContext,
    options: Options,
    entries: readonly EntryId[] | undefined,
  ): Promise<OptimizeReport>;
}

export function defineTrigger<Options>(definition: TriggerDefinition<Options>): TriggerDefinition<Options> {
  return definition;
}

/** A report to fill in. */
export function report(trigger: Trigger, done: Partial<OptimizeReport>): OptimizeReport {
  return { trigger, examined: 0, added: [], retired: [], deleted: [], moved: [], edges: 0, ...done };
}
