/**
 * The tables, and how an older file becomes a current one. Each element of MIGRATIONS lifts the format by one; all the
 * missing ones run in one transaction, so a kill in the middle leaves the old format untouched.
 *
 * SimpleMemory's three tables (S3-9 … S3-12) are not a copy beside the entries: `memory_records` IS the table of
 * entries, with the seed's nine columns under the seed's names and the engine's own columns after them
 * (docs/decisions/2026-11-15-entries-are-memory-records.md).
 */
import { MemoryError } from "../../base/errors.ts";
import type { Sql, SqlDriver, SqlWords } from "./driver.ts";

type Migration = (words: SqlWords) => readonly string[];

const first: Migration = ({ id, blob, real, integer, autoNumber, clustered }) => [
  `CREATE TABLE counters (name TEXT PRIMARY KEY, value ${integer} NOT NULL)`,
  "INSERT INTO counters (name, value) VALUES ('event', 0), ('turn', 0), ('registry', 0)",

  `CREATE TABLE turns (
    seq ${integer} PRIMARY KEY, id ${id} NOT NULL UNIQUE, scope TEXT NOT NULL, session TEXT NOT NULL, speaker TEXT NOT NULL,
    role TEXT NOT NULL, text TEXT NOT NULL, captions TEXT NOT NULL, happened_at ${integer} NOT NULL, zone TEXT,
    recorded_at ${integer} NOT NULL, metadata TEXT NOT NULL)`,
  "CREATE INDEX turns_by_session ON turns (scope, session, seq)",

  `CREATE TABLE collections (name ${id} PRIMARY KEY, profile TEXT NOT NULL)`,
  `CREATE TABLE memory_records (
    id ${id} PRIMARY KEY, memory_type TEXT NOT NULL, judgment TEXT NOT NULL, reasoning TEXT NOT NULL,
    strength INTEGER NOT NULL, is_active INTEGER NOT NULL, memory_scope TEXT NOT NULL,
    created_at ${real} NOT NULL, updated_at ${real} NOT NULL,
    collection ${id} NOT NULL REFERENCES collections (name) ON DELETE CASCADE,
    metadata TEXT NOT NULL, happened_at ${integer} NOT NULL, recorded_at ${integer} NOT NULL,
    content_hash TEXT NOT NULL, sources TEXT NOT NULL, superseded_by TEXT, last_access_at ${integer} NOT NULL,
    access_count ${integer} NOT NULL, useful_count ${integer} NOT NULL, importance ${real},
    energy_value ${real}, energy_at ${integer}, tier TEXT)${clustered}`,
  "CREATE INDEX memory_records_by_scope ON memory_records (memory_scope, created_at)",
  "CREATE INDEX memory_records_by_strength ON memory_records (is_active, strength)",
  "CREATE INDEX memory_records_by_collection ON memory_records (collection, id)",

  `CREATE TABLE memory_tags (id ${autoNumber}, name TEXT NOT NULL UNIQUE)`,
  `CREATE TABLE memory_tag_rel (
    memory_id ${id} NOT NULL REFERENCES memory_records (id) ON DELETE CASCADE,
    tag_id ${integer} NOT NULL REFERENCES memory_tags (id),
    UNIQUE (memory_id, tag_id))`,
  "CREATE INDEX memory_tag_rel_by_tag ON memory_tag_rel (tag_id, memory_id)",

  `CREATE TABLE vectors (
    entry_id ${id} NOT NULL REFERENCES memory_records (id) ON DELETE CASCADE,
    space TEXT NOT NULL, dimension INTEGER NOT NULL, data ${blob} NOT NULL,
    PRIMARY KEY (entry_id, space))`,

  `CREATE TABLE edges (
    from_id ${id} NOT NULL REFERENCES memory_records (id) ON DELETE CASCADE,
    to_id ${id} NOT NULL REFERENCES memory_records (id) ON DELETE CASCADE,
    type ${id} NOT NULL, scope ${id} NOT NULL, collection TEXT NOT NULL, weight ${real} NOT NULL,
    directed INTEGER NOT NULL, provenance TEXT NOT NULL, created_at ${integer} NOT NULL,
    PRIMARY KEY (from_id, to_id, type, scope))`,
  "CREATE INDEX edges_by_target ON edges (to_id)",

  `CREATE TABLE indexes (
    number ${autoNumber}, collection ${id} NOT NULL REFERENCES collections (name) ON DELETE CASCADE,
    name TEXT NOT NULL, kind TEXT NOT NULL, options TEXT NOT NULL, UNIQUE (collection, name))`,
  `CREATE TABLE memberships (
    entry_id ${id} NOT NULL REFERENCES memory_records (id) ON DELETE CASCADE,
    index_number ${integer} NOT NULL REFERENCES indexes (number) ON DELETE CASCADE,
    position ${integer} NOT NULL, PRIMARY KEY (entry_id, index_number))${clustered}`,

  `CREATE TABLE events (
    seq ${integer} PRIMARY KEY, at ${integer} NOT NULL, actor TEXT NOT NULL, cause TEXT NOT NULL, operation TEXT NOT NULL,
    collection TEXT NOT NULL, scope TEXT NOT NULL, subject ${id} NOT NULL, changed TEXT NOT NULL,
    before_state TEXT, after_state TEXT)`,
  "CREATE INDEX events_by_subject ON events (subject, seq)",

  `CREATE TABLE jobs (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, scope TEXT NOT NULL, payload TEXT NOT NULL, state TEXT NOT NULL,
    attempts INTEGER NOT NULL, run_at ${integer} NOT NULL, lease_owner TEXT, lease_until ${integer}, last_error TEXT,
    created_at ${integer} NOT NULL, updated_at ${integer} NOT NULL)`,
  "CREATE INDEX jobs_by_state ON jobs (state, run_at)",
  `CREATE TABLE cursors (name TEXT PRIMARY KEY, seq ${integer} NOT NULL)`,
];

/** Reads of one scope among many, the newest first, what one entry superseded, the work about one entry. */
const second: Migration = ({ id, member }) => [
  "CREATE INDEX memory_records_by_owner ON memory_records (collection, memory_scope, id)",
  "CREATE INDEX memory_records_by_time ON memory_records (collection, memory_scope, happened_at DESC, id)",
  "CREATE INDEX memory_records_by_superseder ON memory_records (superseded_by) WHERE superseded_by IS NOT NULL",
  // What was superseded by an entry that is gone would stay out of recall for good.
  `UPDATE memory_records SET superseded_by = NULL
    WHERE superseded_by IS NOT NULL AND superseded_by NOT IN (SELECT id FROM memory_records)`,

  `ALTER TABLE jobs ADD COLUMN subject ${id}`,
  `UPDATE jobs SET subject = ${member("payload", "entry")} WHERE kind LIKE 'work:%'`,
  `DELETE FROM jobs
    WHERE subject IS NOT NULL AND (state = 'done' OR subject NOT IN (SELECT id FROM memory_records))`,
  "CREATE INDEX jobs_by_owner ON jobs (scope, kind, state, run_at, id)",
  "CREATE INDEX jobs_by_subject ON jobs (subject) WHERE subject IS NOT NULL",
];

/** Standing jobs: one that was asked for again while it ran. */
const third: Migration = () => ["ALTER TABLE jobs ADD COLUMN again INTEGER NOT NULL DEFAULT 0"];

/** Which events were written together, and which one an event takes back. */
const fourth: Migration = ({ integer }) => [
  `ALTER TABLE events ADD COLUMN change_seq ${integer}`,
  `ALTER TABLE events ADD COLUMN undoes ${integer}`,
];

/** Whether the same is there already, asked before every memory that somebody worded. */
const fifth: Migration = () => [
  "CREATE INDEX memory_records_by_content ON memory_records (collection, memory_scope, content_hash)",
];

const MIGRATIONS: readonly Migration[] = [first, second, third, fourth, fifth];

export const FORMAT_VERSION: number = MIGRATIONS.length;

/** Brings the tables up to date and returns the memory's own id. */
export function migrate(driver: SqlDriver, newId: () => string): Promise<string> {
  return driver.write(async (sql) => {
    if (driver.words.openingLock !== undefined) await sql.run(driver.words.openingLock);
    await sql.run("CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)");
    const version = Number((await readMeta(sql, "format")) ?? 0);
    if (version > FORMAT_VERSION) {
      throw new MemoryError(
        "storage_newer",
        `This memory has format ${version}; this version of neuromem reads formats up to ${FORMAT_VERSION}. Update neuromem; nothing was changed.`,
        { details: { found: version, supported: FORMAT_VERSION } },
      );
    }
    for (const migration of MIGRATIONS.slice(version)) {
      for (const statement of migration(driver.words)) await sql.run(statement);
    }
    if (version < FORMAT_VERSION) await writeMeta(sql, "format", String(FORMAT_VERSION));
    const known = await readMeta(sql, "id");
    if (known !== undefined) return known;
    const id = newId();
    await writeMeta(sql, "id", id);
    return id;
  });
}

async function readMeta(sql: Sql, key: string): Promise<string | undefined> {
  const [row] = await sql.all("SELECT value FROM meta WHERE key = ?", [key]);
  return row === undefined ? undefined : String(row.value);
}

async function writeMeta(sql: Sql, key: string, value: string): Promise<void> {
  await sql.run(
    "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
    [key, value],
  );
}
