/**
 * Which entries is a sweep about? The scope's own memories that are in use: public ones are swept by the public scope
 * alone, what was superseded or archived has left already, and the names in a graph come and go with the memories.
 */
import type { Entry } from "../../base/entry.ts";
import { ARCHIVED } from "../../base/entry.ts";
import { type Filter, where } from "../../base/filter.ts";
import type { EntryId } from "../../base/ids.ts";
import type { Vitals } from "../../storage/storage.ts";
import { isNode } from "../graph/entity.ts";
import type { TriggerContext } from "./trigger.ts";

/** Entries are read in this many at once. */
const PAGE = 4096;

type Source = Pick<TriggerContext, "scope" | "store">;

/** What policies read, page by page, without any text: quick, however many there are. */
export async function* ownVitals({ scope, store }: Source, after?: EntryId): AsyncGenerator<Vitals[]> {
  for (let last = after; ; ) {
    const page = await store.vitals(scope, { after: last, limit: PAGE });
    yield page.filter(isMemory);
    if (page.length < PAGE) return;
    last = page.at(-1)?.id;
  }
}

/** The same, all at once. */
export async function allVitals(source: Source, after?: EntryId): Promise<Vitals[]> {
  const found: Vitals[] = [];
  for await (const page of ownVitals(source, after)) found.push(...page);
  return found;
}

/** In the order they were inserted, after an entry if one is named. */
export async function ownEntries(source: Source, filter?: Filter, after?: EntryId): Promise<Entry[]> {
  const current = where.eq("supersededBy", null);
  const wanted = filter === undefined ? current : where.and(current, filter);
  return (await scanOwn(source, wanted, after)).filter(isMemory);
}

/** All of a kind, those out of recall among them: what was once written is known. */
export function ownOfKind(source: Source, kind: string): Promise<Entry[]> {
  return scanOwn(source, where.eq("kind", kind));
}

async function scanOwn({ scope, store }: Source, filter: Filter, after?: EntryId): Promise<Entry[]> {
  const found: Entry[] = [];
  for (let last = after; ; ) {
    const page = await store.scan(scope, { filter, after: last, limit: PAGE, own: true });
    for (const entry of page) found.push(entry);
    if (page.length < PAGE) return found;
    last = page.at(-1)?.id;
  }
}

function isMemory({ kind, tier }: Pick<Entry, "kind" | "tier">): boolean {
  return tier !== ARCHIVED && !isNode(kind);
}
