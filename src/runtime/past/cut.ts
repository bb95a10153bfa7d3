/** As of a moment in the world: what happened later is not there, and what it had replaced stands again. */
import type { EntryId } from "../../base/ids.ts";
import type { States } from "./states.ts";

export function cut({ entries }: States, at: number): void {
  const later = new Map<EntryId, EntryId | null>();
  for (const [id, { entry }] of entries) if (entry.happenedAt > at) later.set(id, entry.supersededBy);
  for (const id of later.keys()) entries.delete(id);
  for (const [id, state] of entries) {
    const { entry } = state;
    if (entry.supersededBy === null || !later.has(entry.supersededBy)) continue;
    entries.set(id, { ...state, entry: { ...entry, supersededBy: heirOf(entry.supersededBy, later) } });
  }
}

/** Of several that replaced each other, the first that had happened by then. */
function heirOf(lost: EntryId, later: ReadonlyMap<EntryId, EntryId | null>): EntryId | null {
  let heir: EntryId | null = lost;
  while (heir !== null && later.has(heir)) heir = later.get(heir) ?? null;
  return heir;
}
