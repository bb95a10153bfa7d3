/** Inserting, changing, touching and removing entries, in batches, each with its event. */
import type { Edge } from "../../base/edge.ts";
import type { Entry, EntryFields } from "../../base/entry.ts";
import type { EntryId } from "../../base/ids.ts";
import type { Json, JsonObject } from "../../base/json.ts";
import { canSee, type Scope } from "../../base/scope.ts";
import { anchorAfter, type Touch } from "../touch.ts";
import { type CommitContext, lastPerKey, notFound, refuseForeign, type WriteOf } from "./commit-context.ts";
import type { Row } from "./driver.ts";
import { readEdgesOfAnyone, readEntriesOfAnyone, readEntryPlaces } from "./entry-reads.ts";
import { dropJobsAbout } from "./jobs.ts";
import {
  ENTRY_COLUMNS,
  entryToRow,
  idOf,
  scopeOf,
  TOUCHABLE_COLUMNS,
  type Touchable,
  text,
  toJson,
  touchableFromRow,
  vectorToBytes,
  vectorToJson,
} from "./rows.ts";
import { checkSuperseder, readSuperseders, releaseSuperseded } from "./supersession.ts";
import { bindTags } from "./tags.ts";

export const INSERT = `INSERT INTO memory_records (${ENTRY_COLUMNS.join(", ")}) VALUES (${ENTRY_COLUMNS.map(() => "?").join(", ")})`;
const UPDATE = `UPDATE memory_records SET ${ENTRY_COLUMNS.slice(1)
  .map((column) => `${column} = ?`)
  .join(", ")} WHERE id = ?`;
const TOUCH = `UPDATE memory_records SET last_access_at = ?, access_count = ?, useful_count = ?,
  energy_value = ?, energy_at = ? WHERE id = ?`;
/** Apart from the other counters: strength stands in an index, which a mere look need not write. */
const STRENGTHEN = "UPDATE memory_records SET strength = ? WHERE id = ?";
export const PUT_VECTOR = `INSERT INTO vectors (entry_id, space, dimension, data) VALUES (?, ?, ?, ?)
  ON CONFLICT (entry_id, space) DO UPDATE SET dimension = excluded.dimension, data = excluded.data`;
export const JOIN = `INSERT INTO memberships (entry_id, index_number, position) VALUES (?, ?, ?)
  ON CONFLICT (entry_id, index_number) DO UPDATE SET position = excluded.position`;

export async function insertEntries(
  context: CommitContext,
  writes: readonly WriteOf<"entry-insert">[],
): Promise<void> {
  const vectors: [string, string, number, Uint8Array][] = [];
  const memberships: [string, number, number][] = [];
  for (const { entry, vectors: given, indexes } of writes) {
    refuseForeign(context.scope, entry.scope, entry.id);
    const { id, collection, scope } = entry;
    const position = context.log({
      operation: "entry-insert",
      collection,
      scope,
      subject: id,
      changed: ["*"],
    });
    for (const { space, values } of given) vectors.push([id, space, values.length, vectorToBytes(values)]);
    for (const index of indexes) memberships.push([id, index, position]);
  }
  await context.sql.many(
    INSERT,
    writes.map(({ entry }) => entryToRow(entry)),
  );
  const superseders = await readSuperseders(
    context,
    writes.map(({ entry }) => entry.supersededBy),
  );
  for (const { entry } of writes) checkSuperseder(context, entry, (id) => superseders.get(id));
  await bindTags(
    context,
    writes.map(({ entry }) => entry),
  );
  if (vectors.length > 0)
    await context.sql.many(
      PUT_VECTOR,
      lastPerKey(vectors, ([id, space]) => `${id} ${space}`),
    );
  if (memberships.length > 0) await context.sql.many(JOIN, memberships);
}

/** `isRestored`: they were like that before, also superseded by an entry that is superseded itself by now. */
export async function updateEntries(
  context: CommitContext,
  writes: readonly WriteOf<"entry-update">[],
  isRestored = false,
): Promise<void> {
  const entries = await ownEntries(
    context,
    writes.map(({ id }) => id),
  );
  const superseders = await readSuperseders(
    context,
    writes.map(({ fields }) => fields.supersededBy),
  );
  const retagged = new Map<EntryId, Entry>();
  for (const { id, fields, contentHash } of writes) {
    const before = entries.get(id);
    if (before === undefined) continue;
    const after: Entry = {
      ...before,
      ...withoutUndefined(fields),
      ...(contentHash === undefined ? {} : { contentHash }),
      updatedAt: context.now,
    };
    const changed = changedFields(before, after);
    if (changed.length === 0) continue;
    if (changed.includes("supersededBy") && !isRestored)
      checkSuperseder(context, after, (by) => entries.get(by) ?? superseders.get(by));
    entries.set(id, after);
    if (changed.includes("tags")) retagged.set(id, after);
    context.log({
      operation: "entry-update",
      collection: before.collection,
      scope: before.scope,
      subject: id,
      changed,
      before: pick(before, changed),
      after: pick(after, changed),
    });
  }
  await context.sql.many(
    UPDATE,
    [...entries.values()].map((entry) => [...entryToRow(entry).slice(1), entry.id]),
  );
  if (retagged.size > 0) {
    await context.sql.many(
      "DELETE FROM memory_tag_rel WHERE memory_id = ?",
      [...retagged.keys()].map((id) => [id]),
    );
    await bindTags(context, [...retagged.values()]);
  }
}

/** A look at an entry: counters and the energy anchor only, allowed on anything the caller sees. */
export async function touchEntries(
  context: CommitContext,
  writes: readonly WriteOf<"entry-touch">[],
): Promise<void> {
  const { sql, words, scope } = context;
  const rows = await sql.all(
    `SELECT id, collection, memory_scope, ${TOUCHABLE_COLUMNS} FROM memory_records WHERE ${words.oneOf("id")}`,
    [JSON.stringify(writes.map(({ id }) => id))],
  );
  const states = new Map(rows.map((row): [EntryId, Touched] => [idOf(row.id), touchedFromRow(row)]));
  for (const { id, touch } of writes) {
    const state = states.get(id);
    if (state === undefined || !canSee(scope, state.owner) || !within(context, state))
      throw notFound(scope, id);
    applyTouch(context, id, state, touch);
  }
  const touched = [...states].filter(([, { changed }]) => changed);
  await sql.many(
    TOUCH,
    touched.map(([id, { values: v }]) => [
      v.lastAccessAt,
      v.accessCount,
      v.usefulCount,
      v.energyAnchor?.value ?? null,
      v.energyAnchor?.at ?? null,
      id,
    ]),
  );
  const strengthened = touched.filter(([, { strength, values }]) => values.strength !== strength);
  await sql.many(
    STRENGTHEN,
    strengthened.map(([id, { values }]) => [values.strength, id]),
  );
}

/**
 * The whole entry goes into the event, so that it can be brought back; edges that would dangle and work about it go with
 * it, and what it had superseded is current again.
 */
export async function removeEntries(
  context: CommitContext,
  writes: readonly { readonly id: EntryId }[],
): Promise<void> {
  const ids = writes.map(({ id }) => id);
  const entries = await ownEntries(context, ids);
  const places = await readEntryPlaces(context, ids);
  const edges = await readEdgesOfAnyone(context, ids);
  const vectors = await context.sql.all(
    `SELECT entry_id, space, data FROM vectors WHERE ${context.words.oneOf("entry_id")}`,
    [JSON.stringify(ids)],
  );
  for (const [id, entry] of entries) {
    const { collection, scope } = entry;
    const before: JsonObject = {
      entry: toJson(entry),
      indexes: (places.get(id) ?? []).map(({ index }) => index),
      places: (places.get(id) ?? []).map((place) => ({ ...place })),
      edges: edges.filter((edge) => edge.from === id && edge.scope === scope).map(toJson),
      vectors: vectors.filter((row) => row.entry_id === id).map(vectorToJson),
    };
    context.log({ operation: "entry-remove", collection, scope, subject: entry.id, changed: ["*"], before });
    for (const edge of edges) {
      const foreign = edge.from === id && edge.scope !== scope;
      const dangling = edge.to === id && !entries.has(edge.from);
      if (foreign || dangling) logLostEdge(context, collection, edge);
    }
  }
  await context.sql.many(
    "DELETE FROM memory_records WHERE id = ?",
    [...entries.keys()].map((id) => [id]),
  );
  await releaseSuperseded(context, entries);
  await dropJobsAbout(context, ids);
}

/** Told to the edge's own scope, which may be another than the removed entry's. */
function logLostEdge(context: CommitContext, collection: string, edge: Edge): void {
  const { scope, from: subject } = edge;
  const before = toJson(edge);
  const anonymous = scope !== context.scope;
  context.log({
    operation: "edge-remove",
    collection,
    scope,
    subject,
    changed: ["edges"],
    before,
    anonymous,
  });
}

/** The entries to be changed: each must exist and belong to the caller's own scope. */
export async function ownEntries(
  context: CommitContext,
  ids: readonly EntryId[],
): Promise<Map<EntryId, Entry>> {
  const found = await readEntriesOfAnyone(context, ids);
  for (const id of ids) {
    const entry = found.get(id);
    refuseForeign(context.scope, entry !== undefined && within(context, entry) ? entry.scope : undefined, id);
  }
  return found;
}

/** Whether the commit may touch this collection at all. */
export function within(context: CommitContext, entry: { readonly collection: string }): boolean {
  return context.collection === undefined || context.collection === entry.collection;
}

interface Touched {
  readonly owner: Scope;
  readonly collection: string;
  /** As it is stored. */
  readonly strength: number;
  values: Touchable;
  changed: boolean;
}

function touchedFromRow(row: Row): Touched {
  const values = touchableFromRow(row);
  return {
    owner: scopeOf(row.memory_scope),
    collection: text(row.collection),
    strength: values.strength,
    values,
    changed: false,
  };
}

/** Strength is a 32-bit column in every engine. */
const MAX_STRENGTH = 2 ** 31 - 1;

function applyTouch(context: CommitContext, id: EntryId, state: Touched, touch: Touch): void {
  const before = state.values;
  const after = {
    lastAccessAt: touch.lastAccessAt ?? before.lastAccessAt,
    accessCount: before.accessCount + (touch.addAccess ?? 0),
    usefulCount: before.usefulCount + (touch.addUseful ?? 0),
    strength: Math.min((touch.strength ?? before.strength) + (touch.addStrength ?? 0), MAX_STRENGTH),
    energyAnchor: anchorAfter(before, touch),
  };
  const changed = changedFields(before, after);
  if (changed.length === 0) return;
  state.values = after;
  state.changed = true;
  context.log({
    operation: "entry-touch",
    collection: state.collection,
    scope: state.owner,
    subject: id,
    changed,
    before: pick(before, changed),
    after: pick(after, changed),
    anonymous: state.owner !== context.scope,
  });
}

function changedFields<T extends object>(before: T, after: T): (keyof T & string)[] {
  const keys = Object.keys(after) as (keyof T & string)[];
  return keys.filter((key) => {
    const [old, now] = [before[key], after[key]];
    return (
      key !== "updatedAt" &&
      old !== now &&
      (typeof now !== "object" || JSON.stringify(old) !== JSON.stringify(now))
    );
  });
}

function pick<T extends object>(from: T, keys: readonly (keyof T & string)[]): JsonObject {
  return Object.fromEntries(keys.map((key) => [key, from[key] as Json]));
}

function withoutUndefined(fields: EntryFields): Partial<Entry> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Partial<Entry>;
}
