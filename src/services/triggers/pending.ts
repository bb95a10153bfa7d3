/** What waits for a decision about entries, and how it is settled when a trigger has decided. */
import { z } from "zod";
import type { EntryId } from "../../base/ids.ts";
import type { JsonObject } from "../../base/json.ts";
import type { PendingAction } from "../service.ts";
import type { TriggerContext } from "./trigger.ts";

const payloadSchema = z.looseObject({ name: z.string(), entry: z.string() });

export interface Pending {
  /** To be settled by. */
  readonly id: string;
  readonly entry: string;
  readonly payload: JsonObject;
}

type Source = Pick<TriggerContext, "scope" | "store" | "traits">;

/** Oldest first; none, and nothing is read, where the service leaves no such work. */
export async function pendingOf({ scope, store, traits }: Source, action: PendingAction): Promise<Pending[]> {
  if (!traits.pending.includes(action)) return [];
  const jobs = await store.work(scope, await store.countWork(scope));
  return jobs.flatMap(({ id, payload }) => {
    const found = payloadSchema.safeParse(payload);
    return found.success && found.data.name === action ? [{ id, entry: found.data.entry, payload }] : [];
  });
}

/** Settles what waited about these entries. */
export async function settle(
  { scope, store }: Source,
  action: PendingAction,
  ids: readonly EntryId[],
): Promise<void> {
  if (ids.length === 0) return;
  for (const { id, payload } of await store.workOf(scope, ids)) {
    if (payload.name === action) await store.settleWork(scope, id, { cause: action });
  }
}
