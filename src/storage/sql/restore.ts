/** Putting back what was: an entry with its vectors and its very places, a vector that is to be gone, a place of old. */
import type { Entry } from "../../base/entry.ts";
import { invariant } from "../../base/errors.ts";
import type { EntryId } from "../../base/ids.ts";
import type { EntryPlace } from "../entry-state.ts";
import { type CommitContext, refuseForeign, type WriteOf } from "./commit-context.ts";
import { readEntryPlaces } from "./entry-reads.ts";
import { INSERT, JOIN, ownEntries, PUT_VECTOR } from "./entry-writes.ts";
import { entryToRow, vectorToBytes, vectorToJson } from "./rows.ts";
import { bindTags } from "./tags.ts";

/** Places in indexes that are gone are passed over; who superseded it may be restored after it. */
export async function restoreEntries(
  context: CommitContext,
  writes: readonly WriteOf<"entry-restore">[],
): Promise<void> {
  const entries = writes.map(({ entry }) => entry);
  for (const entry of entries) {
    const { id, collection, scope } = entry;
    refuseForeign(context.scope, scope, id);
    context.log({ operation: "entry-restore", collection, scope, subject: id, changed: ["*"] });
  }
  await context.sql.many(INSERT, entries.map(entryToRow));
  await bindTags(context, entries);
  const vectors = writes.flatMap(({ entry, vectors }) =>
    vectors.map(({ space, values }) => [entry.id, space, values.length, vectorToBytes(values)] as const),
  );
  await context.sql.many(PUT_VECTOR, vectors);
  const known = await indexNumbers(context);
  const places = writes.flatMap(({ entry, places }) =>
    places
      .filter(({ index }) => known.has(index))
      .map(({ index, position }) => [entry.id, index, position] as const),
  );
  await context.sql.many(JOIN, places);
}

/** The entry's place in an index as it was; null: none. */
export async function restorePlace(
  context: CommitContext,
  id: EntryId,
  index: number,
  before: EntryPlace | null,
): Promise<void> {
  const { collection, scope } = await ownEntry(context, id);
  const now = (await readEntryPlaces(context, [id])).get(id)?.find((place) => place.index === index);
  if (now?.position === before?.position || !(await indexNumbers(context)).has(index)) return;
  context.log({
    operation: before === null ? "index-leave" : "index-join",
    collection,
    scope,
    subject: id,
    changed: [`index:${index}`],
    before: now && { ...now },
  });
  if (before === null)
    await context.sql.run("DELETE FROM memberships WHERE entry_id = ? AND index_number = ?", [id, index]);
  else await context.sql.many(JOIN, [[id, index, before.position]]);
}

export async function removeVector(context: CommitContext, id: EntryId, space: string): Promise<void> {
  const { collection, scope } = await ownEntry(context, id);
  const [row] = await context.sql.all("SELECT space, data FROM vectors WHERE entry_id = ? AND space = ?", [
    id,
    space,
  ]);
  if (row === undefined) return;
  const changed = [`vector:${space}`];
  const before = vectorToJson(row);
  context.log({ operation: "vector-remove", collection, scope, subject: id, changed, before });
  await context.sql.run("DELETE FROM vectors WHERE entry_id = ? AND space = ?", [id, space]);
}

async function ownEntry(context: CommitContext, id: EntryId): Promise<Entry> {
  const entry = (await ownEntries(context, [id])).get(id);
  invariant(entry !== undefined, `The entry ${id} was found and is not there`);
  return entry;
}

async function indexNumbers({ sql }: CommitContext): Promise<ReadonlySet<number>> {
  return new Set((await sql.all("SELECT number FROM indexes")).map((row) => Number(row.number)));
}
