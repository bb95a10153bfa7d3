/** A memory goes, with every entity that nothing else speaks of and its count in what it stated, in one transaction. */
import type { EntryId } from "../../base/ids.ts";
import type { Scope } from "../../base/scope.ts";
import type { By, Collection } from "../../collection/collection.ts";
import { spokenOf } from "./orphans.ts";
import { takeBackStatements } from "./relations.ts";

export async function deleteMemory(store: Collection, scope: Scope, id: EntryId, by: By): Promise<boolean> {
  const memory = await store.get(scope, id);
  if (memory === undefined) return false;
  const { orphans, shared } = await spokenOf(store, scope, id);
  const edges = await takeBackStatements(store, scope, memory, shared);
  return store.deleteMany(scope, [id, ...orphans], by, edges);
}
