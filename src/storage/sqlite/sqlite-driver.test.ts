import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openSqliteDriver } from "./sqlite-driver.ts";

test("a file is opened for durability: write-ahead log, synced at every commit but a light one", async () => {
  const folder = await mkdtemp(join(tmpdir(), "neuromem-"));
  const driver = openSqliteDriver(join(folder, "memory.db"), { busyTimeoutMs: 0 });
  const pragma = (name: string): Promise<unknown> =>
    driver.read(async (sql) => Object.values((await sql.all(`PRAGMA ${name}`))[0] ?? {})[0]);
  const [NORMAL, FULL] = [1, 2];
  expect(await pragma("journal_mode")).toBe("wal");
  expect(await pragma("synchronous")).toBe(FULL);
  await driver.write((sql) => sql.run("CREATE TABLE t (n INTEGER)"), { light: true });
  expect(await pragma("synchronous")).toBe(NORMAL);
  await driver.write((sql) => sql.run("INSERT INTO t VALUES (1)"));
  expect(await pragma("synchronous")).toBe(FULL);
  expect(await pragma("foreign_keys")).toBe(1);
  await driver.close();
  await rm(folder, { recursive: true });
});

test("a file that can be made again need not wait for the disk at any commit", async () => {
  const folder = await mkdtemp(join(tmpdir(), "neuromem-"));
  const driver = openSqliteDriver(join(folder, "memory.db"), { busyTimeoutMs: 0, powerSafe: false });
  await driver.write((sql) => sql.run("CREATE TABLE t (n INTEGER)"));
  const [row] = await driver.read((sql) => sql.all("PRAGMA synchronous"));
  expect(Object.values(row ?? {})).toEqual([1]);
  await driver.close();
  await rm(folder, { recursive: true });
});
