/**
 * Opens the collection of a service with tiers. An index that comes later cannot be filled as others are, with every
 * entry there is: it belongs to one tier. So tiers that differ from those the collection was made with are refused, all
 * but their capacities; only a new vector space may come, which starts empty, and a graph, which all are in.
 */
import { MemoryError } from "../base/errors.ts";
import type { Collection } from "../collection/collection.ts";
import type { CollectionManager } from "../collection/collection-manager.ts";
import type { NewCollectionIndex } from "../collection/index-set.ts";
import { type ServiceTier, tierIndexes, timeIndexName } from "./tiers.ts";
import type { VectorField } from "./vector-fields.ts";

const PROFILE = "hierarchical";

export async function openTiers(
  manager: CollectionManager,
  name: string,
  tiers: readonly ServiceTier[],
  fields: readonly VectorField[],
  hasGraph: boolean,
): Promise<Collection> {
  const indexes = tierIndexes(tiers, fields, hasGraph);
  if (await manager.has(name)) {
    const known = await manager.get(name);
    if (known.profile === PROFILE) await addSpaces(known, tiers, indexes);
  }
  return manager.open({ name, profile: PROFILE, indexes });
}

async function addSpaces(
  collection: Collection,
  tiers: readonly ServiceTier[],
  wanted: readonly NewCollectionIndex[],
): Promise<void> {
  const present = new Set((await collection.listIndexes()).map((index) => index.name));
  if (!present.has(timeIndexName(tiers))) {
    throw new MemoryError(
      "name_taken",
      `The collection "${collection.name}" was made with other tiers: their names, order, membership or indexes differ. Valid: the tiers it was made with, of any capacity, or another collection_name.`,
    );
  }
  for (const index of wanted) if (!present.has(index.name)) await collection.createIndex(index);
}
