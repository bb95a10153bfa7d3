/** What had left the memory (by an undo, a sweep, a rebuild) and is still kept by the log, from where it could come back. */
import type { Entry } from "../base/entry.ts";
import type { EntryId } from "../base/ids.ts";
import type { Scope } from "../base/scope.ts";
import { keptRemoval } from "../storage/kept.ts";
import type { Storage } from "../storage/storage.ts";
import { ownEvents } from "./pages.ts";

/** As they were when they left; without those that are there again. */
export async function removedEntries(
  storage: Storage,
  scope: Scope,
  collection: string,
  there: readonly Entry[],
): Promise<Entry[]> {
  const known = new Set(there.map(({ id }) => id));
  const removed = new Map<EntryId, Entry>();
  const query = { collection, operation: "entry-remove", after: 0 } as const;
  for await (const event of ownEvents(storage, scope, query)) {
    const entry = keptRemoval(event)?.entry;
    if (entry !== undefined && !known.has(entry.id)) removed.set(entry.id, entry);
  }
  return [...removed.values()];
}
