/** A service may have asked about an entry that an action has just decided about: then its question is answered. */
import type { EntryId } from "../../../base/ids.ts";
import type { PostInsertHandle } from "../../../pipeline/action.ts";

export async function settleCrud(store: PostInsertHandle, decided: ReadonlySet<EntryId>): Promise<void> {
  if (decided.size === 0) return;
  const { pendingItems } = await store.status();
  for (const { id, action, entry } of pendingItems) {
    if (action === "crud" && decided.has(entry)) await store.acknowledge(id);
  }
}
