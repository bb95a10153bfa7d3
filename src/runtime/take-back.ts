/** What a window that was not finished had stored goes; what that had superseded is current again. */
import type { EntryId } from "../base/ids.ts";
import type { Scope } from "../base/scope.ts";
import type { OpenPreset } from "../preset/open.ts";
import { isNode } from "../services/graph/entity.ts";
import type { Storage } from "../storage/storage.ts";
import { ownEvents } from "./pages.ts";
import { placeOf } from "./place.ts";

const CAUSE = { actor: "runtime", cause: "take-back" } as const;

export async function takeBack(memory: OpenPreset, storage: Storage, scope: Scope): Promise<void> {
  const place = placeOf(memory, scope);
  const begun = await storage.cursor(place.begun);
  if (begun === 0) return;
  const { collection } = memory.service;
  const stored: EntryId[] = [];
  for await (const { operation, subject } of ownEvents(storage, scope, { collection, after: begun - 1 }))
    if (operation === "entry-insert") stored.push(subject);
  // The newest first: what is derived goes before what it is derived from.
  for (const entry of await storage.entries(scope, collection, stored.reverse()))
    if (entry !== undefined && !isNode(entry.kind)) await memory.service.delete(scope, entry.id);
  await storage.commit(scope, [{ op: "cursor-put", name: place.begun, seq: 0 }], CAUSE);
}
