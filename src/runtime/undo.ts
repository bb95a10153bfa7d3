/**
 * Takes a change back: all that was changed together with the event (one transaction), so that recall answers exactly as
 * before it. Refused where something newer stands on it; the error names what has to be undone first. Looks do not stand in
 * its way. An undo is a change itself: its events are in the history, and can be undone.
 *
 * One act of a caller may be several changes, as when a design stores an entry and links it afterwards; the history shows
 * each. The journal is not touched: what was said stays said, and a rebuild derives from it anew.
 */
import { z } from "zod";
import { MemoryError } from "../base/errors.ts";
import type { EntryId } from "../base/ids.ts";
import { parseInput } from "../base/parse-input.ts";
import type { Scope } from "../base/scope.ts";
import type { Event } from "../storage/event.ts";
import type { Storage, Write } from "../storage/storage.ts";
import { ownEvents } from "./pages.ts";
import type { Running } from "./running.ts";

export interface Undone {
  /** Places of the events that were taken back, the newest first. */
  readonly events: readonly number[];
  readonly entries: readonly EntryId[];
}

const CAUSE = { actor: "runtime", cause: "undo" } as const;
const placeSchema = z.number().int().min(1);

export async function undo(
  { storage, design, worker }: Running,
  scope: Scope,
  event: number,
): Promise<Undone> {
  const seq = parseInput(placeSchema, event, "place of an event");
  const { collection } = design.service;
  return worker.beside(scope, undefined, async () => {
    const change = await changeOf(storage, scope, collection, seq);
    const events = change.map((one) => one.seq).reverse();
    const writes = events.map((place): Write => ({ op: "event-undo", seq: place }));
    await storage.commit(scope, writes, CAUSE, { collection });
    return { events, entries: [...new Set(change.map(({ subject }) => subject))] };
  });
}

/** The scope's own events that were written together with this one, oldest first. */
async function changeOf(storage: Storage, scope: Scope, collection: string, seq: number): Promise<Event[]> {
  const [event] = await storage.events(scope, { after: seq - 1, limit: 1 });
  if (event?.seq !== seq || event.scope !== scope || event.collection !== collection)
    throw notFound(scope, seq);
  const together: Event[] = [];
  for await (const one of ownEvents(storage, scope, { collection, after: event.change - 1 })) {
    if (one.change !== event.change) break;
    together.push(one);
  }
  return together;
}

/** The same answer whether there is none or it is another's. */
function notFound(scope: Scope, seq: number): MemoryError {
  return new MemoryError(
    "entry_not_found",
    `There is no event ${seq} of the scope "${scope}". Valid: the seq of an event that history(id) shows for a memory of its own.`,
    { details: { event: seq } },
  );
}
