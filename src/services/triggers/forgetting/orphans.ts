/**
 * What goes with the forgotten? A summary is as old as what it sums up, so its own age says little; it goes when the last
 * entry it was made from has gone (MemoryBank: a day without turns loses its summary), and then what was made from it,
 * whoever took that away. One that stands in the place of what it sums up has nothing beside it that could go first: it is
 * weighed as any other.
 */
import { ARCHIVED, type Entry } from "../../../base/entry.ts";
import { type EntryId, isEntryId } from "../../../base/ids.ts";
import { originsOf } from "../derived.ts";
import { ownOfKind } from "../own-entries.ts";
import type { TriggerContext } from "../trigger.ts";

export interface Derivation {
  readonly entry: Entry;
  /** Entries it was made from that are there, in recall or out of it, but not forgotten. */
  readonly origins: readonly Entry["id"][];
  /** Whether all that is left of what it was made from has been replaced by it. */
  readonly standsIn: boolean;
}

/** Every current entry of these kinds that was made from others. `inUse`: the ids of the scope's entries in use. */
export async function readDerivations(
  context: TriggerContext,
  kinds: readonly string[],
  inUse: ReadonlySet<string>,
): Promise<Derivation[]> {
  const derivations: Derivation[] = [];
  for (const kind of new Set(kinds)) {
    const versions = await ownOfKind(context, kind);
    const byId = new Map<string, Entry>(versions.map((entry) => [entry.id, entry]));
    for (const entry of versions) {
      const origins = [...originsOf(entry, byId)].filter(isEntryId);
      if (entry.supersededBy !== null || entry.tier === ARCHIVED || origins.length === 0) continue;
      derivations.push(await derive(context, entry, origins, { inUse, byId }));
    }
  }
  return derivations;
}

async function derive(
  { scope, store }: TriggerContext,
  entry: Entry,
  origins: readonly EntryId[],
  { inUse, byId }: { readonly inUse: ReadonlySet<string>; readonly byId: ReadonlyMap<string, Entry> },
): Promise<Derivation> {
  const used = origins.filter((id) => inUse.has(id));
  const others = await store.getMany(
    scope,
    origins.filter((id) => !inUse.has(id)),
  );
  const left = others.filter((other) => other !== undefined).filter(({ tier }) => tier !== ARCHIVED);
  const replaced = left.filter(
    ({ supersededBy }) => supersededBy === entry.id || (supersededBy !== null && byId.has(supersededBy)),
  );
  return {
    entry,
    origins: [...used, ...left.map(({ id }) => id)],
    standsIn: used.length === 0 && replaced.length > 0 && replaced.length === left.length,
  };
}

/** Those of which nothing is left that they were made from, the forgotten gone; pinned ones stay. */
export function findOrphans(derivations: readonly Derivation[], forgotten: readonly EntryId[]): EntryId[] {
  const gone = new Set(forgotten);
  const orphans: EntryId[] = [];
  for (let before = -1; before < orphans.length; ) {
    before = orphans.length;
    for (const { entry, origins } of derivations) {
      if (entry.pinned || gone.has(entry.id) || origins.some((id) => !gone.has(id))) continue;
      gone.add(entry.id);
      orphans.push(entry.id);
    }
  }
  return orphans;
}
