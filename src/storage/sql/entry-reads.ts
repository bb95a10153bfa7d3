/** Reading entries and what hangs on them: rows, tags, vectors, edges, memberships. Scope is part of every WHERE. */
import type { Edge, EdgeKey } from "../../base/edge.ts";
import { ARCHIVED, type Entry } from "../../base/entry.ts";
import { type Filter, matches, mentions } from "../../base/filter.ts";
import type { EntryId } from "../../base/ids.ts";
import type { MaybePromise } from "../../base/promise.ts";
import { parseScope, type Scope, visibleScopes } from "../../base/scope.ts";
import type { EntryPlace } from "../entry-state.ts";
import type { EntryQuery, NewestQuery, Reaching, Vitals, VitalsQuery } from "../storage.ts";
import type { Row, Sql, SqlValue, SqlWords } from "./driver.ts";
import { narrowSql } from "./filter-sql.ts";
import {
  ENTRY_COLUMNS,
  edgeFromRow,
  entryFromRow,
  idOf,
  observablesFromRow,
  scopeOf,
  text,
  VITALS_COLUMNS,
  vectorFromBytes,
} from "./rows.ts";

const SELECT = `SELECT ${ENTRY_COLUMNS.join(", ")} FROM memory_records`;

/** Rows per page of a scan that must look at them, and of one that takes them all. */
const SCAN_PAGE = 512;
const MOST_PER_PAGE = 4096;
/** Rows per page of a search for ids. */
const FIND_PAGE = 8192;
const NO_TAGS: ReadonlyMap<EntryId, string[]> = new Map();

export interface Reader {
  readonly sql: Sql;
  readonly words: SqlWords;
}

/**
 * Two parameters, whatever the scope: public twice is still public. Every scoped read passes here, so this is where a
 * scope that is none is refused, also for callers without types.
 */
export function visible(words: SqlWords, column = "memory_scope"): string {
  return `${words.unindexed(column)} IN (?, ?)`;
}
export function visiblePair(scope: Scope): readonly [string, string] {
  const [own, other] = visibleScopes(parseScope(scope));
  return [own ?? scope, other ?? own ?? scope];
}

export async function readEntries(
  { sql, words }: Reader,
  scope: Scope,
  ids: readonly EntryId[],
): Promise<Map<EntryId, Entry>> {
  const rows = await sql.all(`${SELECT} WHERE ${words.oneOf("id")} AND ${visible(words)}`, [
    JSON.stringify(ids),
    ...visiblePair(scope),
  ]);
  return withTags({ sql, words }, rows);
}

/** For the feed and for writes, which check ownership themselves. */
export async function readEntriesOfAnyone(
  { sql, words }: Reader,
  ids: readonly EntryId[],
): Promise<Map<EntryId, Entry>> {
  const rows = await sql.all(`${SELECT} WHERE ${words.oneOf("id")}`, [JSON.stringify(ids)]);
  return withTags({ sql, words }, rows);
}

/** Where entries belong, without what they say. */
export type Owner = Pick<Entry, "collection" | "scope">;

export async function readOwners(
  { sql, words }: Reader,
  ids: readonly EntryId[],
): Promise<Map<EntryId, Owner>> {
  const rows = await sql.all(
    `SELECT id, collection, memory_scope FROM memory_records WHERE ${words.oneOf("id")}`,
    [JSON.stringify([...new Set(ids)])],
  );
  return new Map(
    rows.map((row) => [idOf(row.id), { collection: text(row.collection), scope: scopeOf(row.memory_scope) }]),
  );
}

/** Which ids are taken, by whomever: nothing else is said of them. */
export async function readTaken({ sql, words }: Reader, ids: readonly string[]): Promise<Set<string>> {
  const wanted = JSON.stringify(ids);
  const rows = await sql.all(
    `SELECT id FROM memory_records WHERE ${words.oneOf("id")} UNION ALL SELECT id FROM turns WHERE ${words.oneOf("id")}`,
    [wanted, wanted],
  );
  return new Set(rows.map((row) => text(row.id)));
}

export async function scanEntries(reader: Reader, scope: Scope, query: EntryQuery): Promise<Entry[]> {
  const narrow = narrowSql(query.filter, reader.words);
  return collectPages(reader, query, narrow.exact, (last, size) => {
    const after = last === undefined ? (query.after ?? "") : text(last.id);
    const seen = inSight(scope, query, ` AND id > ?${narrow.text}`, [after, ...narrow.params]);
    return reader.sql.all(`${seen.select(SELECT)} ORDER BY id LIMIT ?`, [...seen.params, size]);
  });
}

export async function newestEntries(reader: Reader, scope: Scope, query: NewestQuery): Promise<Entry[]> {
  const narrow = narrowSql(query.filter, reader.words);
  return collectPages(reader, query, narrow.exact, (last, size) => {
    const older = last === undefined ? "" : " AND happened_at <= ? AND (happened_at < ? OR id > ?)";
    const moment = Number(last?.happened_at);
    const place = last === undefined ? [] : [moment, moment, text(last.id)];
    const seen = inSight(scope, query, older + narrow.text, [...place, ...narrow.params]);
    return reader.sql.all(`${seen.select(SELECT)} ORDER BY happened_at DESC, id LIMIT ?`, [
      ...seen.params,
      size,
    ]);
  });
}

/** Pages through the table until enough entries match: SQL narrows what it can, the evaluator decides. */
async function collectPages(
  reader: Reader,
  { filter, limit }: { readonly filter?: Filter | undefined; readonly limit: number },
  exact: boolean,
  pageAfter: (last: Row | undefined, size: number) => MaybePromise<readonly Row[]>,
): Promise<Entry[]> {
  const found: Entry[] = [];
  let last: Row | undefined;
  while (found.length < limit) {
    const size = Math.min(exact ? limit - found.length : SCAN_PAGE, MOST_PER_PAGE);
    const rows = await pageAfter(last, size);
    for (const entry of (await withTags(reader, rows)).values()) {
      if (filter === undefined || matches(filter, entry)) found.push(entry);
    }
    if (rows.length < size) break;
    last = rows.at(-1);
  }
  return found.slice(0, limit);
}

/**
 * A collection's rows that the scope may see, or its own alone, one SELECT per scope: each walks an index of that scope alone, in order,
 * and the engine merges them.
 */
function inSight(
  scope: Scope,
  { collection, own = false }: Pick<EntryQuery, "collection" | "own">,
  rest: string,
  params: readonly SqlValue[],
): { readonly select: (columns: string) => string; readonly params: readonly SqlValue[] } {
  const reader = parseScope(scope);
  const scopes = own ? [reader] : visibleScopes(reader);
  return {
    select: (columns) =>
      scopes.map(() => `${columns} WHERE collection = ? AND memory_scope = ?${rest}`).join(" UNION ALL "),
    params: scopes.flatMap((one) => [collection, one, ...params]),
  };
}

/** What a sweep looks at: a page of the scope's own current entries, without texts, metadata and tags. */
export async function readVitals(
  { sql }: Reader,
  scope: Scope,
  { collection, after, limit }: VitalsQuery,
): Promise<Vitals[]> {
  const rows = await sql.all(
    `SELECT ${VITALS_COLUMNS} FROM memory_records
      WHERE collection = ? AND memory_scope = ? AND id > ? AND superseded_by IS NULL
      ORDER BY id LIMIT ?`,
    [collection, parseScope(scope), after ?? "", limit],
  );
  return rows.map((row) => ({ id: idOf(row.id), kind: text(row.memory_type), ...observablesFromRow(row) }));
}

/** The ids of all matching entries: without their texts where SQL can decide, without their tags unless asked about. */
export async function findIds(
  { sql, words }: Reader,
  scope: Scope,
  query: Pick<EntryQuery, "collection" | "filter" | "own">,
): Promise<Set<EntryId>> {
  const { filter } = query;
  const narrow = narrowSql(filter, words);
  const withTags = filter !== undefined && mentions(filter, "tags");
  const found = new Set<EntryId>();
  for (let after = ""; ; ) {
    const seen = inSight(scope, query, ` AND id > ?${narrow.text}`, [after, ...narrow.params]);
    const select = seen.select(narrow.exact ? "SELECT id FROM memory_records" : SELECT);
    const rows = await sql.all(`${select} ORDER BY id LIMIT ?`, [...seen.params, FIND_PAGE]);
    const tags = withTags ? await readTags({ sql, words }, rows) : NO_TAGS;
    for (const row of rows) {
      const id = idOf(row.id);
      if (narrow.exact || filter === undefined || matches(filter, entryFromRow(row, tags.get(id) ?? [])))
        found.add(id);
    }
    if (rows.length < FIND_PAGE) return found;
    after = text(rows.at(-1)?.id);
  }
}

export async function readVectors(
  { sql, words }: Reader,
  space: string,
  ids: readonly EntryId[],
  scope?: Scope,
): Promise<(Float32Array | undefined)[]> {
  const inSight =
    scope === undefined
      ? ""
      : ` AND entry_id IN (SELECT id FROM memory_records WHERE id = entry_id AND ${visible(words)})`;
  const rows = await sql.all(
    `SELECT entry_id, data FROM vectors WHERE ${words.oneOf("entry_id")} AND space = ?${inSight}`,
    [JSON.stringify(ids), space, ...(scope === undefined ? [] : visiblePair(scope))],
  );
  const found = new Map(rows.map((row) => [text(row.entry_id), vectorFromBytes(row.data)]));
  return ids.map((id) => found.get(id));
}

/** Edges that leave or reach the given entries, if the scope sees the edge and both its ends. */
export async function readEdges(
  { sql, words }: Reader,
  scope: Scope,
  collection: string,
  ids: readonly EntryId[],
): Promise<Edge[]> {
  const wanted = JSON.stringify(ids);
  const pair = visiblePair(scope);
  const rows = await sql.all(
    `SELECT e.* FROM edges e
      JOIN memory_records a ON a.id = e.from_id AND ${visible(words, "a.memory_scope")}
      JOIN memory_records b ON b.id = e.to_id AND ${visible(words, "b.memory_scope")}
      WHERE ${visible(words, "e.scope")} AND e.collection = ? AND (${words.oneOf("e.from_id")} OR ${words.oneOf("e.to_id")})
      ORDER BY e.from_id, e.to_id, e.type, e.scope`,
    [...pair, ...pair, ...pair, collection, wanted, wanted],
  );
  return rows.map(edgeFromRow);
}

/** One lookup in the primary key each: a hub has very many edges. */
export async function readOwnEdges(
  { sql, words }: Reader,
  scope: Scope,
  collection: string,
  keys: readonly EdgeKey[],
): Promise<Edge[]> {
  const pair = visiblePair(scope);
  const found: Edge[] = [];
  for (const { from, to, type } of keys) {
    const rows = await sql.all(
      `SELECT e.* FROM edges e
        JOIN memory_records a ON a.id = e.from_id AND ${visible(words, "a.memory_scope")}
        JOIN memory_records b ON b.id = e.to_id AND ${visible(words, "b.memory_scope")}
        WHERE e.from_id = ? AND e.to_id = ? AND e.type = ? AND e.scope = ? AND e.collection = ?`,
      [...pair, ...pair, from, to, type, scope, collection],
    );
    found.push(...rows.map(edgeFromRow));
  }
  return found;
}

export async function countReachingEdges(
  { sql, words }: Reader,
  scope: Scope,
  collection: string,
  ids: readonly EntryId[],
  type: string,
): Promise<Reaching[]> {
  const pair = visiblePair(scope);
  const rows = await sql.all(
    `SELECT e.to_id AS id, count(*) AS every,
        sum(CASE WHEN a.superseded_by IS NULL AND (a.tier IS NULL OR a.tier <> ?) THEN 1 ELSE 0 END) AS now
      FROM edges e
      JOIN memory_records a ON a.id = e.from_id AND ${visible(words, "a.memory_scope")}
      JOIN memory_records b ON b.id = e.to_id AND ${visible(words, "b.memory_scope")}
      WHERE ${visible(words, "e.scope")} AND e.collection = ? AND ${words.oneOf("e.to_id")} AND e.type = ?
      GROUP BY e.to_id`,
    [ARCHIVED, ...pair, ...pair, ...pair, collection, JSON.stringify(ids), type],
  );
  const counts = new Map(
    rows.map((row) => [text(row.id), { all: Number(row.every), current: Number(row.now) }]),
  );
  return ids.map((id) => counts.get(id) ?? { all: 0, current: 0 });
}

/** Every edge at the given entries, whoever made it: for removal, which must not leave one dangling. */
export async function readEdgesOfAnyone({ sql, words }: Reader, ids: readonly EntryId[]): Promise<Edge[]> {
  const wanted = JSON.stringify(ids);
  const rows = await sql.all(
    `SELECT * FROM edges WHERE ${words.oneOf("from_id")} OR ${words.oneOf("to_id")}`,
    [wanted, wanted],
  );
  return rows.map(edgeFromRow);
}

/** Edges that leave the given entries, whoever made them: for the feed, whose indexes keep scopes apart. */
export async function readLeavingEdges({ sql, words }: Reader, ids: readonly EntryId[]): Promise<Edge[]> {
  const rows = await sql.all(`SELECT * FROM edges WHERE ${words.oneOf("from_id")}`, [JSON.stringify(ids)]);
  return rows.map(edgeFromRow);
}

export async function readMemberships(
  reader: Reader,
  ids: readonly EntryId[],
): Promise<Map<EntryId, number[]>> {
  const places = await readEntryPlaces(reader, ids);
  return new Map([...places].map(([id, of]) => [id, of.map(({ index }) => index)]));
}

export async function readEntryPlaces(
  { sql, words }: Reader,
  ids: readonly EntryId[],
): Promise<Map<EntryId, EntryPlace[]>> {
  const rows = await sql.all(
    `SELECT entry_id, index_number, position FROM memberships WHERE ${words.oneOf("entry_id")} ORDER BY index_number`,
    [JSON.stringify(ids)],
  );
  const found = new Map<EntryId, EntryPlace[]>();
  for (const row of rows) {
    const id = idOf(row.entry_id);
    const place = { index: Number(row.index_number), position: Number(row.position) };
    const places = found.get(id);
    if (places === undefined) found.set(id, [place]);
    else places.push(place);
  }
  return found;
}

async function withTags(reader: Reader, rows: readonly Row[]): Promise<Map<EntryId, Entry>> {
  const tags = await readTags(reader, rows);
  return new Map(
    rows.map((row): [EntryId, Entry] => {
      const id = idOf(row.id);
      return [id, entryFromRow(row, tags.get(id) ?? [])];
    }),
  );
}

/** Sorted, as everywhere. */
export async function readTags(
  { sql, words }: Reader,
  rows: readonly Row[],
): Promise<Map<EntryId, string[]>> {
  const tags = new Map<EntryId, string[]>();
  if (rows.length === 0) return tags;
  const found = await sql.all(
    `SELECT r.memory_id, t.name FROM memory_tag_rel r JOIN memory_tags t ON t.id = r.tag_id
      WHERE ${words.oneOf("r.memory_id")}`,
    [JSON.stringify(rows.map((row) => row.id))],
  );
  for (const row of found) {
    const id = idOf(row.memory_id);
    const names = tags.get(id);
    if (names === undefined) tags.set(id, [text(row.name)]);
    else names.push(text(row.name));
  }
  for (const names of tags.values()) names.sort();
  return tags;
}
