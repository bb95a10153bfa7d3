/** Entries with all that hangs on them, a page at a time. */
import type { Scope } from "../../base/scope.ts";
import type { EntryState } from "../entry-state.ts";
import type { StateQuery } from "../storage.ts";
import { type Reader, readEdges, readEntryPlaces, scanEntries } from "./entry-reads.ts";
import { text, vectorFromBytes } from "./rows.ts";

export async function readStates(reader: Reader, scope: Scope, query: StateQuery): Promise<EntryState[]> {
  const entries = await scanEntries(reader, scope, query);
  const ids = entries.map(({ id }) => id);
  const places = await readEntryPlaces(reader, ids);
  const edges = Map.groupBy(await readEdges(reader, scope, query.collection, ids), ({ from }) => from);
  const rows = await reader.sql.all(
    `SELECT entry_id, space, data FROM vectors WHERE ${reader.words.oneOf("entry_id")} ORDER BY entry_id, space`,
    [JSON.stringify(ids)],
  );
  const vectors = Map.groupBy(rows, (row) => text(row.entry_id));
  return entries.map((entry) => ({
    entry,
    vectors: (vectors.get(entry.id) ?? []).map((row) => ({
      space: text(row.space),
      values: vectorFromBytes(row.data),
    })),
    places: places.get(entry.id) ?? [],
    edges: edges.get(entry.id) ?? [],
  }));
}
