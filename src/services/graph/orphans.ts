/** What must go with a memory? Entities and facts that no other memory of the scope needs: nothing is left behind (B.0.9, 22). */
import type { Entry } from "../../base/entry.ts";
import type { EntryId } from "../../base/ids.ts";
import type { Scope } from "../../base/scope.ts";
import type { Collection } from "../../collection/collection.ts";
import { EDGE, ENTITY, FACT } from "./entity.ts";

export interface Spoken {
  /** Entities that only this memory speaks of, and facts that only it states. */
  readonly orphans: readonly EntryId[];
  /** Those that others speak of, too, with how many there are in all. */
  readonly shared: readonly { readonly node: Entry; readonly speakers: number }[];
}

export async function spokenOf(store: Collection, scope: Scope, memory: EntryId): Promise<Spoken> {
  const leaving = (await store.edges(scope, [memory])).filter((edge) => edge.from === memory);
  const targetsOf = (type: string): EntryId[] =>
    leaving.filter((edge) => edge.type === type).map(({ to }) => to);
  const entities = await counted(store, scope, targetsOf(EDGE.contains), { kind: ENTITY, by: EDGE.contains });
  const facts = await counted(store, scope, targetsOf(EDGE.states), { kind: FACT, by: EDGE.states });
  return {
    orphans: [...entities, ...facts].flatMap(({ node, speakers }) => (speakers <= 1 ? [node.id] : [])),
    shared: entities.filter(({ speakers }) => speakers > 1),
  };
}

/** The scope's own nodes of a kind, with how many memories need each. */
async function counted(
  store: Collection,
  scope: Scope,
  ids: readonly EntryId[],
  { kind, by }: { readonly kind: string; readonly by: string },
): Promise<{ readonly node: Entry; readonly speakers: number }[]> {
  if (ids.length === 0) return [];
  const nodes = await store.getMany(scope, ids);
  const own = nodes.flatMap((node) => (node?.kind === kind && node.scope === scope ? [node] : []));
  const counts = await store.countReaching(
    scope,
    own.map(({ id }) => id),
    by,
  );
  return own.map((node, place) => ({ node, speakers: counts[place]?.all ?? 0 }));
}
