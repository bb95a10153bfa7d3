/** The nine tools of the knowledge graph, as a desktop client has them: a real client over stdio, a process of its own. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { KNOWLEDGE_GRAPH_TOOLS } from "../../src/server/mcp/knowledge-graph/tools.ts";
import { fuzzRun, holdsForAll } from "./fuzz-run.ts";
import { expectError } from "./reply-laws.ts";
import { ANSWER_MS } from "./send.ts";
import { argumentsOf, nearValue, validOf } from "./values-of-schema.ts";

const RUN = fuzzRun(40);
const COMMAND = join(import.meta.dirname, "..", "..", "bin", "neuromem.js");
const KNOWN = { texts: ["Mia", "Rome", "小明", "lives_in"], numbers: [] };

const client = new Client({ name: "fuzz", version: "1.0.0" });
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "neuromem-fuzz-graph-"));
  const memory = ["--db", join(folder, "memory.db"), "--preset", "bm25"];
  const args = [COMMAND, "mcp", "--knowledge-graph", ...memory];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }));
});
afterAll(async () => {
  await client.close();
  await rm(folder, { recursive: true, force: true });
});

test.each(KNOWLEDGE_GRAPH_TOOLS)(`tool $name, seed ${RUN.seed}`, { timeout: 60_000 }, async (tool) => {
  const { tools } = await client.listTools();
  const valid = validOf(tools.find(({ name }) => name === tool.name)?.inputSchema, KNOWN);
  const value = fc.oneof({ weight: 3, arbitrary: valid }, { weight: 2, arbitrary: nearValue(valid) });
  let done = 0;
  await holdsForAll(RUN, value, async (input) => {
    const call = { name: tool.name, arguments: argumentsOf(input) };
    const { content, structuredContent, isError } = await client.callTool(call, { timeout: ANSWER_MS });
    const [said] = content;
    if (isError === true) expectError(JSON.parse(said?.type === "text" ? said.text : ""));
    else {
      expect(tool.output.safeParse(structuredContent).success).toBe(true);
      done++;
    }
  });
  expect(done, "no call was done: nothing was tried").toBeGreaterThan(0);
});
