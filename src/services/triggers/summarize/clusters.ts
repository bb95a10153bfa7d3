/**
 * One fact for each group of memories that say alike things (BIEM's crystals; S4-16): greedy clusters of the most recent,
 * the liveliest as leaders. A group that was summed up before is passed over; one that has grown gets a new fact in
 * place of the old.
 */
import { z } from "zod";
import type { Entry } from "../../../base/entry.ts";
import {
  type ConsolidationEntry,
  consolidationOptions,
  planConsolidation,
} from "../../../policies/consolidation.ts";
import { createVitality, vitalitySchema } from "../../../policies/vitality/index.ts";
import { CONTENT } from "../../vector-fields.ts";
import type { TriggerContext } from "../trigger.ts";
import { type Assignment, type Holdings, type Writing, writeFrom, writtenFor } from "./strategy.ts";

export const CLUSTERS = "clusters";

const shape = {
  ...consolidationOptions.shape,
  vitality: vitalitySchema.describe(
    "How alive an entry is: the liveliest lead their groups, and their mean is a fact's confidence.",
  ),
  target_tier: z
    .string()
    .min(1)
    .nullable()
    .describe("The tier that facts go to; null: where the service puts what is new."),
};

export const clustersShape = {
  strategy: z.literal(CLUSTERS).describe("One fact for each group of memories that say alike things."),
  ...shape,
};

type Options = { readonly [Key in keyof typeof shape]: z.infer<(typeof shape)[Key]> };

export async function assignClusters(
  holdings: Holdings,
  writing: Writing,
  { vitality, recent, similarity_threshold, min_size }: Options,
): Promise<Assignment[]> {
  const { context } = writing;
  const policy = createVitality(vitality);
  const now = context.deps.clock.now();
  const latest = [...holdings.originals].sort((a, b) => b.happenedAt - a.happenedAt).slice(0, recent);
  const entryOf = new Map<string, Entry>(latest.map((entry) => [entry.id, entry]));
  const standing = writtenFor(holdings, CLUSTERS);
  const known = holdings.summaries
    .filter(({ metadata }) => metadata.strategy === CLUSTERS)
    .map(({ sources }) => sources);
  const assignments: Assignment[] = [];
  for (const rows of await rowsOf(context, latest, (entry) => policy.score(entry, now))) {
    for (const { leader, members, confidence } of planConsolidation(rows, known, {
      recent,
      similarity_threshold,
      min_size,
    })) {
      const sources = members
        .flatMap((id) => entryOf.get(id) ?? [])
        .sort((a, b) => a.happenedAt - b.happenedAt || (a.id < b.id ? -1 : 1));
      const cites: readonly string[] = members;
      const outgrown = standing.filter((fact) => fact.sources.every((id) => cites.includes(id)));
      assignments.push({
        cites,
        sources,
        fresh: cites.filter((id) => !known.some((before) => before.includes(id))).length,
        replaces: outgrown.map(({ id }) => id),
        metadata: { strategy: CLUSTERS, leader, confidence },
        write: () => writeFrom(writing, sources),
      });
    }
  }
  return assignments;
}

/** Vectors of two spaces never meet: each language has clusters of its own. */
async function rowsOf(
  { scope, store, deps }: TriggerContext,
  entries: readonly Entry[],
  vitalityOf: (entry: Entry) => number,
): Promise<ConsolidationEntry<Entry["id"]>[][]> {
  const ids = entries.map(({ id }) => id);
  const spaces = deps.fields.find(({ name }) => name === CONTENT)?.spaces ?? [];
  const all: ConsolidationEntry<Entry["id"]>[][] = [];
  for (const { space } of spaces) {
    const vectors = await store.vectors(scope, space, ids);
    all.push(
      entries.flatMap((entry, place) => {
        const vector = vectors[place];
        if (vector === undefined) return [];
        return [{ id: entry.id, at: entry.happenedAt, vitality: vitalityOf(entry), vector }];
      }),
    );
  }
  return all;
}
