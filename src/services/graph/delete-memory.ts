/** A memory goes, with every entity and fact that nothing else needs and its count in what it stated, in one transaction. */
import type { EntryId } from "../../base/ids.ts";
import type { Scope } from "../../base/scope.ts";
import type { By, Collection } from "../../collection/collection.ts";
import type { Normaliser } from "./entity.ts";
import { spokenOf } from "./orphans.ts";
import { takeBackStatements } from "./relations.ts";

export async function deleteMemory(
  store: Collection,
  scope: Scope,
  id: EntryId,
  by: By,
  normaliser: Normaliser = "unicode",
): Promise<boolean> {
  const memory = await store.get(scope, id);
  if (memory === undefined) return false;
  const { orphans, shared } = await spokenOf(store, scope, id);
  const edges = await takeBackStatements(store, scope, memory, shared, normaliser);
  return store.deleteMany(scope, [id, ...orphans], by, edges);
}
