import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseScope } from "../../base/scope.ts";
import { CollectionManager } from "../../collection/collection-manager.ts";
import { openSqlite } from "./sqlite-storage.ts";

let folder = "";
let database: DatabaseSync;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "neuromem-"));
  const file = join(folder, "memory.db");
  const manager = new CollectionManager(await openSqlite(file));
  const notes = await manager.create({ name: "notes", profile: "kv" });
  const add = (scope: string, content: string, tags: string[], strength: number) =>
    notes.insert(parseScope(scope), {
      content,
      rationale: "said so",
      kind: "event",
      tags,
      strength,
      pinned: strength > 5,
    });
  await add("alice", "周末去吃火锅", ["火锅", "周末"], 10);
  await add("alice", "likes hot pot", ["hot pot"], 1);
  await add("bob", "讨厌火锅", ["火锅"], 3);
  await manager.close();
  database = new DatabaseSync(file, { readOnly: true });
});
afterAll(async () => {
  database.close();
  await rm(folder, { recursive: true });
});

const columns = (table: string): Map<string, { type: unknown; notnull: unknown; pk: unknown }> =>
  new Map(
    database
      .prepare(`SELECT name, type, "notnull", pk FROM pragma_table_info('${table}')`)
      .all()
      .map(({ name, type, notnull, pk }) => [String(name), { type, notnull, pk }]),
  );

test("[S3-9] memory_records has the seed's nine columns, none of them nullable", () => {
  const found = columns("memory_records");
  const expected = {
    memory_type: "TEXT",
    judgment: "TEXT",
    reasoning: "TEXT",
    strength: "INTEGER",
    is_active: "INTEGER",
    memory_scope: "TEXT",
    created_at: "REAL",
    updated_at: "REAL",
  };
  expect(found.get("id")).toMatchObject({ type: "TEXT", pk: 1 });
  for (const [name, type] of Object.entries(expected))
    expect(found.get(name)).toEqual({ type, notnull: 1, pk: 0 });
});

test("[S3-10] [S3-11] tags have a name each, bindings are unique", () => {
  expect(columns("memory_tags").get("id")).toMatchObject({ type: "INTEGER", pk: 1 });
  expect(columns("memory_tags").get("name")).toMatchObject({ type: "TEXT", notnull: 1 });
  const unique = database
    .prepare("SELECT name FROM pragma_index_list('memory_tag_rel') WHERE \"unique\" = 1")
    .all();
  expect(unique).toHaveLength(1);
  expect(database.prepare("SELECT count(*) AS n FROM memory_tags").get()).toEqual({ n: 3 });
  expect(database.prepare("SELECT count(*) AS n FROM memory_tag_rel").get()).toEqual({ n: 4 });
});

test("[S3-12] the seed's three indexes are there", () => {
  const indexed = database
    .prepare(
      "SELECT i.name, group_concat(c.name) AS columns FROM sqlite_schema i, pragma_index_info(i.name) c WHERE i.type = 'index' GROUP BY i.name",
    )
    .all()
    .map((row) => row.columns);
  expect(indexed).toEqual(
    expect.arrayContaining(["memory_scope,created_at", "is_active,strength", "tag_id,memory_id"]),
  );
});

test("[S3-20] the seed's own query runs against the entries as they are", () => {
  const rows = database
    .prepare(
      `SELECT r.judgment, r.strength, count(*) AS hits FROM memory_records r
        JOIN memory_tag_rel b ON b.memory_id = r.id JOIN memory_tags t ON t.id = b.tag_id
        WHERE t.name IN ('火锅', '周末') AND r.memory_scope IN ('alice', 'public')
        GROUP BY r.id ORDER BY hits DESC, CAST(r.created_at / 86400 AS INTEGER) DESC, r.strength DESC`,
    )
    .all();
  expect(rows).toEqual([{ judgment: "周末去吃火锅", strength: 10, hits: 2 }]);
});
