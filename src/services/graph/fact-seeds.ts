/**
 * From facts that bear on a question to where its walk begins (HippoRAG 2): at the things they speak of, each as much as
 * the facts that name it are near, on average, and less the more memories speak of it; the heaviest few are kept.
 */
import type { EntryId } from "../../base/ids.ts";
import type { Scope } from "../../base/scope.ts";
import type { Collection } from "../../collection/collection.ts";
import { EDGE, entitiesNamed, entityName, FACT, type Normaliser } from "./entity.ts";

export interface FactSeedOptions {
  /** How many things are kept. */
  readonly seeds: number;
  readonly nodeSpecificity: boolean;
  readonly normaliser: Normaliser;
}

/** Fact → how near it is to the question, 0 to 1. Entries that are no facts are passed over. */
export async function factSeeds(
  store: Collection,
  scope: Scope,
  facts: ReadonlyMap<EntryId, number>,
  { seeds, nodeSpecificity, normaliser }: FactSeedOptions,
): Promise<Map<EntryId, number>> {
  const scores = new Map<string, number[]>();
  for (const fact of await store.getMany(scope, [...facts.keys()])) {
    if (fact?.kind !== FACT) continue;
    const ends = [fact.metadata.subject, fact.metadata.object].map((end) =>
      entityName(String(end), normaliser),
    );
    for (const name of new Set(ends))
      scores.set(name, [...(scores.get(name) ?? []), facts.get(fact.id) ?? 0]);
  }
  const nodes = await entitiesNamed(store, scope, [...scores.keys()]);
  const speakers = await store.countReaching(
    scope,
    nodes.map(({ id }) => id),
    EDGE.contains,
  );
  const weighed = nodes.flatMap(({ id, name }, place): [EntryId, number][] => {
    const near = scores.get(name) ?? [];
    const mean = near.reduce((sum, score) => sum + score, 0) / Math.max(1, near.length);
    const { all = 0, current = 0 } = speakers[place] ?? {};
    if (current === 0 && all > 0) return [];
    return [[id, nodeSpecificity ? mean / Math.max(1, current) : mean]];
  });
  return new Map(weighed.sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, seeds));
}
