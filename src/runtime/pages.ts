/** All of a scope's own turns, events or entries, read page by page. */
import type { Entry } from "../base/entry.ts";
import type { Filter } from "../base/filter.ts";
import type { Scope } from "../base/scope.ts";
import type { Turn } from "../base/turn.ts";
import type { Event, Operation } from "../storage/event.ts";
import type { Storage } from "../storage/storage.ts";

const PAGE = 1000;

export async function* ownTurns(storage: Storage, scope: Scope, after = 0): AsyncGenerator<Turn, void> {
  for (let from = after; ; ) {
    const page = await storage.turns(scope, { after: from, limit: PAGE });
    for (const turn of page) if (turn.scope === scope) yield turn;
    from = page.at(-1)?.seq ?? from;
    if (page.length < PAGE) return;
  }
}

export interface OwnEvents {
  readonly collection: string;
  readonly operation?: Operation | undefined;
  readonly after: number;
}

export async function* ownEvents(
  storage: Storage,
  scope: Scope,
  { collection, operation, after }: OwnEvents,
): AsyncGenerator<Event, void> {
  for (let from = after; ; ) {
    const page = await storage.events(scope, { operation, after: from, limit: PAGE });
    for (const event of page) if (event.scope === scope && event.collection === collection) yield event;
    from = page.at(-1)?.seq ?? from;
    if (page.length < PAGE) return;
  }
}

export interface OwnEntries {
  readonly collection: string;
  readonly filter?: Filter | undefined;
}

export async function* ownEntries(
  storage: Storage,
  scope: Scope,
  { collection, filter }: OwnEntries,
): AsyncGenerator<Entry, void> {
  for (let after: Entry["id"] | undefined; ; ) {
    const page = await storage.scan(scope, { collection, filter, after, limit: PAGE, own: true });
    yield* page;
    after = page.at(-1)?.id;
    if (page.length < PAGE) return;
  }
}
