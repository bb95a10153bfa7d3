/** Out of sight, not lost: an archived entry is in no index and has a tier of its own, under which it can be listed. */
import type { EntryId } from "../base/ids.ts";
import type { Scope } from "../base/scope.ts";
import type { By, Collection } from "../collection/collection.ts";

/** No tier of a preset may be called so. */
export const ARCHIVED = "archived";

export async function archive(
  collection: Collection,
  scope: Scope,
  ids: readonly EntryId[],
  by?: By,
): Promise<void> {
  const memberships = await collection.memberships(scope, ids);
  for (const [place, id] of ids.entries()) {
    const from = memberships[place] ?? [];
    await collection.move(scope, id, { from, to: [], fields: { tier: ARCHIVED } }, by);
  }
}
