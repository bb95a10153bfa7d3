/**
 * The right to be forgotten: what was said and everything that was made of it, in every design that was ever run over the
 * journal, with what the log of events, tags and index files keep of it, also of what had left the memory before. The report
 * says what went. Whatever stops it half-way, doing it again completes it.
 *
 * A memory goes with the turns it was made from (a rebuild would bring it back), with its older versions (removing the newest
 * would bring them back), and with everything that was made from any of these; what else that was made from stays in the
 * journal, and a rebuild makes it of the rest. A memory that stays and whose vector holds a share of a turn that goes has it
 * made anew. Other designs over the same journal lose what they made in the scope and make it anew when they are next opened.
 */
import { z } from "zod";
import type { Entry } from "../base/entry.ts";
import { MemoryError } from "../base/errors.ts";
import { type Filter, matches, parseFilter } from "../base/filter.ts";
import { type EntryId, isEntryId, parseEntryId, parseTurnId, type TurnId } from "../base/ids.ts";
import { momentSchema } from "../base/moment.ts";
import { parseInput } from "../base/parse-input.ts";
import type { Scope } from "../base/scope.ts";
import type { Turn } from "../base/turn.ts";
import { isJudged } from "../pipeline/judgment.ts";
import { isNode } from "../services/graph/entity.ts";
import type { Write } from "../storage/storage.ts";
import { askFor } from "./alone.ts";
import { contentSpaces, embedAnew, embeddedNow, leaningOn, shownNext } from "./leaning.ts";
import { ownEntries, ownEvents, ownTurns } from "./pages.ts";
import { cursorNames } from "./place.ts";
import { removedEntries } from "./removed-entries.ts";
import type { Running } from "./running.ts";
import { sameJudgment } from "./take-up-judged.ts";
import { journalWork } from "./worker.ts";

export type Forgettable =
  | { readonly id: string }
  /** What was said, by the ids that `remember` and `record` gave. */
  | { readonly turns: readonly string[] }
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
  /** Entries that had left the memory before (by an undo, a sweep, a rebuild), of which the log still kept the words. */
  readonly traces: number;
  /** Nodes of the graph that nothing speaks of any more. */
  readonly nodes: number;
  /**
   * Memories that stay, whose vectors held a share of a turn just before theirs: those vectors are gone and were made anew,
   * or will be by `reembed` where the embedder did not answer.
   */
  readonly vectors: { readonly anew: number; readonly waiting: number };
  /** Other designs that are made anew from the journal, with how many entries they lost. */
  readonly otherDesigns: readonly { readonly collection: string; readonly entries: number }[];
}

const CAUSE = { actor: "runtime", cause: "forget" } as const;

const VALID =
  "Valid: one of { id }, { turns }, { session }, { speaker }, { from, to }, { filter } or { everything: true }";
const forgettableSchema: z.ZodType<Forgettable> = z.union(
  [
    z.strictObject({ id: z.string() }),
    z.strictObject({ turns: z.array(z.string()) }),
    z.strictObject({ session: z.string() }),
    z.strictObject({ speaker: z.string() }),
    z
      .strictObject({ from: momentSchema, to: momentSchema })
      .refine(({ from, to }) => from <= to, { path: ["to"], error: "must not be before from" }),
    z.strictObject({ filter: z.custom<Filter>((value) => typeof value === "object" && value !== null) }),
    z.strictObject({ everything: z.literal(true) }),
  ],
  { error: VALID },
);

export async function forget(running: Running, scope: Scope, given: Forgettable): Promise<ErasureReport> {
  const what = parseInput(forgettableSchema, given, "request to forget");
  if ("filter" in what) parseFilter(what.filter);
  return running.worker.beside(scope, undefined, () => erase(running, scope, what));
}

async function erase(running: Running, scope: Scope, what: Forgettable): Promise<ErasureReport> {
  const { storage, design } = running;
  const { service } = design;
  const { said, turns, entries, traces, leaning } = await marked(running, scope, what);
  const erasing = { said, gone: new Set<string>(turns) };
  const spaces = await contentSpaces(running);
  const embedded = await embeddedNow(running, scope, leaning.live);
  const { seq } = await storage.feed.head();
  // The newest first: what is derived goes before what it is derived from.
  for (const { id } of [...entries].reverse()) await service.delete(scope, id);
  const gone = await removedSince(running, scope, seq);
  const others = turns.length === 0 ? [] : await othersEntries(running, scope);
  const emptied = others.filter(({ ids }) => ids.length > 0);
  await storage.commit(
    scope,
    [
      ...[...gone, ...traces, ...others.flatMap(({ ids, traces: left }) => [...ids, ...left])].map(
        (id): Write => ({ op: "entry-erase", id }),
      ),
      ...emptied.flatMap(({ collection }) => [
        ...cursorNames(collection, scope).map((name): Write => ({ op: "cursor-put", name, seq: 0 })),
        askFor(running, journalWork(collection, scope)),
      ]),
      ...[...leaning.live, ...leaning.removed].map(({ id }): Write => ({ op: "vector-erase", id, spaces })),
      ...(await shownNext(running, scope, erasing)),
      ...turns.map((id): Write => ({ op: "turn-erase", id })),
    ],
    CAUSE,
  );
  await storage.sweepTags();
  await design.dropSnapshots();
  await storage.scrub();
  await rememberAgain(running, scope, entries);
  const anew = await embedAnew(running, scope, embedded);
  return {
    turns,
    entries: entries.map(({ id, kind }) => ({ id, kind })),
    traces: traces.length,
    nodes: gone.length - entries.length,
    vectors: { anew, waiting: embedded.length - anew },
    otherDesigns: emptied.map(({ collection, ids }) => ({ collection, entries: ids.length })),
  };
}

interface Marked {
  /** All of the scope's own turns. */
  readonly said: readonly Turn[];
  readonly turns: readonly TurnId[];
  readonly entries: readonly Entry[];
  readonly traces: readonly EntryId[];
  /** Those that stay, there or in the log, with vectors that hold a share of a turn that goes. */
  readonly leaning: { readonly live: readonly Entry[]; readonly removed: readonly Entry[] };
}

/** What is meant, and what hangs on it. */
async function marked(running: Running, scope: Scope, what: Forgettable): Promise<Marked> {
  const { collection } = running.design.service;
  const live = await Array.fromAsync(ownEntries(running.storage, scope, { collection }));
  const removed = await removedEntries(running.storage, scope, collection, live);
  const own = [...live, ...removed].filter(({ kind }) => !isNode(kind));
  const said = await Array.fromAsync(ownTurns(running.storage, scope));
  const idOf = new Map(said.map(({ id }): [string, TurnId] => [id, id]));
  const named = withVersions(new Set(meantEntries(scope, what, own)), own);
  const turns = new Set<string>([
    ...said.filter((turn) => isMeant(turn, what)).map(({ id }) => id),
    ...own.filter(({ id }) => named.has(id)).flatMap(({ sources }) => sources),
  ]);
  const entries = withDerived(named, turns, own);
  const stay = own.filter(({ id }) => !entries.has(id));
  const leaning = new Set(leaningOn(running.design.preset, { said, gone: turns }, stay));
  return {
    said,
    turns: [...turns].flatMap((id) => idOf.get(id) ?? []),
    entries: live.filter(({ id }) => entries.has(id)),
    // Of a node that nothing speaks of any more nobody knows what spoke of it.
    traces: removed.filter(({ id, kind }) => entries.has(id) || isNode(kind)).map(({ id }) => id),
    leaning: {
      live: live.filter((entry) => leaning.has(entry)),
      removed: removed.filter((entry) => leaning.has(entry)),
    },
  };
}

/** What they had replaced would stand again without them. */
function withVersions(ids: ReadonlySet<string>, own: readonly Entry[]): ReadonlySet<string> {
  const all = new Set(ids);
  for (let before = -1; before !== all.size; ) {
    before = all.size;
    for (const { id, supersededBy } of own) if (supersededBy !== null && all.has(supersededBy)) all.add(id);
  }
  return all;
}

/** What was made of them goes; what else that was made of stays said. */
function withDerived(
  ids: ReadonlySet<string>,
  turns: ReadonlySet<string>,
  own: readonly Entry[],
): ReadonlySet<string> {
  let all = ids;
  for (let before = -1; before !== all.size; ) {
    before = all.size;
    const derived = own.filter(({ sources }) => sources.some((one) => turns.has(one) || all.has(one)));
    all = withVersions(new Set([...all, ...derived.map(({ id }) => id)]), own);
  }
  return all;
}

function isMeant(turn: Turn, what: Forgettable): boolean {
  if ("everything" in what) return true;
  if ("turns" in what) return what.turns.includes(turn.id);
  if ("session" in what) return turn.session === what.session;
  if ("speaker" in what) return turn.speaker === what.speaker;
  return "from" in what && turn.happenedAt >= what.from && turn.happenedAt <= what.to;
}

function meantEntries(scope: Scope, what: Forgettable, own: readonly Entry[]): EntryId[] {
  if ("everything" in what) return own.map(({ id }) => id);
  if ("filter" in what) return own.filter((entry) => matches(what.filter, entry)).map(({ id }) => id);
  if (!("id" in what)) return [];
  const id = parseEntryId(what.id);
  if (own.some((entry) => entry.id === id)) return [id];
  throw new MemoryError(
    "entry_not_found",
    `There is no memory ${id} of the scope "${scope}". Valid: the id of a hit of its own.`,
  );
}

/** What was judged in other turns, too, which stay, is judged still: it comes back as these worded it. */
async function rememberAgain(running: Running, scope: Scope, gone: readonly Entry[]): Promise<void> {
  const { storage, design, trace } = running;
  const ids = [...new Set(gone.flatMap(({ sources }) => sources))].filter(isEntryId).map(parseTurnId);
  const left = ids.length === 0 ? [] : await storage.turns(scope, { ids, limit: ids.length });
  for (const turn of left.filter(isJudged)) {
    try {
      if ((await sameJudgment(design, storage, scope, turn)) === undefined)
        await design.insert(scope, [turn]);
    } catch (error) {
      // What was to go has gone; the journal still has what was to come back, and a rebuild brings it.
      const code = MemoryError.is(error) ? error.code : "invariant";
      trace({ type: "warning-raise", code, message: `What was judged twice did not come back: ${error}` });
    }
  }
}

async function removedSince({ storage, design }: Running, scope: Scope, seq: number): Promise<EntryId[]> {
  const query = { collection: design.service.collection, operation: "entry-remove", after: seq } as const;
  const events = await Array.fromAsync(ownEvents(storage, scope, query));
  return events.map(({ subject }) => subject);
}

interface OthersEntries {
  readonly collection: string;
  readonly ids: readonly EntryId[];
  readonly traces: readonly EntryId[];
}

async function othersEntries({ storage, design }: Running, scope: Scope): Promise<OthersEntries[]> {
  const found: OthersEntries[] = [];
  for (const { name: collection } of await storage.collections()) {
    if (collection === design.service.collection) continue;
    const entries = await Array.fromAsync(ownEntries(storage, scope, { collection }));
    const removed = await removedEntries(storage, scope, collection, entries);
    if (entries.length + removed.length > 0)
      found.push({ collection, ids: entries.map(({ id }) => id), traces: removed.map(({ id }) => id) });
  }
  return found;
}
