/** A policy that comes to an entry once leaves its name in `metadata.evolved`, so that it does not come again. */
import type { Entry } from "../../../base/entry.ts";
import type { EntryId } from "../../../base/ids.ts";
import type { JsonObject } from "../../../base/json.ts";
import type { TriggerContext } from "../trigger.ts";

export function hasEvolved({ metadata }: Entry, policy: string): boolean {
  return Array.isArray(metadata.evolved) && metadata.evolved.includes(policy);
}

export async function markEvolved(
  { scope, store }: TriggerContext,
  id: EntryId,
  policy: string,
): Promise<void> {
  // Read again: the policy itself may have changed the entry.
  const entry = await store.get(scope, id);
  if (entry === undefined || hasEvolved(entry, policy)) return;
  const metadata = withEvolved(entry.metadata, policy);
  await store.update(scope, id, { metadata }, { cause: `link_evolution: ${policy}` });
}

export function withEvolved(metadata: JsonObject, policy: string): JsonObject {
  const before = Array.isArray(metadata.evolved) ? metadata.evolved : [];
  return { ...metadata, evolved: [...before, policy] };
}
