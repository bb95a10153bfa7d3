/**
 * What goes with the forgotten? A summary is as old as what it sums up, so its own age says little; it goes when the last
 * entry it was made from has gone (MemoryBank: a day without turns loses its summary), and then what was made from it.
 */
import type { Entry } from "../../../base/entry.ts";
import { where } from "../../../base/filter.ts";
import { type EntryId, isEntryId } from "../../../base/ids.ts";
import { ARCHIVED } from "../../archive.ts";
import { ownEntries } from "../own-entries.ts";
import type { TriggerContext } from "../trigger.ts";

/** Entries of these kinds that cite one of the forgotten and nothing that is left; pinned ones stay. */
export async function findOrphans(
  context: TriggerContext,
  kinds: readonly string[],
  forgotten: readonly EntryId[],
): Promise<EntryId[]> {
  const derived: Entry[] = [];
  for (const kind of new Set(kinds)) derived.push(...(await ownEntries(context, where.eq("kind", kind))));
  const gone = new Set<string>(forgotten);
  const orphans: EntryId[] = [];
  for (let before = -1; before < orphans.length; ) {
    before = orphans.length;
    for (const entry of derived) {
      if (gone.has(entry.id) || entry.pinned || !entry.sources.some((id) => gone.has(id))) continue;
      if (await hasLivingSource(context, entry, gone)) continue;
      gone.add(entry.id);
      orphans.push(entry.id);
    }
  }
  return orphans;
}

async function hasLivingSource(
  { scope, store }: TriggerContext,
  { sources }: Entry,
  gone: ReadonlySet<string>,
): Promise<boolean> {
  const others = sources.filter((id) => !gone.has(id)).filter(isEntryId);
  const found = await store.getMany(scope, others);
  return found.some((entry) => entry !== undefined && entry.tier !== ARCHIVED);
}
