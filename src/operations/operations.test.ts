/** The table itself: every call once, well named, complete, and true to what the memory really gives. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { judgedMemorySchema } from "../runtime/judged-memory.ts";
import { Memory } from "../runtime/memory.ts";
import { hashEmbedder } from "../testing/hash-embedder.ts";
import { OPERATIONS, type Operation } from "./index.ts";
import { lastMomentInput, momentInput } from "./moment.ts";
import { exportOperation } from "./rows/export.ts";
import { importOperation } from "./rows/import.ts";
import { judgedInput } from "./schemas/said.ts";

/** What a user calls on a `Memory` that is no call of the table: how one is got, and how it ends. */
const NO_CALLS = ["constructor", "preset", "in", "running", "close"];

describe("the rows", () => {
  test("every verb of Memory is a row, and every row a verb of Memory", () => {
    const verbs = Object.getOwnPropertyNames(Memory.prototype).filter((name) => !NO_CALLS.includes(name));
    expect(OPERATIONS.map(({ name }) => name).sort()).toEqual(verbs.sort());
  });

  test("no name and no route is there twice", () => {
    const routes = OPERATIONS.map(({ route }) => `${route.method} ${route.path.replace(/\{\w+\}/g, "{}")}`);
    expect(new Set(routes).size).toBe(OPERATIONS.length);
    expect(new Set(OPERATIONS.map(({ name }) => name)).size).toBe(OPERATIONS.length);
  });

  test("a judged memory has the fields and types that the runtime knows, which browsers cannot import", () => {
    const [here, there] = [judgedInput, judgedMemorySchema].map(
      (schema) => z.toJSONSchema(schema, { io: "input" }).properties,
    );
    expect(Object.keys(here ?? {})).toEqual(Object.keys(there ?? {}));
    expect(here?.type).toEqual(there?.type);
    expect(here?.type).toHaveProperty("enum");
  });

  test("at most eight are tools, each told in a few words", () => {
    const tools = OPERATIONS.filter(({ tool }) => tool !== null);
    expect(tools.length).toBeLessThanOrEqual(8);
    for (const { tool } of tools) expect(tool).toMatch(/^[A-Z].{20,160}\.$/);
    expect(tools.every(({ kind }) => kind === "call")).toBe(true);
  });

  test.each(OPERATIONS.map((row) => [row.name, row] as const))(
    "%s says what it is, in both languages, and its schemas can be shown",
    (_, { summary, input, output, route, effect, isIdempotent }) => {
      expect(summary.en).toMatch(/^[a-z].*[^.]$/);
      expect(summary.zh).toMatch(/[\u4e00-\u9fff].*[^。]$/);
      const { type, properties = {}, additionalProperties } = z.toJSONSchema(input, { io: "input" });
      expect({ type, additionalProperties }).toEqual({ type: "object", additionalProperties: false });
      expect(z.toJSONSchema(output, { io: "output" })).toMatchObject({ type: expect.any(String) });
      for (const [, field = ""] of route.path.matchAll(/\{(\w+)\}/g))
        expect(properties).toHaveProperty(field);
      // Whoever asks with GET may be asked again by anything on the way.
      if (route.method === "GET")
        expect({ effect, isIdempotent }).toEqual({ effect: "read", isIdempotent: true });
      if (effect === "read") expect(isIdempotent).toBe(true);
    },
  );

  test.each(OPERATIONS.map((row) => [row.name, row] as const))(
    "%s refuses what it does not know, and what is no object",
    (name, { input }) => {
      for (const given of [{ nonsense: 1 }, [], "text", null, 7])
        expect(input.safeParse(given).success, `${name} of ${JSON.stringify(given)}`).toBe(false);
    },
  );
});

describe("moments", () => {
  test.each([
    [1683504000000, 1683504000000],
    ["2023-05-08", 1683504000000],
    ["2023-05-08T13:56", 1683554160000],
    ["2023-05-08 13:56:07", 1683554167000],
    ["2023-05-08T13:56:00Z", 1683554160000],
    ["2023-05-08T13:56:00+08:00", 1683525360000],
    ["2023-05-08T13:56:00.250Z", 1683554160250],
  ])("%j is %d", (written, moment) => {
    expect(momentInput.parse(written)).toBe(moment);
  });

  test("the end of a span is the end of a day that is named without a time", () => {
    expect(lastMomentInput.parse("2023-05-08")).toBe(1683590399999);
    expect(lastMomentInput.parse("2023-05-08T00:00")).toBe(1683504000000);
    expect(lastMomentInput.parse(1683504000000)).toBe(1683504000000);
  });

  test.each([
    "2023-02-31",
    "2023-13-01",
    "yesterday",
    "昨天",
    "",
    "2023-05-08T25:00",
    1.5,
    Number.NaN,
    null,
    true,
  ])("%j is refused with what would be valid", (written) => {
    const { error } = momentInput.safeParse(written);
    expect(error?.issues[0]?.message).toContain("2023-05-08T13:56:00Z");
  });
});

describe("what comes back is what the row says, of a real memory", () => {
  let folder: string;
  let memory: Memory;
  const done = new Set<string>();
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "neuromem-operations-"));
    memory = await Memory.open({
      ...{ path: join(folder, "m.db"), preset: "hybrid", scope: "mia" },
      ...{ embedder: hashEmbedder(), background: false },
    });
  });
  afterEach(async () => {
    await memory.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const run = async (name: string, given: unknown = {}): Promise<unknown> => {
    const row = rowOf(name);
    if (row.kind !== "call") throw new Error(`${name} is no plain call`);
    const output = await row.run(memory, given);
    // As it goes out: JSON with no field missing, and none that the row does not name, which its schema would leave out.
    const sent: unknown = JSON.parse(JSON.stringify(output));
    expect(row.output.parse(sent)).toEqual(sent);
    done.add(name);
    return sent;
  };

  test("through every call", async () => {
    const at = "2023-05-08T13:56:00Z";
    const said = [{ speaker: "Mia", text: "I moved to Rome.", happenedAt: at }, "王芳对花生过敏。"];
    await run("remember", { said });
    const judged = { judgment: "Mia likes tea.", type: "knowledge", tags: ["茶"], happenedAt: 1683504000000 };
    const kept = z.object({ memories: z.array(z.string()) }).parse(await run("remember", { said: judged }));
    const [id = ""] = kept.memories;
    await run("record", { user: "Where do I live?", assistant: "In Rome.", recalled: [id], session: "s1" });
    await run("recall", {
      question: "Where does Mia live?",
      explain: true,
      from: "2023-01-01",
      to: "2023-12-31",
    });
    await run("recall", {
      question: "王芳对什么过敏？",
      talk: [{ speaker: "Mia", text: "hi" }],
      zone: "Asia/Shanghai",
    });
    await run("comprehensiveRecall", { question: "Rome" });
    await run("chainedRecall", { question: "Where does Mia live?", entities: ["Mia"] });
    await run("ask", { question: "Where does Mia live?" });
    await run("context", { question: "花生", session: "s1", stableBudget: 100 });
    await run("get", { id });
    await run("list", { filter: { op: "contains", field: "tags", value: "茶" }, limit: 1 });
    await run("feedback", { useful: [id], new: [{ judgment: "Mia has a dog." }] });
    await run("history", { id, looks: true });
    const { events } = z
      .object({ events: z.array(z.object({ seq: z.number() })) })
      .parse(await run("changes", { after: 0, limit: 3 }));
    await run("undo", { event: events[0]?.seq });
    await run("flush", { finish: true });
    await run("consolidate");
    await run("reembed");
    await run("rebuild");
    await run("estimate", {
      turns: ["我搬到了成都。", { speaker: "Mia", text: "hello" }],
      price: { input: 1, output: 2 },
    });
    await run("status");
    const lines: string[] = [];
    for await (const line of exportOperation.run(memory, { vectors: false })) lines.push(line);
    expect(lines.length).toBeGreaterThan(3);
    done.add("export");
    const other = memory.in("ben");
    const imported = await importOperation.run(other, {}, asLines(lines));
    expect(importOperation.output.parse(imported)).toEqual(imported);
    done.add("import");
    await run("forget", { everything: true });
    expect(OPERATIONS.map(({ name }) => name).filter((name) => !done.has(name))).toEqual([]);
  });

  test("forget is told exactly one thing", async () => {
    const row = rowOf("forget");
    if (row.kind !== "call") throw new Error("forget is a plain call");
    for (const given of [{}, { id: "x", session: "s" }, { from: "2023-05-08" }, { everything: false }])
      await expect(row.run(memory, given)).rejects.toMatchObject({ code: "input_invalid" });
    await expect(row.run(memory, { from: "2023-05-08", to: "2023-05-09" })).resolves.toMatchObject({
      turns: [],
    });
  });
});

function rowOf(name: string): Operation {
  const row = OPERATIONS.find((one) => one.name === name);
  if (row === undefined) throw new Error(`there is no row ${name}`);
  return row;
}

async function* asLines(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}
