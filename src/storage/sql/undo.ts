/**
 * Events taken back, each by its opposite, which is an event again: so an undo can be undone. What was removed is put back
 * first, since links and successions lead to it; then everything in the order given, the newest first.
 */
import type { Edge } from "../../base/edge.ts";
import { MemoryError } from "../../base/errors.ts";
import type { Event } from "../event.ts";
import { keptEdge, keptFields, keptPlace, keptRemoval, keptVector } from "../kept.ts";
import { type CommitContext, type LoggedChange, notFound, type WriteOf } from "./commit-context.ts";
import { readEntriesOfAnyone, readOwners } from "./entry-reads.ts";
import { removeEntries, touchEntries, updateEntries, within } from "./entry-writes.ts";
import { putEdges, putVectors, removeEdges } from "./link-writes.ts";
import { removeVector, restoreEntries, restorePlace } from "./restore.ts";
import { eventFromRow } from "./rows.ts";
import { readHolding, readLast, readStanding } from "./standing.ts";

export async function undoEvents(
  context: CommitContext,
  writes: readonly WriteOf<"event-undo">[],
): Promise<void> {
  const given: { readonly event: Event; readonly yielding: boolean }[] = [];
  for (const { seq, yielding = false } of writes)
    given.push({ event: await readEvent(context, seq), yielding });
  const standing = await readStanding(
    context,
    given.map(({ event }) => event),
  );
  const newer = new Set<number>();
  const chosen = given.filter(({ event, yielding }) => {
    const on = standing.on(event);
    const by = standing.takenBackBy(event);
    if (yielding) return !isErased(event) && by === undefined && (on.length === 0 || isNew(event));
    if (by !== undefined) throw undoneAlready(event, by);
    if (isErased(event) || on.some(isErased)) throw erased(event);
    for (const { seq } of on) newer.add(seq);
    return true;
  });
  if (newer.size > 0) throw conflict(newer);
  for (const { event } of chosen)
    if (event.operation === "entry-remove") await putBack(logging(context, event), event);
  for (const { event, yielding } of chosen) await takeBack(logging(context, event), event, yielding);
}

/** Every event that comes of it says which one it takes back. */
function logging(context: CommitContext, { seq: undoes }: Event): CommitContext {
  return { ...context, log: (change: LoggedChange) => context.log({ ...change, undoes }) };
}

async function takeBack(context: CommitContext, event: Event, yielding: boolean): Promise<void> {
  const { operation, subject: id, before, changed } = event;
  const [of = ""] = changed;
  switch (operation) {
    case "entry-insert":
    case "entry-restore": {
      const held = yielding ? [] : await readHolding(context, id);
      if (held.length > 0) throw conflict(new Set(held));
      return removeEntries(context, [{ id }]);
    }
    case "entry-update": {
      const { contentHash, ...fields } = keptFields(before ?? {});
      const hash = contentHash === undefined ? {} : { contentHash };
      return updateEntries(context, [{ op: "entry-update", id, fields, ...hash }], true);
    }
    case "entry-touch":
      return takeBackLook(context, event);
    case "entry-remove":
      for (const edge of keptRemoval(event)?.edges ?? []) await putEdgeBack(context, edge, yielding);
      return;
    case "vector-put":
    case "vector-remove":
      if (before === null) return removeVector(context, id, of.slice("vector:".length));
      return putVectors(context, [{ op: "vector-put", id, vector: keptVector(before) }]);
    case "index-join":
    case "index-leave": {
      const index = Number(of.slice("index:".length));
      return restorePlace(context, id, index, before === null ? null : keptPlace(before));
    }
    case "edge-put":
      if (before !== null) return putEdgeBack(context, keptEdge(before), yielding);
      return event.after === null
        ? undefined
        : removeEdges(context, [{ op: "edge-remove", edge: keptEdge(event.after) }]);
    case "edge-remove":
      return before === null ? undefined : putEdgeBack(context, keptEdge(before), yielding);
  }
}

/** With its vectors and places; its edges wait until all entries are there. */
async function putBack(context: CommitContext, event: Event): Promise<void> {
  const kept = keptRemoval(event);
  if (kept === undefined) return;
  const { entry, vectors, places } = kept;
  const by = entry.supersededBy;
  const isHeld = by !== null && (await readOwners(context, [by])).has(by);
  await restoreEntries(context, [
    { op: "entry-restore", entry: { ...entry, supersededBy: isHeld ? by : null }, vectors, places },
  ]);
}

async function putEdgeBack(context: CommitContext, edge: Edge, yielding: boolean): Promise<void> {
  const ends = await readOwners(context, [edge.from, edge.to]);
  const missing = [edge.from, edge.to].find((id) => !ends.has(id));
  if (missing === undefined) return putEdges(context, [{ op: "edge-put", edge }]);
  if (!yielding) throw conflict(new Set(await readLast(context, missing)));
}

/** Counters lose what the look had added; what later looks added stays. */
async function takeBackLook(context: CommitContext, { subject: id, before, after }: Event): Promise<void> {
  const [old, left] = [keptFields(before ?? {}), keptFields(after ?? {})];
  const now = (await readEntriesOfAnyone(context, [id])).get(id);
  if (now === undefined) throw notFound(context.scope, id);
  const added = (name: "accessCount" | "usefulCount" | "strength"): number =>
    (old[name] ?? 0) - (left[name] ?? 0);
  const isLast = (name: "lastAccessAt" | "energyAnchor"): boolean =>
    old[name] !== undefined && JSON.stringify(now[name]) === JSON.stringify(left[name]);
  const touch = {
    addAccess: added("accessCount"),
    addUseful: added("usefulCount"),
    addStrength: added("strength"),
    ...(isLast("lastAccessAt") ? { lastAccessAt: old.lastAccessAt } : {}),
    ...(isLast("energyAnchor") ? { energyAnchor: old.energyAnchor } : {}),
  };
  await touchEntries(context, [{ op: "entry-touch", id, touch }]);
}

/** The same answer whether it is not there or another's. */
async function readEvent(context: CommitContext, seq: number): Promise<Event> {
  const [row] = await context.sql.all("SELECT * FROM events WHERE seq = ? AND scope = ?", [
    seq,
    context.scope,
  ]);
  const event = row === undefined ? undefined : eventFromRow(row);
  if (event !== undefined && within(context, event)) return event;
  throw new MemoryError(
    "entry_not_found",
    `There is no event ${seq} of scope "${context.scope}". Valid: the place of an event that the history of one of its own entries shows.`,
    { details: { event: seq } },
  );
}

function isNew({ operation }: Event): boolean {
  return operation === "entry-insert" || operation === "entry-restore";
}

/** An erasure leaves the bare fact: of what always keeps something, nothing is kept. */
function isErased({ operation, before, after }: Event): boolean {
  switch (operation) {
    case "entry-insert":
    case "entry-restore":
    case "vector-put":
    case "index-join":
      return false;
    case "edge-put":
      return after === null;
    default:
      return before === null;
  }
}

function erased({ seq, subject }: Event): MemoryError {
  return new MemoryError(
    "entry_not_found",
    `What the event ${seq} changed was erased and cannot come back. Valid: an event of something that was not forgotten.`,
    { details: { event: seq, entry: subject } },
  );
}

function undoneAlready({ seq }: Event, by: Event): MemoryError {
  return new MemoryError(
    "version_conflict",
    `The event ${seq} was taken back by the event ${by.seq}. Valid: undo ${by.seq} to have it again.`,
    { details: { events: [by.seq] } },
  );
}

const SHOWN = 20;

function conflict(newer: ReadonlySet<number>): MemoryError {
  const events = [...newer].filter((seq) => seq > 0).sort((a, b) => b - a);
  const shown = events.slice(0, SHOWN).join(", ");
  return new MemoryError(
    "version_conflict",
    `Something newer stands on it. Valid: first undo ${shown === "" ? "what links to it" : `the events ${shown}`}, the newest first.`,
    { details: { events } },
  );
}
