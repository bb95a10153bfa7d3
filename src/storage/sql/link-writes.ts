/** What hangs on an entry: its vectors, its places in indexes, its edges. */
import { MemoryError } from "../../base/errors.ts";
import { canSee } from "../../base/scope.ts";
import { type CommitContext, notFound, refuseForeign, type WriteOf } from "./commit-context.ts";
import { readEntriesOfAnyone } from "./entry-reads.ts";
import { JOIN, ownEntries, PUT_VECTOR } from "./entry-writes.ts";
import { edgeFromRow, toJson, vectorToBytes } from "./rows.ts";

const PUT_EDGE = `INSERT INTO edges (from_id, to_id, type, scope, collection, weight, directed, provenance, created_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (from_id, to_id, type, scope) DO UPDATE SET weight = excluded.weight, directed = excluded.directed,
    provenance = excluded.provenance, created_at = excluded.created_at`;

export async function putVectors(
  context: CommitContext,
  writes: readonly WriteOf<"vector-put">[],
): Promise<void> {
  const owners = await ownEntries(
    context,
    writes.map(({ id }) => id),
  );
  for (const { id, vector } of writes) {
    const owner = owners.get(id);
    if (owner === undefined) continue;
    const { collection, scope } = owner;
    context.log({
      operation: "vector-put",
      collection,
      scope,
      subject: id,
      changed: [`vector:${vector.space}`],
    });
  }
  await context.sql.many(
    PUT_VECTOR,
    writes.map(({ id, vector }) => [id, vector.space, vector.values.length, vectorToBytes(vector.values)]),
  );
}

export async function joinIndexes(
  context: CommitContext,
  writes: readonly WriteOf<"index-join">[],
): Promise<void> {
  await context.sql.many(JOIN, await membershipRows(context, writes));
}

export async function leaveIndexes(
  context: CommitContext,
  writes: readonly WriteOf<"index-leave">[],
): Promise<void> {
  const rows = await membershipRows(context, writes);
  await context.sql.many(
    "DELETE FROM memberships WHERE entry_id = ? AND index_number = ?",
    rows.map(([id, index]) => [id, index]),
  );
}

export async function putEdges(
  context: CommitContext,
  writes: readonly WriteOf<"edge-put">[],
): Promise<void> {
  const ends = await readEntriesOfAnyone(
    context,
    writes.flatMap(({ edge }) => [edge.from, edge.to]),
  );
  const rows = writes.map(({ edge }) => {
    refuseForeign(context.scope, edge.scope, edge.from);
    const [from, to] = [edge.from, edge.to].map((id) => {
      const end = ends.get(id);
      if (end === undefined || !canSee(context.scope, end.scope)) throw notFound(context.scope, id);
      return end;
    });
    if (from === undefined || to === undefined || from.collection !== to.collection) {
      throw new MemoryError(
        "input_invalid",
        `An edge cannot join the collections "${from?.collection}" and "${to?.collection}". Valid: two entries of one collection.`,
      );
    }
    const { collection } = from;
    const { scope } = edge;
    context.log({
      operation: "edge-put",
      collection,
      scope,
      subject: edge.from,
      changed: ["edges"],
      after: toJson(edge),
    });
    return [
      edge.from,
      edge.to,
      edge.type,
      scope,
      collection,
      edge.weight,
      edge.directed ? 1 : 0,
      edge.provenance,
      edge.createdAt,
    ];
  });
  await context.sql.many(PUT_EDGE, rows);
}

export async function removeEdges(
  context: CommitContext,
  writes: readonly WriteOf<"edge-remove">[],
): Promise<void> {
  const { sql, scope } = context;
  for (const { edge } of writes) {
    const key = [edge.from, edge.to, edge.type, scope];
    const where = "from_id = ? AND to_id = ? AND type = ? AND scope = ?";
    const [row] = await sql.all(`SELECT * FROM edges WHERE ${where}`, key);
    if (row === undefined) continue;
    const collection = String(row.collection);
    const before = toJson(edgeFromRow(row));
    context.log({
      operation: "edge-remove",
      collection,
      scope,
      subject: edge.from,
      changed: ["edges"],
      before,
    });
    await sql.run(`DELETE FROM edges WHERE ${where}`, key);
  }
}

async function membershipRows(
  context: CommitContext,
  writes: readonly (WriteOf<"index-join"> | WriteOf<"index-leave">)[],
): Promise<(readonly [string, number, number])[]> {
  const owners = await ownEntries(
    context,
    writes.map(({ id }) => id),
  );
  return writes.flatMap(({ op, id, index }) => {
    const owner = owners.get(id);
    if (owner === undefined) return [];
    const { collection, scope } = owner;
    const position = context.log({
      operation: op,
      collection,
      scope,
      subject: id,
      changed: [`index:${index}`],
    });
    return [[id, index, position] as const];
  });
}
