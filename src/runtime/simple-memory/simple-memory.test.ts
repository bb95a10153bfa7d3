/** The acceptance list (§11) and the regression list (§12) of seed 003, over real files. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { manualClock } from "../../base/clock.ts";
import type { TraceEvent } from "../../base/trace.ts";
import { loadPreset, parsePreset } from "../../preset/load.ts";
import { openSqlite } from "../../storage/sqlite/sqlite-storage.ts";
import { hashEmbedder } from "../../testing/hash-embedder.ts";
import { testMemoryRuntime } from "../../testing/memory-runtime-suite.ts";
import { sharedEmbedder } from "../../testing/preset-world.ts";
import * as exported from "../index.ts";
import { Memory } from "../memory.ts";
import type { MemoryRuntime, NewMemory } from "./memory-runtime.ts";
import { memoryTools } from "./memory-tools.ts";
import { type MemoryRuntimeOptions, openMemoryRuntime } from "./open-memory-runtime.ts";
import type { RuntimeLine } from "./runtime-log.ts";
import { SimpleMemoryRuntime } from "./simple-memory-runtime.ts";
import { VectorMemoryRuntime } from "./vector-memory-runtime.ts";

const DAY = 86_400_000;
let folder = "";
let lines: RuntimeLine[] = [];
let opened: MemoryRuntime[] = [];
let clock = manualClock(0);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "neuromem-simple-"));
  [lines, opened, clock] = [[], [], manualClock(Date.UTC(2026, 4, 1, 12))];
});
afterEach(async () => {
  for (const runtime of opened) await runtime.close();
  await rm(folder, { recursive: true });
});

async function open(
  enable_simple_memory: boolean,
  more: Partial<MemoryRuntimeOptions> = {},
): Promise<MemoryRuntime> {
  const runtime = await openMemoryRuntime({
    enable_simple_memory,
    ...("storage" in more || "path" in more
      ? {}
      : { storage: await openSqlite(join(folder, "memory.db"), { clock }) }),
    embedder: hashEmbedder(),
    clock,
    log: (line) => lines.push(line),
    ...more,
  });
  opened.push(runtime);
  return runtime;
}

/** The clock goes on by a second, so that ids and moments have an order. */
async function remember(
  runtime: MemoryRuntime,
  judgment: string,
  tags: readonly string[],
  more: Partial<NewMemory> & { readonly scope?: string } = {},
): Promise<string> {
  const { scope = "mia", ...rest } = more;
  clock.advance(1000);
  return runtime.remember(scope, { judgment, reasoning: "It was said.", tags, ...rest });
}
const found = async (runtime: MemoryRuntime, query: string, scope = "mia"): Promise<string[]> =>
  (await runtime.recall(scope, query)).map(({ judgment }) => judgment);
const messages = (level: RuntimeLine["level"]): string[] =>
  lines.filter((line) => line.level === level).map(({ message }) => message);

testMemoryRuntime({
  name: "SimpleMemoryRuntime",
  open: () => openMemoryRuntime({ enable_simple_memory: true, path: join(folder, "suite.db") }),
});
testMemoryRuntime({
  name: "VectorMemoryRuntime",
  open: async () =>
    openMemoryRuntime({
      enable_simple_memory: false,
      path: join(folder, "suite.db"),
      embedder: await sharedEmbedder(),
    }),
});

describe("the switch", () => {
  test("[S3-2][S3-7][S3-28][S3-29][S3-31] true: SimpleMemoryRuntime, said in the start-up log, and no embedder at all", async () => {
    const heard: TraceEvent[] = [];
    const runtime = await open(true, { trace: (event) => heard.push(event) });
    expect(runtime).toBeInstanceOf(SimpleMemoryRuntime);
    expect(messages("info")).toEqual(["记忆运行时: SimpleMemoryRuntime"]);
    await remember(runtime, "小明爱吃火锅。", ["火锅"]);
    expect(await found(runtime, "吃火锅吗？")).toEqual(["小明爱吃火锅。"]);
    expect(heard.filter(({ type }) => type.startsWith("embed"))).toEqual([]);
  });

  test("[S3-2][S3-6][S3-28][S3-29][S3-31][S3-32] false: VectorMemoryRuntime, which finds what the memory itself finds", async () => {
    const path = join(folder, "vector.db");
    const runtime = await open(false, { path });
    expect(runtime).toBeInstanceOf(VectorMemoryRuntime);
    expect(messages("info")).toEqual(["记忆运行时: VectorMemoryRuntime"]);
    for (const [judgment, tag] of [
      ["Mia moved to Rome.", "Rome"],
      ["小明爱吃火锅。", "火锅"],
    ] as const)
      await remember(runtime, judgment, [tag]);
    const recalled = await runtime.recall("mia", "Where did Mia move?");
    const told = await runtime.feedback("mia", { useful_memory_ids: [recalled[0]?.id ?? ""] });
    expect(told.map(({ id }) => id)).toEqual([recalled[0]?.id]);
    await runtime.close();
    const given = { path, preset: "hybrid", scope: "mia", embedder: hashEmbedder(), clock };
    const memory = await Memory.open(given);
    const { hits } = await memory.recall("Where did Mia move?");
    expect(recalled.map(({ id, score }) => ({ id, score }))).toEqual(
      hits.map(({ id, score }) => ({ id, score })),
    );
    expect(memory.preset).toBe("hybrid");
    await memory.close();
  });

  test("[S3-29][S3-32] a switch that is changed shows in the log of the next start", async () => {
    for (const enabled of [true, false, true]) await (await open(enabled)).close();
    expect(messages("info")).toEqual([
      "记忆运行时: SimpleMemoryRuntime",
      "记忆运行时: VectorMemoryRuntime",
      "记忆运行时: SimpleMemoryRuntime",
    ]);
  });

  test("[S3-5] a change of the switch moves no vectors and loses nothing: the next thing remembered brings the rest", async () => {
    const path = join(folder, "both.db");
    const vector = await open(false, { path });
    await remember(vector, "小明爱吃火锅。", ["火锅"]);
    await vector.close();
    const simple = await open(true, { path });
    await remember(simple, "Mia drinks tea.", ["tea"]);
    expect((await found(simple, "tea 火锅")).toSorted()).toEqual(["Mia drinks tea.", "小明爱吃火锅。"]);
    await simple.close();
    const storage = await openSqlite(path);
    expect(await storage.stats()).toMatchObject({ turns: 2, entries: 3, vectors: 1 });
    await storage.close();
  });

  test("[S3-4] a switch that is neither on nor off is refused, and not taken for one of them", async () => {
    const given: { readonly enable_simple_memory: boolean } = JSON.parse('{"enable_simple_memory":"false"}');
    await expect(openMemoryRuntime(given)).rejects.toMatchObject({ code: "input_invalid" });
    const scoped = { enable_simple_memory: true, scope: "mia" };
    await expect(openMemoryRuntime(scoped)).rejects.toThrow("a scope with each call");
  });

  test("[S3-8][S3-32][S3-33] true and no start: an error with the reason, and never a vector memory", async () => {
    const file = join(folder, "file");
    await writeFile(file, "This is no memory. ".repeat(1000));
    for (const path of [join(file, "memory.db"), file, folder]) {
      const start = open(true, { path });
      await expect(start).rejects.toThrow(
        /^SimpleMemoryRuntime was not started\. .*no vector memory takes its place/,
      );
    }
    expect(messages("info")).toEqual([]);
    expect(lines.map(({ event }) => event)).toEqual(["start-fail", "start-fail", "start-fail"]);
    expect(opened).toEqual([]);
  });

  test("[S3-8] a design that is none for the runtime is refused", async () => {
    await expect(open(true, { preset: "hybrid" })).rejects.toMatchObject({ code: "preset_invalid" });
    await expect(open(false, { preset: "simple_memory" })).rejects.toMatchObject({ code: "preset_invalid" });
    await expect(open(true, { preset: "no_such" })).rejects.toMatchObject({ code: "unknown_name" });
  });
});

test("[B.3] what was only said is of no type, and counts as knowledge", async () => {
  const path = join(folder, "said.db");
  const given = { path, preset: "hybrid", scope: "mia", embedder: hashEmbedder(), clock };
  const memory = await Memory.open(given);
  await memory.remember("Rex is afraid of thunder.");
  await memory.close();
  const runtime = await open(false, { path });
  const types = async (...memory_types: string[]): Promise<string[]> =>
    (await runtime.recall("mia", "Rex thunder", { memory_types })).map(({ memory_type }) => memory_type);
  expect(await types("知识")).toEqual(["knowledge"]);
  expect(await types("event", "knowledge")).toEqual(["knowledge"]);
  expect(await types("event")).toEqual([]);
});

describe("finding by tags", () => {
  test("[S3-21][S3-20] the hot pot: two tags beat one, and what is not mentioned stays away", async () => {
    const runtime = await open(true);
    await remember(runtime, "A", ["小明", "火锅"]);
    await remember(runtime, "B", ["小明"]);
    await remember(runtime, "C", ["聚餐"]);
    await remember(runtime, "D", ["周报"]);
    const recalled = await runtime.recall("mia", "小明说晚上去吃火锅");
    expect(recalled.map(({ judgment, score_parts }) => [judgment, score_parts.hits])).toEqual([
      ["A", 2],
      ["B", 1],
    ]);
  });

  test("[S3-20][S3-32][B.3] hits, then the UTC day, then strength, then the moment", async () => {
    const runtime = await open(true);
    await remember(runtime, "old and strong", ["tea"], { strength: 90 });
    // Eleven hours later, but on the next day in UTC.
    clock.advance(DAY / 2 - 60_000);
    await remember(runtime, "still the first day", ["tea"], { strength: 1 });
    clock.advance(2 * 60_000);
    await remember(runtime, "weak", ["tea"], { strength: 1 });
    await remember(runtime, "strong", ["tea"], { strength: 5 });
    await remember(runtime, "weak, later", ["tea"], { strength: 1 });
    clock.advance(-30 * DAY);
    await remember(runtime, "two tags", ["tea", "milk"], { strength: 0 });
    expect(await found(runtime, "tea with milk")).toEqual([
      "two tags",
      "strong",
      "weak, later",
      "weak",
      "old and strong",
      "still the first day",
    ]);
  });

  test("[B.3] no tag in the query, no memory: there is nothing to fall back on", async () => {
    const runtime = await open(true);
    await remember(runtime, "小明爱吃火锅。", ["火锅"]);
    for (const query of ["小明爱吃什么？", "今天天气怎么样？", "", " "])
      expect(await found(runtime, query)).toEqual([]);
  });

  test("[S3-26][B.3] one search for all three recalls; what a talk is about is looked for like what it mentions", async () => {
    const runtime = await open(true);
    await remember(runtime, "Rex is afraid.", ["Rex"]);
    await remember(runtime, "小明爱吃火锅。", ["火锅", "小明"]);
    const query = "Rex 和小明";
    const recalled = await runtime.recall("mia", query);
    expect(await runtime.comprehensiveRecall("mia", query)).toMatchObject(
      recalled.map(({ id, score }) => ({ id, score })),
    );
    expect(await found(runtime, query)).toEqual(["小明爱吃火锅。", "Rex is afraid."]);
    const along = await runtime.chainedRecall("mia", "今晚吃什么？", { entities: ["火", "锅", "小明"] });
    expect(along.map(({ judgment, score_parts }) => [judgment, score_parts.hits])).toEqual([
      ["小明爱吃火锅。", 1],
    ]);
  });

  test("[S3-33] without a limit the design's cap holds; the types are chosen before it cuts", async () => {
    const runtime = await open(true);
    for (let n = 0; n < 12; n++)
      await remember(runtime, `茶 ${n}`, ["茶"], { memory_type: n === 0 ? "task" : "event" });
    expect(await runtime.recall("mia", "喝茶")).toHaveLength(10);
    expect(await runtime.recall("mia", "喝茶", { limit: 12 })).toHaveLength(12);
    expect(await runtime.recall("mia", "喝茶", { limit: 1, memory_types: ["任务记忆"] })).toMatchObject([
      { judgment: "茶 0" },
    ]);
  });

  test("letter case is passed over, or counts as in the seed where the preset says so", async () => {
    const runtime = await open(true);
    await remember(runtime, "Rex is afraid.", ["Rex"]);
    expect(await found(runtime, "what about rex?")).toEqual(["Rex is afraid."]);
    await runtime.close();
    const literal = await open(true, { preset: await seedPreset() });
    await remember(literal, "Bello is brave.", ["Bello"]);
    expect(await found(literal, "what about bello?")).toEqual([]);
    expect(await found(literal, "what about Bello?")).toEqual(["Bello is brave."]);
  });
});

/** As the header of open-memory-runtime.ts writes it, but for a sweep that comes only when it is asked for. */
function seedPreset() {
  return parsePreset(
    `name: simple_memory_seed
summary: SimpleMemory as it was written.
extends: simple_memory
service: { case_sensitive: true, collection_name: simple_memory_seed }
stages:
  post_insert: { action: forgetting, every_turns: 1000000000, vitality: { policy: strength_counter }, threshold: 1, retention_min: 0, archive_before_delete: false }`,
    join(folder, "simple_memory_seed.yaml"),
  );
}

describe("strength, merging, sweeping", () => {
  test("[S3-27][B.3] useful: strength + 3, each time", async () => {
    const runtime = await open(true);
    const id = await remember(runtime, "Rex is afraid.", ["Rex"]);
    for (const strength of [13, 16])
      expect(await runtime.feedback("mia", { useful_memory_ids: [id] })).toMatchObject([{ id, strength }]);
  });

  test("[B.3][C-32][S3-16][S3-17] consolidation: passive memories without strength go, active ones never; then the tags", async () => {
    const storage = await openSqlite(join(folder, "memory.db"), { clock });
    const runtime = await open(true, { storage, preset: await seedPreset() });
    const passive = { strength: 0, is_active: false };
    const spent = await remember(runtime, "spent", ["tea", "only here"], passive);
    await remember(runtime, "negative", ["tea"], { strength: -2, is_active: false });
    await remember(runtime, "weak", ["tea"], { strength: 1, is_active: false });
    await remember(runtime, "deliberate", ["tea"], { strength: 0 });
    expect(await found(runtime, "tea")).toHaveLength(4);
    await runtime.consolidateMemories("mia");
    expect((await found(runtime, "tea, only here")).toSorted()).toEqual(["deliberate", "weak"]);
    expect(await runtime.getByIds("mia", [spent])).toEqual([]);
    // The tag that only the spent one bore is gone already.
    expect(await storage.sweepTags()).toBe(0);
    clock.advance(3650 * DAY);
    await runtime.consolidateMemories("mia");
    expect((await found(runtime, "tea")).toSorted()).toEqual(["deliberate", "weak"]);
  });

  test("[C-11] as shipped, what is spent leaves recall and can still be read", async () => {
    const runtime = await open(true);
    const spent = await remember(runtime, "spent", ["tea"], { strength: 0, is_active: false });
    await runtime.consolidateMemories("mia");
    expect(await found(runtime, "tea")).toEqual([]);
    expect(await runtime.getByIds("mia", [spent])).toMatchObject([{ judgment: "spent" }]);
  });

  test("what the sweep puts away as soon as it is remembered has its id all the same", async () => {
    const preset = await parsePreset(
      `name: swept_at_once
summary: SimpleMemory with a sweep after every turn.
extends: simple_memory
service: { collection_name: swept_at_once }
stages:
  post_insert: { action: forgetting, every_turns: 1, vitality: { policy: strength_counter }, threshold: 1, retention_min: 0, archive_before_delete: true }`,
      join(folder, "swept_at_once.yaml"),
    );
    const runtime = await open(true, { preset });
    const spent = await remember(runtime, "spent", ["tea"], { strength: 0, is_active: false });
    expect(await found(runtime, "tea")).toEqual([]);
    expect(await runtime.getByIds("mia", [spent])).toMatchObject([{ judgment: "spent" }]);
  });
});

describe("the log", () => {
  test("[S3-30] a request: runtime, candidates, returned, time of the search; never what was asked", async () => {
    const runtime = await open(true);
    for (let n = 0; n < 15; n++) await remember(runtime, `茶 ${n}`, ["茶"]);
    await remember(runtime, "public", ["茶"], { scope: "public" });
    await remember(runtime, "ben", ["茶"], { scope: "ben" });
    lines = [];
    await Promise.all([runtime.recall("mia", "喝茶", { limit: 2 }), runtime.recall("ben", "喝茶")]);
    expect(lines).toHaveLength(2);
    const of = (scope: string) => lines.find((line) => "scope" in line && line.scope === scope);
    const shared = { event: "request-done", runtime: "SimpleMemoryRuntime", operation: "recall" };
    expect(of("mia")).toMatchObject({ ...shared, candidates: 16, returned: 2 });
    expect(of("ben")).toMatchObject({ ...shared, candidates: 2, returned: 2 });
    expect(of("mia")?.message).toMatch(
      /^SimpleMemoryRuntime\.recall scope=mia candidates=16 returned=2 search_ms=[\d.]+ ms=[\d.]+$/,
    );
  });

  test("[S3-24] a scope that is none is refused and written down as an error", async () => {
    const runtime = await open(true);
    lines = [];
    await expect(runtime.recall("", "tea")).rejects.toMatchObject({ code: "scope_invalid" });
    expect(lines).toMatchObject([{ level: "error", event: "request-fail", code: "scope_invalid" }]);
  });

  test("a log that throws harms nobody", async () => {
    const runtime = await open(true, {
      log: () => {
        throw new Error("disk full");
      },
    });
    await remember(runtime, "Rex is afraid.", ["Rex"]);
    expect(await found(runtime, "Rex")).toEqual(["Rex is afraid."]);
  });
});

test("[S3-5][S3-31] in simple mode a search in notes is off, and says so", async () => {
  const notes = memoryTools(await open(true), { scope: "mia" }).find(({ name }) => name === "note_recall");
  expect((await notes?.run({ query: "tea" }))?.text).toMatch(/^Notes are off: SimpleMemoryRuntime/);
});

test("what was remembered is there for whoever opens the file next", async () => {
  const runtime = await open(true);
  const id = await remember(runtime, "小明爱吃火锅。", ["火锅"]);
  await runtime.close();
  const again = await open(true);
  expect((await again.recall("mia", "火锅"))[0]?.id).toBe(id);
});

test("[C-13] two alike names: TagRuntime and CompressRuntime; config still says simple_memory and simplemem", async () => {
  expect(exported.TagRuntime).toBe(SimpleMemoryRuntime);
  expect(exported.CompressRuntime.name).toBe("SimpleMem");
  expect((await loadPreset("simple_memory")).service.name).toBe("key_value_memory");
  expect((await loadPreset("simplemem")).service.name).toBe("hybrid_memory");
});
