/** Where BIEM's memory lives, as the environment tells (S4-25), and BIEM without one. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { manualClock } from "../../base/clock.ts";
import { loadPreset, parsePreset } from "../../preset/load.ts";
import { openSqlite } from "../../storage/sqlite/sqlite-storage.ts";
import { hashEmbedder } from "../../testing/hash-embedder.ts";
import { openPostgresWire } from "../../testing/postgres-wire.ts";
import { BiemRuntime } from "./biem-runtime.ts";
import { type BiemOptions, openBiem } from "./open-biem.ts";

let folder = "";
let clock = manualClock(0);
let opened: { close(): Promise<void> }[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "neuromem-biem-"));
  clock = manualClock(Date.UTC(2026, 4, 1, 12));
});
afterEach(async () => {
  for (const one of opened) await one.close();
  opened = [];
  await rm(folder, { recursive: true });
});

async function open(options: Partial<BiemOptions> = {}): Promise<BiemRuntime> {
  const storage = await openSqlite(join(folder, "memory.db"), { clock });
  const biem = await openBiem({
    storage,
    scope: "mia",
    embedder: hashEmbedder(),
    clock,
    background: false,
    ...options,
  });
  opened.push(biem);
  if (!(biem instanceof BiemRuntime)) throw new Error("a memory was expected");
  return biem;
}

describe("the environment", () => {
  test("[S4-22][S4-25] DISABLE_MEMORY: the same calls work without a memory, and status says so", async () => {
    const biem = await openBiem({ scope: "mia", env: { DISABLE_MEMORY: "true", MILVUS_HOST: "localhost" } });
    expect(biem.isDisabled).toBe(true);
    expect(await biem.prepareContext("What about tea?")).toBe("");
    expect(await biem.recordUserMessage("I like tea.")).toBeUndefined();
    expect(await biem.recordAssistantMessage("Good.")).toBeUndefined();
    expect(await biem.ingest("I like tea.")).toBeNull();
    expect(await biem.recall("tea")).toEqual([]);
    expect(await biem.conflicts()).toEqual([]);
    expect(await biem.status()).toEqual({ disabled: "DISABLE_MEMORY is set.", memory: null });
    await expect(biem.feedback("x", 1)).rejects.toMatchObject({ code: "entry_not_found" });
    await biem.close();
  });

  test("[S4-25] POSTGRES_*: everything lives on that server, and is there for whoever comes next", async () => {
    const wire = await openPostgresWire(await PGlite.create());
    opened.push(wire);
    const { hostname, port } = new URL(wire.url);
    const env = {
      ...{ POSTGRES_HOST: hostname, POSTGRES_PORT: port, POSTGRES_DB: "postgres" },
      ...{ POSTGRES_USER: "postgres", POSTGRES_PASSWORD: "p@ss/wörd" },
    };
    const options = { scope: "mia", env, embedder: hashEmbedder(), clock, background: false };
    const biem = await openBiem(options);
    await biem.recordUserMessage("我搬到了罗马。");
    await biem.recordAssistantMessage("Rome is a fine city to live in.");
    await biem.close();
    const again = await openBiem(options);
    expect((await again.recall("罗马")).map(({ content }) => content)).toContain("我搬到了罗马。");
    expect(await again.crystalLinks()).toMatchObject([{ type: "temporal" }]);
    await again.close();
  });

  test("[S4-25] MILVUS_USE_LITE holds vectors in the process, under the collection that is named", async () => {
    const env = {
      DISABLE_MEMORY: "false",
      MILVUS_HOST: "localhost",
      MILVUS_USE_LITE: "true",
      MILVUS_COLLECTION: "biem_memories",
    };
    const biem = await open({ env });
    expect((await biem.status()).memory).toMatchObject({ collection: "biem_memories" });
  });

  test.each([
    [{ MILVUS_HOST: "localhost", MILVUS_PORT: "19530" }, "capability_missing", "MILVUS_USE_LITE=true"],
    [{ MILVUS_HOST: "h", MILVUS_USE_LITE: "false" }, "capability_missing", "MILVUS_USE_LITE=true"],
    [{ DISABLE_MEMORY: "maybe" }, "input_invalid", "true or false"],
    [{ POSTGRES_HOST: "localhost" }, "input_invalid", "POSTGRES_DB"],
    [{ POSTGRES_DB: "biem" }, "input_invalid", "POSTGRES_HOST"],
    [
      { POSTGRES_HOST: "h", POSTGRES_DB: "d", POSTGRES_USER: "u", POSTGRES_PORT: "x" },
      "input_invalid",
      "5432",
    ],
    [{}, "input_invalid", "path"],
    // Required, and not there: nothing else takes its place (C-29).
    [
      { POSTGRES_HOST: "127.0.0.1", POSTGRES_PORT: "1", POSTGRES_DB: "biem", POSTGRES_USER: "u" },
      "storage_io",
      "127.0.0.1:1",
    ],
    [
      { POSTGRES_HOST: "::1", POSTGRES_PORT: "1", POSTGRES_DB: "biem", POSTGRES_USER: "u" },
      "storage_io",
      "::1",
    ],
  ])("[S4-25][C-29] %o is refused with %s", async (env, code, message) => {
    const opening = openBiem({ scope: "mia", env });
    await expect(opening).rejects.toMatchObject({ code });
    await expect(opening).rejects.toThrow(message);
  });

  test("[S4-26] the page of start-up steps tells every variable, and calls what there is", async () => {
    const page = await readFile(new URL("../../../docs/biem.md", import.meta.url), "utf8");
    for (const name of ["HOST", "PORT", "DB", "USER", "PASSWORD"]) expect(page).toContain(`POSTGRES_${name}`);
    for (const name of ["HOST", "PORT", "COLLECTION", "USE_LITE"]) expect(page).toContain(`MILVUS_${name}`);
    expect(page).toContain("DISABLE_MEMORY");
    const methods = new Set(Object.getOwnPropertyNames(BiemRuntime.prototype));
    const called = [...page.matchAll(/biem\.(\w+)\(/g)].map(([, name = ""]) => name);
    expect(called.length).toBeGreaterThan(10);
    expect(called.filter((name) => !methods.has(name))).toEqual([]);
    const [, written = ""] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
    const { stages } = await parsePreset(written, "asking.yaml");
    const { stages: known } = await loadPreset("biem");
    const optionsOf = (all: typeof stages) => all.post_insert.map(({ options }) => options);
    const [signals, ...others] = optionsOf(known);
    expect(optionsOf(stages)).toEqual([{ ...signals, restructure_confidence: null }, ...others]);
  });

  test("a design that is none of BIEM's is refused", async () => {
    await expect(open({ preset: "hybrid" })).rejects.toMatchObject({ code: "preset_invalid" });
  });
});
