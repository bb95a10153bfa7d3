/** What hangs on an entry: its vectors, its places in indexes, its edges. */
import type { Edge } from "../../base/edge.ts";
import type { Entry } from "../../base/entry.ts";
import { MemoryError } from "../../base/errors.ts";
import type { EntryId } from "../../base/ids.ts";
import { canSee } from "../../base/scope.ts";
import { type CommitContext, lastPerKey, notFound, refuseForeign, type WriteOf } from "./commit-context.ts";
import { type Owner, readLeavingEdges, readOwners, visiblePair } from "./entry-reads.ts";
import { JOIN, ownEntries, PUT_VECTOR, within } from "./entry-writes.ts";
import { edgeFromRow, edgeToRow, text, toJson, vectorToBytes, vectorToJson } from "./rows.ts";

const PUT_EDGE = `INSERT INTO edges (from_id, to_id, type, scope, collection, weight, directed, provenance, created_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (from_id, to_id, type, scope) DO UPDATE SET weight = excluded.weight, directed = excluded.directed,
    provenance = excluded.provenance, created_at = excluded.created_at`;

export async function putVectors(
  context: CommitContext,
  writes: readonly WriteOf<"vector-put">[],
): Promise<void> {
  const ids = writes.map(({ id }) => id);
  const owners = await ownEntries(context, ids);
  const stored = await context.sql.all(
    `SELECT entry_id, space, data FROM vectors WHERE ${context.words.oneOf("entry_id")}`,
    [JSON.stringify(ids)],
  );
  for (const { id, vector } of writes) {
    const owner = owners.get(id);
    if (owner === undefined) continue;
    const { collection, scope } = owner;
    const old = stored.find((row) => row.entry_id === id && row.space === vector.space);
    const before = old === undefined ? undefined : vectorToJson(old);
    const changed = [`vector:${vector.space}`];
    context.log({ operation: "vector-put", collection, scope, subject: id, changed, before });
  }
  const rows = writes.map(
    ({ id, vector: { space, values } }) => [id, space, values.length, vectorToBytes(values)] as const,
  );
  await context.sql.many(
    PUT_VECTOR,
    lastPerKey(rows, ([id, space]) => `${id} ${space}`),
  );
}

export async function joinIndexes(
  context: CommitContext,
  writes: readonly WriteOf<"index-join">[],
): Promise<void> {
  const places = await readPlaces(context, writes);
  const rows = writes.flatMap(({ id, index }) => {
    const owner = places.owners.get(id);
    if (owner === undefined) return [];
    const before = places.of(id, index);
    return [[id, index, logPlace(context, "index-join", owner, index, before)] as const];
  });
  await context.sql.many(
    JOIN,
    lastPerKey(rows, ([id, index]) => `${id} ${index}`),
  );
}

export async function leaveIndexes(
  context: CommitContext,
  writes: readonly WriteOf<"index-leave">[],
): Promise<void> {
  const places = await readPlaces(context, writes);
  const left = writes.flatMap(({ id, index }) =>
    (index === "all" ? places.indexesOf(id) : [index]).map((one) => [id, one] as const),
  );
  const rows = lastPerKey(left, ([id, index]) => `${id} ${index}`).filter(([id, index]) => {
    const owner = places.owners.get(id);
    const before = places.of(id, index);
    if (owner === undefined || before === undefined) return false;
    logPlace(context, "index-leave", owner, index, before);
    return true;
  });
  await context.sql.many("DELETE FROM memberships WHERE entry_id = ? AND index_number = ?", rows);
}

export async function putEdges(
  context: CommitContext,
  writes: readonly WriteOf<"edge-put">[],
): Promise<void> {
  const ids = writes.flatMap(({ edge }) => [edge.from, edge.to]);
  const ends = await readOwners(context, ids);
  const known = new Map((await edgesBefore(context, writes)).map((edge) => [keyOf(edge), edge]));
  const rows = writes.map(({ edge }) => {
    refuseForeign(context.scope, edge.scope, edge.from);
    const collection = sharedCollection(context, ends.get(edge.from), ends.get(edge.to), edge);
    const { scope, from: subject } = edge;
    const old = known.get(keyOf(edge));
    const before = old === undefined ? undefined : toJson(old);
    known.set(keyOf(edge), edge);
    context.log({
      operation: "edge-put",
      collection,
      scope,
      subject,
      changed: ["edges"],
      before,
      after: toJson(edge),
    });
    return edgeToRow(edge, collection);
  });
  await context.sql.many(
    PUT_EDGE,
    lastPerKey(rows, ([from, to, type, scope]) => `${from} ${to} ${type} ${scope}`),
  );
}

const ONE_EDGE = "SELECT * FROM edges WHERE from_id = ? AND to_id = ? AND type = ? AND scope = ?";
/** So many edges are looked up one by one, because one end may be a hub with very many others. */
const FEW = 64;

async function edgesBefore(context: CommitContext, writes: readonly WriteOf<"edge-put">[]): Promise<Edge[]> {
  if (writes.length > FEW) {
    const starts = [...new Set(writes.map(({ edge }) => edge.from))];
    return readLeavingEdges(context, starts);
  }
  const found: Edge[] = [];
  for (const { edge } of writes) {
    const rows = await context.sql.all(ONE_EDGE, [edge.from, edge.to, edge.type, edge.scope]);
    found.push(...rows.map(edgeFromRow));
  }
  return found;
}

export async function removeEdges(
  context: CommitContext,
  writes: readonly WriteOf<"edge-remove">[],
): Promise<void> {
  const { sql, scope } = context;
  for (const { edge } of writes) {
    const rows = await sql.all(
      "SELECT * FROM edges WHERE from_id = ? AND to_id = ? AND type = ? AND scope IN (?, ?)",
      [edge.from, edge.to, edge.type, ...visiblePair(scope)],
    );
    const own = rows.find(
      (row) => row.scope === scope && within(context, { collection: text(row.collection) }),
    );
    if (own === undefined && rows.length > 0) {
      throw new MemoryError(
        "scope_forbidden",
        `The edge belongs to scope "${rows[0]?.scope}" and cannot be removed from scope "${scope}". Valid: the same call for that scope.`,
      );
    }
    if (own === undefined) continue;
    const collection = text(own.collection);
    const before = toJson(edgeFromRow(own));
    context.log({
      operation: "edge-remove",
      collection,
      scope,
      subject: edge.from,
      changed: ["edges"],
      before,
    });
    await sql.run("DELETE FROM edges WHERE from_id = ? AND to_id = ? AND type = ? AND scope = ?", [
      edge.from,
      edge.to,
      edge.type,
      scope,
    ]);
  }
}

/** Both ends must be in sight, and of one collection. */
function sharedCollection(
  context: CommitContext,
  from: Owner | undefined,
  to: Owner | undefined,
  edge: Edge,
): string {
  const seen = (end: Owner | undefined): end is Owner =>
    end !== undefined && canSee(context.scope, end.scope) && within(context, end);
  if (!seen(from)) throw notFound(context.scope, edge.from);
  if (!seen(to)) throw notFound(context.scope, edge.to);
  if (from.collection === to.collection) return from.collection;
  throw new MemoryError(
    "input_invalid",
    `An edge cannot join the collections "${from.collection}" and "${to.collection}". Valid: two entries of one collection.`,
  );
}

interface Places {
  readonly owners: ReadonlyMap<EntryId, Entry>;
  /** The position the entry has in the index, if it is in it. */
  of(id: EntryId, index: number): number | undefined;
  indexesOf(id: EntryId): readonly number[];
}

async function readPlaces(
  context: CommitContext,
  writes: readonly { readonly id: EntryId }[],
): Promise<Places> {
  const ids = writes.map(({ id }) => id);
  const owners = await ownEntries(context, ids);
  const rows = await context.sql.all(
    `SELECT entry_id, index_number, position FROM memberships WHERE ${context.words.oneOf("entry_id")}`,
    [JSON.stringify(ids)],
  );
  const byEntry = Map.groupBy(rows, (row) => text(row.entry_id));
  const positions = new Map(rows.map((row) => [`${row.entry_id} ${row.index_number}`, Number(row.position)]));
  return {
    owners,
    of: (id, index) => positions.get(`${id} ${index}`),
    indexesOf: (id) => (byEntry.get(id) ?? []).map((row) => Number(row.index_number)),
  };
}

function logPlace(
  context: CommitContext,
  operation: "index-join" | "index-leave",
  { id: subject, collection, scope }: Entry,
  index: number,
  position: number | undefined,
): number {
  const before = position === undefined ? undefined : { index, position };
  return context.log({ operation, collection, scope, subject, changed: [`index:${index}`], before });
}

function keyOf({ from, to, type, scope }: Edge): string {
  return `${from} ${to} ${type} ${scope}`;
}
