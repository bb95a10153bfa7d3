/**
 * The right to be forgotten: what was said and everything that was made of it, in every design that was ever run over the
 * journal, with what the log of events, tags and index files keep of it. The report says what went.
 *
 * A memory goes with the turns it was made from (a rebuild would bring it back), with its older versions (removing the newest
 * would bring them back), and with everything that was made from any of these. Other designs over the same journal lose
 * what they made in the scope and make it anew when they are next opened.
 */
import type { Entry } from "../base/entry.ts";
import { MemoryError } from "../base/errors.ts";
import type { Filter } from "../base/filter.ts";
import { type EntryId, parseEntryId, type TurnId } from "../base/ids.ts";
import type { Scope } from "../base/scope.ts";
import type { Turn } from "../base/turn.ts";
import { isNode } from "../services/graph/entity.ts";
import type { Write } from "../storage/storage.ts";
import { ownEntries, ownEvents, ownTurns } from "./pages.ts";
import { cursorNames } from "./place.ts";
import type { Running } from "./running.ts";

export type Forgettable =
  | { readonly id: string }
  | { readonly session: string }
  | { readonly speaker: string }
  /** Turns said in this span (epoch ms, both inclusive). */
  | { readonly from: number; readonly to: number }
  /** Memories that match, as `where` writes it. */
  | { readonly filter: Filter }
  | { readonly everything: true };

export interface ErasureReport {
  readonly turns: readonly TurnId[];
  /** Of the open design. */
  readonly entries: readonly { readonly id: EntryId; readonly kind: string }[];
  /** Nodes of the graph that nothing speaks of any more. */
  readonly nodes: number;
  /** Other designs that are made anew from the journal, with how many entries they lost. */
  readonly otherDesigns: readonly { readonly collection: string; readonly entries: number }[];
}

const CAUSE = { actor: "runtime", cause: "forget" } as const;

export function forget(running: Running, scope: Scope, what: Forgettable): Promise<ErasureReport> {
  const { worker } = running;
  return worker.alone(scope, undefined, () => erase(running, scope, what));
}

async function erase(running: Running, scope: Scope, what: Forgettable): Promise<ErasureReport> {
  const { storage, design } = running;
  const { service } = design;
  const { turns, entries } = await marked(running, scope, what);
  const { seq } = await storage.feed.head();
  // The newest first: what is derived goes before what it is derived from.
  for (const { id } of [...entries].reverse()) await service.delete(scope, id);
  const gone = await removedSince(running, scope, seq);
  const others = turns.length === 0 ? [] : await othersEntries(running, scope);
  await storage.commit(
    scope,
    [
      ...gone.map((id): Write => ({ op: "entry-erase", id })),
      ...others.flatMap(({ ids }) => ids.map((id): Write => ({ op: "entry-erase", id }))),
      ...others.flatMap(({ collection }) =>
        cursorNames(collection, scope).map((name): Write => ({ op: "cursor-put", name, seq: 0 })),
      ),
      ...turns.map((id): Write => ({ op: "turn-erase", id })),
    ],
    CAUSE,
  );
  await storage.sweepTags();
  await design.dropSnapshots();
  await storage.scrub();
  return {
    turns,
    entries: entries.map(({ id, kind }) => ({ id, kind })),
    nodes: gone.length - entries.length,
    otherDesigns: others.map(({ collection, ids }) => ({ collection, entries: ids.length })),
  };
}

/** What is meant, and what hangs on it. */
async function marked(
  running: Running,
  scope: Scope,
  what: Forgettable,
): Promise<{ readonly turns: readonly TurnId[]; readonly entries: readonly Entry[] }> {
  const memories = await Array.fromAsync(
    ownEntries(running.storage, scope, { collection: running.design.service.collection }),
  );
  const own = memories.filter(({ kind }) => !isNode(kind));
  const said = await Array.fromAsync(ownTurns(running.storage, scope));
  const idOf = new Map(said.map(({ id }): [string, TurnId] => [id, id]));
  const turns = new Set<string>(said.filter((turn) => isMeant(turn, what)).map(({ id }) => id));
  const entries = new Set<string>(await meantEntries(running, scope, what, own));
  const byId = new Map<string, Entry>(own.map((entry) => [entry.id, entry]));
  for (let before = -1; before !== turns.size + entries.size; ) {
    before = turns.size + entries.size;
    for (const { id, supersededBy, sources } of own) {
      const isVersion = supersededBy !== null && entries.has(supersededBy);
      const isDerived = sources.some((source) => turns.has(source) || entries.has(source));
      if (isVersion || isDerived) entries.add(id);
    }
    // What a memory that is named came from goes with it; what was named by its turns takes no more turns along.
    if (isAboutTurns(what)) continue;
    for (const id of entries)
      for (const source of byId.get(id)?.sources ?? []) if (idOf.has(source)) turns.add(source);
  }
  return {
    turns: [...turns].flatMap((id) => idOf.get(id) ?? []),
    entries: own.filter(({ id }) => entries.has(id)),
  };
}

function isAboutTurns(what: Forgettable): boolean {
  return !("id" in what || "filter" in what);
}

function isMeant(turn: Turn, what: Forgettable): boolean {
  if ("everything" in what) return true;
  if ("session" in what) return turn.session === what.session;
  if ("speaker" in what) return turn.speaker === what.speaker;
  return "from" in what && turn.happenedAt >= what.from && turn.happenedAt <= what.to;
}

async function meantEntries(
  { storage, design }: Running,
  scope: Scope,
  what: Forgettable,
  own: readonly Entry[],
): Promise<EntryId[]> {
  if ("everything" in what) return own.map(({ id }) => id);
  if ("filter" in what) {
    const found = await storage.find(scope, design.service.collection, what.filter, true);
    return own.flatMap(({ id }) => (found.has(id) ? [id] : []));
  }
  if (!("id" in what)) return [];
  const id = parseEntryId(what.id);
  if (own.some((entry) => entry.id === id)) return [id];
  throw new MemoryError(
    "entry_not_found",
    `There is no memory ${id} of the scope "${scope}". Valid: the id of a hit of its own.`,
  );
}

async function removedSince({ storage, design }: Running, scope: Scope, seq: number): Promise<EntryId[]> {
  const { collection } = design.service;
  const gone: EntryId[] = [];
  for await (const { operation, subject } of ownEvents(storage, scope, { collection, after: seq }))
    if (operation === "entry-remove") gone.push(subject);
  return gone;
}

async function othersEntries(
  { storage, design }: Running,
  scope: Scope,
): Promise<{ readonly collection: string; readonly ids: readonly EntryId[] }[]> {
  const found = [];
  for (const { name: collection } of await storage.collections()) {
    if (collection === design.service.collection) continue;
    const entries = await Array.fromAsync(ownEntries(storage, scope, { collection }));
    if (entries.length > 0) found.push({ collection, ids: entries.map(({ id }) => id) });
  }
  return found;
}
