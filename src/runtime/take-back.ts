/**
 * What a window that was not finished had done is undone, newest first, in one transaction: entries, changes, moves, vectors
 * and links, so that the memory stands as it did before the window. What others did meanwhile stays: looks and judgements,
 * other verbs, other scopes' changes. Where such a change stands on one of the window's, it is left as it is.
 */
import type { Scope } from "../base/scope.ts";
import type { OpenPreset } from "../preset/open.ts";
import type { Event } from "../storage/event.ts";
import type { Storage, Write } from "../storage/storage.ts";
import { ownEvents } from "./pages.ts";
import { isJudgement, isLook } from "./past/looks.ts";
import { placeOf } from "./place.ts";

const CAUSE = { actor: "runtime", cause: "take-back" } as const;

/** To be called by whoever works on the scope alone. */
export async function takeBack(memory: OpenPreset, storage: Storage, scope: Scope): Promise<void> {
  const place = placeOf(memory, scope);
  const begun = await storage.cursor(place.begun);
  if (begun === 0) return;
  const { collection } = memory.service;
  const events = await Array.fromAsync(ownEvents(storage, scope, { collection, after: begun - 1 }));
  const undone = events.filter(isOfWindow).reverse();
  await storage.commit(
    scope,
    [
      ...undone.map(({ seq }): Write => ({ op: "event-undo", seq, yielding: true })),
      { op: "cursor-put", name: place.begun, seq: 0 },
    ],
    CAUSE,
    { collection },
  );
}

function isOfWindow(event: Event): boolean {
  const { actor, cause, undoes } = event;
  const isVerb = actor === CAUSE.actor && cause !== "derive";
  return actor !== "" && !isVerb && undoes === null && !isLook(event) && !isJudgement(event);
}
