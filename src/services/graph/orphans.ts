/** What must go with a memory? Entities that no other memory of the scope speaks of: nothing is left behind (B.0.9, 22). */
import type { EntryId } from "../../base/ids.ts";
import type { Scope } from "../../base/scope.ts";
import type { Collection } from "../../collection/collection.ts";
import { EDGE, ENTITY } from "./entity.ts";

export interface Spoken {
  /** Entities that only this memory speaks of. */
  readonly orphans: readonly EntryId[];
  /** Those that others speak of, too. */
  readonly shared: readonly EntryId[];
}

export async function spokenOf(store: Collection, scope: Scope, memory: EntryId): Promise<Spoken> {
  const spoken = (await store.edges(scope, [memory]))
    .filter((edge) => edge.type === EDGE.contains && edge.from === memory)
    .map((edge) => edge.to);
  if (spoken.length === 0) return { orphans: [], shared: [] };
  const nodes = await store.getMany(scope, spoken);
  const own = nodes.flatMap((node) => (node?.kind === ENTITY && node.scope === scope ? [node.id] : []));
  const edges = await store.edges(scope, own);
  const held = new Set(
    edges.filter(({ type, from }) => type === EDGE.contains && from !== memory).map(({ to }) => to),
  );
  return { orphans: own.filter((id) => !held.has(id)), shared: own.filter((id) => held.has(id)) };
}
