import { execFileSync, spawnSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, type TestContext, test } from "vitest";
import type { EntryId } from "../src/base/ids.ts";
import { openSqlite } from "../src/storage/sqlite/sqlite-storage.ts";
import { itemOf, openNotes, SCOPE } from "./fixtures/worker.ts";

let folder = "";
let file = "";
const isRoot = process.getuid?.() === 0;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "neuromem-bad-"));
  file = join(folder, "memory.db");
});
afterEach(() => rm(folder, { recursive: true }));

test("a file that is no memory is refused and left as it is", async () => {
  await writeFile(file, "my diary, not a database, and long enough to be read as a page header".repeat(20));
  await expect(openSqlite(file)).rejects.toMatchObject({ code: "storage_corrupt" });
  expect(await readFile(file, "utf8")).toContain("my diary");
});

test("another program's SQLite file is refused and left as it is", async () => {
  const other = new DatabaseSync(file);
  other.exec("CREATE TABLE recipes (name TEXT)");
  other.close();
  await expect(openSqlite(file)).rejects.toMatchObject({ code: "storage_corrupt" });
  const again = new DatabaseSync(file);
  expect(again.prepare("SELECT name FROM sqlite_schema").all()).toEqual([{ name: "recipes" }]);
  again.close();
});

test("a damaged memory file is reported as damaged", async () => {
  const { manager, notes } = await openNotes(file);
  await notes.insertMany(
    SCOPE,
    Array.from({ length: 200 }, (_, n) => itemOf(n)),
  );
  await manager.close();
  const bytes = await readFile(file);
  bytes.fill(0xff, 4096 * 4, bytes.length - 4096);
  await writeFile(file, bytes);
  const reading = async (): Promise<unknown> => {
    const { notes: damaged } = await openNotes(file);
    return damaged.scan(SCOPE, { limit: 1000 });
  };
  await expect(reading()).rejects.toMatchObject({ code: "storage_corrupt" });
});

test("a file of a newer format is refused and left as it is", async () => {
  const { manager } = await openNotes(file);
  await manager.close();
  const database = new DatabaseSync(file);
  database.exec("UPDATE meta SET value = '99' WHERE key = 'format'");
  database.close();
  const before = await readFile(file);
  await expect(openSqlite(file)).rejects.toMatchObject({ code: "storage_newer", details: { found: 99 } });
  expect((await readFile(file)).equals(before)).toBe(true);
});

test("a path in a folder that does not exist says so", async () => {
  await expect(openSqlite(join(folder, "nowhere", "memory.db"))).rejects.toMatchObject({
    code: "storage_io",
  });
});

// Root may write anywhere, so the disk itself must refuse: a small file system of our own, mounted read-only or filled.
async function onOwnDisk(
  ctx: TestContext,
  size: string,
  use: (disk: string) => Promise<void>,
): Promise<void> {
  const disk = join(folder, "disk");
  await mkdir(disk);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", disk], { stdio: "pipe" });
  } catch {
    ctx.skip("no file system may be mounted here");
  }
  try {
    await use(disk);
  } finally {
    execFileSync("umount", ["-l", disk]);
  }
}

test("opening on a read-only disk is reported as that", (ctx) =>
  onOwnDisk(ctx, "8m", async (disk) => {
    const { manager, notes } = await openNotes(join(disk, "memory.db"));
    await notes.insert(SCOPE, itemOf(1));
    await manager.close();
    execFileSync("mount", ["-o", "remount,ro", disk]);
    await expect(openNotes(join(disk, "memory.db"))).rejects.toMatchObject({ code: "storage_read_only" });
  }));

test("a full disk refuses the write, keeps what it has, and goes on when there is space again", (ctx) =>
  onOwnDisk(ctx, "2m", async (disk) => {
    const { manager, notes } = await openNotes(join(disk, "memory.db"));
    let written = 0;
    const fill = async (): Promise<never> => {
      for (;;) {
        await notes.insert(SCOPE, {
          ...itemOf(written),
          content: `${itemOf(written).content} ${"long ".repeat(2000)}`,
        });
        written++;
      }
    };
    await expect(fill()).rejects.toMatchObject({ code: "storage_full" });
    expect(await notes.scan(SCOPE, { limit: 10_000 })).toHaveLength(written);
    execFileSync("mount", ["-o", "remount,size=8m", disk]);
    await notes.insert(SCOPE, itemOf(written));
    expect(await notes.scan(SCOPE, { limit: 10_000 })).toHaveLength(written + 1);
    await manager.close();
  }));

test.skipIf(isRoot)("a read-only folder is reported", async () => {
  await chmod(folder, 0o500);
  await expect(openSqlite(file)).rejects.toMatchObject({ code: "storage_read_only" });
  await chmod(folder, 0o700);
});

test("a file that may not grow refuses the write; everything acknowledged is still there", async (ctx) => {
  const worker = join(import.meta.dirname, "fixtures", "worker.ts");
  const limited = 'ulimit -f 1024 && exec "$0" "$@"';
  const command = ["-c", limited, process.execPath, worker, file, "until-refused"];
  const { error, stdout, stderr } = spawnSync("bash", command, { encoding: "utf8" });
  if (error !== undefined) ctx.skip(`there is no bash to set a limit with: ${error}`);
  const said: { ids?: EntryId[]; refused?: string }[] = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(["storage_full", "storage_io"], stderr).toContain(said.at(-1)?.refused);
  const acknowledged = said.flatMap(({ ids }) => ids ?? []);
  expect(acknowledged.length).toBeGreaterThan(0);

  const { manager, notes } = await openNotes(file);
  expect((await notes.scan(SCOPE, { limit: 10_000 })).map(({ id }) => id)).toEqual(acknowledged);
  const found = await notes.retrieve(SCOPE, { index: "words", text: "long", topK: 10_000 });
  expect(found).toHaveLength(acknowledged.length);
  await notes.insert(SCOPE, itemOf(1));
  await manager.close();
});
