/** What must go with a memory? Entities that no other memory of the scope speaks of: nothing is left behind (B.0.9, 22). */
import type { Entry } from "../../base/entry.ts";
import type { EntryId } from "../../base/ids.ts";
import type { Scope } from "../../base/scope.ts";
import type { Collection } from "../../collection/collection.ts";
import { EDGE, ENTITY } from "./entity.ts";

export interface Spoken {
  /** Entities that only this memory speaks of. */
  readonly orphans: readonly EntryId[];
  /** Those that others speak of, too, with how many there are in all. */
  readonly shared: readonly { readonly node: Entry; readonly speakers: number }[];
}

export async function spokenOf(store: Collection, scope: Scope, memory: EntryId): Promise<Spoken> {
  const spoken = (await store.edges(scope, [memory]))
    .filter((edge) => edge.type === EDGE.contains && edge.from === memory)
    .map((edge) => edge.to);
  if (spoken.length === 0) return { orphans: [], shared: [] };
  const nodes = await store.getMany(scope, spoken);
  const own = nodes.flatMap((node) => (node?.kind === ENTITY && node.scope === scope ? [node] : []));
  const counts = await store.countReaching(
    scope,
    own.map(({ id }) => id),
    EDGE.contains,
  );
  const counted = own.map((node, place) => ({ node, speakers: counts[place]?.all ?? 0 }));
  return {
    orphans: counted.flatMap(({ node, speakers }) => (speakers <= 1 ? [node.id] : [])),
    shared: counted.filter(({ speakers }) => speakers > 1),
  };
}
