/** What happened since a moment, by the log's own clock: the events to take back to know what was known then. */
import type { Scope } from "../../base/scope.ts";
import type { Event } from "../../storage/event.ts";
import type { Storage } from "../../storage/storage.ts";
import { isLook } from "./looks.ts";

const PAGE = 1000;

/**
 * Of all that the scope sees, newest first. What was changed in that very moment had happened, but the looks at the end of it
 * were looks of whoever asked then: their answers did not know of them.
 */
export async function eventsSince(
  storage: Storage,
  scope: Scope,
  collection: string,
  moment: number,
): Promise<Event[]> {
  const events: Event[] = [];
  for (let after = await placeBefore(storage, moment); ; ) {
    const page = await storage.events(scope, { after, limit: PAGE });
    events.push(...page.filter((event) => event.collection === collection));
    after = page.at(-1)?.seq ?? after;
    if (page.length < PAGE) break;
  }
  const first = 1 + events.findLastIndex((event) => event.at <= moment && !isLook(event));
  return events.slice(first).reverse();
}

/** An erasure leaves a removal, of an entry or of a vector, that keeps nothing. */
export async function hasErasure(storage: Storage, scope: Scope, seq: number): Promise<boolean> {
  for (let after = seq; ; ) {
    const page = await storage.events(scope, { after, limit: PAGE });
    if (page.some(isErasure)) return true;
    after = page.at(-1)?.seq ?? after;
    if (page.length < PAGE) return false;
  }
}

function isErasure({ operation, before }: Event): boolean {
  return (operation === "entry-remove" || operation === "vector-remove") && before === null;
}

/** The place of the last event before the moment: clocks run on, so half of the log can be left out at a time. */
async function placeBefore(storage: Storage, moment: number): Promise<number> {
  let [low, high] = [0, (await storage.feed.head()).seq];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const at = await storage.feed.momentOf(middle);
    if (at === undefined || at < moment) low = middle;
    else high = middle - 1;
  }
  return low;
}
