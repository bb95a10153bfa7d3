/**
 * Opens the collection of a service with tiers. An index that comes later cannot be filled as others are, with every
 * entry there is: it belongs to one tier. So tiers that differ from those the collection was made with are refused; only a
 * new vector space may come, which starts empty.
 */
import { MemoryError } from "../base/errors.ts";
import type { Collection } from "../collection/collection.ts";
import type { CollectionManager } from "../collection/collection-manager.ts";
import type { NewCollectionIndex } from "../collection/index-set.ts";

const PROFILE = "hierarchical";

export async function openTiers(
  manager: CollectionManager,
  name: string,
  indexes: readonly NewCollectionIndex[],
): Promise<Collection> {
  if (await manager.has(name)) await compare(await manager.get(name), indexes);
  return manager.open({ name, profile: PROFILE, indexes });
}

async function compare(collection: Collection, wanted: readonly NewCollectionIndex[]): Promise<void> {
  const present = await collection.listIndexes();
  for (const index of wanted) {
    const known = present.find(({ name }) => name === index.name);
    if (known === undefined && index.kind !== "vector_flat") {
      throw differs(collection, `it has no index "${index.name}"`);
    }
    if (known === undefined) await collection.createIndex(index);
    else if (index.kind === "fifo" && known.options.capacity !== index.options?.capacity) {
      throw differs(collection, `its index "${index.name}" has the capacity ${known.options.capacity}`);
    }
  }
  const gone = present.find(({ kind, name }) => kind === "fifo" && !wanted.some((one) => one.name === name));
  if (gone !== undefined) throw differs(collection, `it also has the index "${gone.name}"`);
}

function differs({ name }: Collection, how: string): MemoryError {
  return new MemoryError(
    "name_taken",
    `The collection "${name}" was made with other tiers: ${how}. Valid: the tiers it was made with, or another collection_name.`,
  );
}
