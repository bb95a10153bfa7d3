/** The nine tools of the knowledge-graph memory server: its shapes, its rules, and a memory below that loses nothing. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { mcpClient } from "../../../../test/fixtures/mcp-clients.ts";
import { Memory } from "../../../runtime/memory.ts";
import { graphIn } from "./graph-memory.ts";
import { KNOWLEDGE_GRAPH_TOOLS } from "./tools.ts";

/** Loading the engine from its sources takes a while where others work, too. */
const SLOW = 60_000;
let folder: string;
let path: string;
let memory: Memory;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "neuromem-graph-"));
  path = join(folder, "memory.db");
  memory = await Memory.open({ path, preset: "bm25", scope: "me" });
});
afterEach(async () => {
  await memory.close();
  rmSync(folder, { recursive: true, force: true });
});

async function call(name: string, given: unknown = {}, on = memory) {
  const tool = KNOWLEDGE_GRAPH_TOOLS.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  const { structured, text } = await tool.run(on, given, {});
  return { structured, text };
}

const MIA = { name: "Mia", entityType: "person", observations: ["lives in Rome", "plays the cello"] };
const WANG = { name: "王芳", entityType: "人物", observations: ["喜欢吃火锅"] };
const ACME = { name: "Acme_Corp", entityType: "公司", observations: [] };
const WORKS = { from: "Mia", to: "Acme_Corp", relationType: "works_at" };
const KNOWS = { from: "王芳", to: "Mia", relationType: "认识" };

test("creates, reads, searches and opens in the shapes of the original", async () => {
  const made = await call("create_entities", { entities: [MIA, WANG, ACME] });
  expect(made.structured).toEqual({ entities: [MIA, WANG, ACME] });
  expect(JSON.parse(made.text)).toEqual([MIA, WANG, ACME]);
  const related = await call("create_relations", { relations: [WORKS, KNOWS] });
  expect(related.structured).toEqual({ relations: [WORKS, KNOWS] });
  const graph = { entities: [MIA, WANG, ACME], relations: [WORKS, KNOWS] };
  const read = await call("read_graph");
  expect(read.structured).toEqual(graph);
  expect(JSON.parse(read.text)).toEqual(graph);
  expect((await call("search_nodes", { query: "CELLO" })).structured).toEqual({
    entities: [MIA],
    relations: [WORKS, KNOWS],
  });
  expect((await call("search_nodes", { query: "火锅" })).structured).toEqual({
    entities: [WANG],
    relations: [KNOWS],
  });
  expect((await call("search_nodes", { query: "公司" })).structured).toMatchObject({ entities: [ACME] });
  expect((await call("open_nodes", { names: ["Acme_Corp", "nobody"] })).structured).toEqual({
    entities: [ACME],
    relations: [WORKS],
  });
});

test("what stands in no node is searched by recall", async () => {
  await call("create_entities", { entities: [MIA, WANG] });
  // The original looks for the whole text and finds nothing.
  const { structured } = await call("search_nodes", { query: "Who plays a cello?" });
  expect(structured).toMatchObject({ entities: [{ name: "Mia" }] });
  expect((await call("search_nodes", { query: "submarine" })).structured).toEqual({
    entities: [],
    relations: [],
  });
  expect((await call("search_nodes", { query: "" })).structured).toMatchObject({ entities: [MIA, WANG] });
});

test("what is there is skipped; what does not exist cannot be observed", async () => {
  await call("create_entities", { entities: [MIA, MIA] });
  const again = await call("create_entities", { entities: [{ ...MIA, entityType: "cat" }, WANG] });
  expect(again.structured).toEqual({ entities: [WANG] });
  await call("create_relations", { relations: [WORKS, WORKS] });
  expect((await call("create_relations", { relations: [WORKS] })).structured).toEqual({ relations: [] });
  const contents = ["lives in Rome", "has a dog", "has a dog", "养了一只狗"];
  const added = await call("add_observations", { observations: [{ entityName: "Mia", contents }] });
  expect(added.structured).toEqual({
    results: [{ entityName: "Mia", addedObservations: ["has a dog", "养了一只狗"] }],
  });
  const nobody = [
    { entityName: "Mia", contents: ["new"] },
    { entityName: "nobody", contents: ["x"] },
  ];
  await expect(call("add_observations", { observations: nobody })).rejects.toThrow(
    /no entity "nobody".*Valid:/,
  );
  const { entities, relations } = await graphIn(memory).read();
  expect(entities.map(({ name }) => name)).toEqual(["Mia", "王芳"]);
  expect(entities[0]).toEqual({ ...MIA, observations: [...MIA.observations, "has a dog", "养了一只狗"] });
  expect(relations).toEqual([WORKS]);
});

test("recall finds what was observed, and nothing of it after it was deleted, not even in the file", async () => {
  await call("create_entities", { entities: [MIA, WANG, ACME] });
  await call("create_relations", { relations: [WORKS, KNOWS] });
  expect((await memory.recall("Who plays the cello?")).hits[0]?.text).toBe("Mia: plays the cello");
  expect((await memory.recall("谁喜欢吃火锅")).hits[0]?.text).toBe("王芳: 喜欢吃火锅");
  const one = { entityName: "Mia", observations: ["plays the cello", "never said"] };
  const deleted = await call("delete_observations", {
    deletions: [one, { entityName: "nobody", observations: ["x"] }],
  });
  expect(deleted).toEqual({
    structured: { success: true, message: "Observations deleted successfully" },
    text: "Observations deleted successfully",
  });
  expect((await memory.recall("Who plays the cello?")).hits.map(({ text }) => text)).not.toContain(
    "Mia: plays the cello",
  );
  expect((await call("delete_relations", { relations: [KNOWS, KNOWS] })).structured).toMatchObject({
    success: true,
  });
  expect((await graphIn(memory).read()).relations).toEqual([WORKS]);
  expect((await call("delete_entities", { entityNames: ["Mia", "nobody"] })).structured).toEqual({
    success: true,
    message: "Entities deleted successfully",
  });
  expect(await graphIn(memory).read()).toEqual({ entities: [WANG, ACME], relations: [] });
  await memory.close();
  expect(readFileSync(path).includes("cello")).toBe(false);
  memory = await Memory.open({ path, preset: "bm25", scope: "me" });
  await call("create_entities", { entities: [{ ...MIA, observations: [] }] });
  expect((await call("open_nodes", { names: ["Mia"] })).structured).toMatchObject({
    entities: [{ observations: [] }],
  });
});

test("names may hold anything that can be stored; two that look alike in words stay two", async () => {
  const tricky = [
    { name: "a: b", entityType: "c", observations: ["d"] },
    { name: "a", entityType: "b", observations: ["b: c", "__proto__", "'; DROP TABLE turns; --"] },
    { name: "__proto__", entityType: "constructor", observations: ["<b>x</b>\nline two"] },
    { name: `long ${"名".repeat(400)}`, entityType: "", observations: [] },
  ];
  await call("create_entities", { entities: tricky });
  expect((await graphIn(memory).read()).entities).toEqual(tricky);
  await call("delete_entities", { entityNames: ["a: b"] });
  expect((await graphIn(memory).read()).entities).toEqual(tricky.slice(1));
  await expect(
    call("create_entities", { entities: [{ name: " ", entityType: "x", observations: [] }] }),
  ).rejects.toThrow(/entities\.0\.name: must not be empty/);
  await expect(call("create_entities", { entities: [{ ...MIA, observations: ["\u0000"] }] })).rejects.toThrow(
    /control character/,
  );
  await expect(call("search_nodes", {})).rejects.toThrow(/input of search_nodes is not valid\. query/);
});

test("two that say the same at the same moment make one graph; scopes have graphs of their own", async () => {
  const other = await Memory.open({ path, preset: "bm25", scope: "me" });
  await Promise.all([
    ...[memory, other].map((one) => call("create_entities", { entities: [MIA, WANG] }, one)),
    ...[memory, other].map((one) => call("create_relations", { relations: [WORKS] }, one)),
    ...Array.from({ length: 5 }, (_, n) =>
      call("create_entities", { entities: [{ ...ACME, name: `co ${n}` }] }),
    ),
  ]);
  const { entities, relations } = await graphIn(other).read();
  expect(entities.map(({ name }) => name).sort()).toEqual([
    "Mia",
    "co 0",
    "co 1",
    "co 2",
    "co 3",
    "co 4",
    "王芳",
  ]);
  expect(entities.find(({ name }) => name === "Mia")).toEqual(MIA);
  expect(relations).toEqual([WORKS]);
  await call("delete_entities", { entityNames: ["Mia"] }, other);
  expect((await graphIn(memory).read()).entities.map(({ name }) => name)).not.toContain("Mia");
  expect(await graphIn(memory.in("public")).read()).toEqual({ entities: [], relations: [] });
  await other.close();
});

test(
  "a client of the first generation takes over its memory.jsonl, and taking it twice changes nothing",
  async () => {
    await memory.close();
    const file = join(folder, "memory.jsonl");
    const lines = [
      { type: "entity", ...MIA },
      { type: "relation", ...KNOWS },
      { type: "entity", ...WANG, observations: ["喜欢吃火锅\u0007"] },
    ];
    writeFileSync(file, lines.map((line) => JSON.stringify(line)).join("\n"));
    const args = ["--preset", "bm25", "--db", path, "--knowledge-graph", "--import", file];
    for (const observations of [MIA.observations, [...MIA.observations, "has a dog"]]) {
      const client = await mcpClient("first", { args });
      expect((await client.tools()).map(({ name }) => name)).toEqual(
        KNOWLEDGE_GRAPH_TOOLS.map(({ name }) => name),
      );
      const { structuredContent } = await client.call("read_graph");
      expect(structuredContent).toEqual({ entities: [{ ...MIA, observations }, WANG], relations: [KNOWS] });
      await client.call("add_observations", {
        observations: [{ entityName: "Mia", contents: ["has a dog"] }],
      });
      await client.close();
    }
    memory = await Memory.open({ path, preset: "bm25", scope: "me" });
    await memory.flush();
    expect((await memory.recall("火锅")).hits[0]?.text).toBe("王芳: 喜欢吃火锅");
  },
  SLOW,
);
