/**
 * How long until a desktop client has its first answer? `neuromem mcp` is started as a client starts it, on a file with ten
 * thousand memories: from the start of the process to the answer of the first tool call, handshake and listing of the tools
 * included, each time with a new process. A recall also waits for the built-in embedder to be loaded. The client is as it comes:
 * one that is told to find out the newest protocol starts every server twice, once only to ask.
 */
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Memory } from "../../src/runtime/memory.ts";
import { createCorpus, DIMENSION } from "../engine/corpus.ts";
import { fillFile, questionOf, SCOPE } from "../filled-memory.ts";
import { median } from "../measure.ts";
import { inTemporaryFolder } from "../pipeline/temporary-folder.ts";
import { atMost, type Row } from "../report.ts";

const ENTRIES = 10_000;
const STARTS = 9;
const COMMAND = fileURLToPath(new URL("../../bin/neuromem.js", import.meta.url));

export function benchMcpStart(): Promise<Row[]> {
  return inTemporaryFolder(async (folder) => {
    const corpus = createCorpus();
    const file = `${folder}/memory.db`;
    await fillFile(file, corpus, ENTRIES, { space: await builtInSpace(folder) });
    const question = questionOf(corpus, 1);
    const calls = {
      list: { name: "list", arguments: { limit: 10 } },
      recall: { name: "recall", arguments: { question } },
    };
    const times = { list: [] as number[], recall: [] as number[] };
    // In turns, and the first of each does not count: it finds the file cold.
    for (let start = -1; start < STARTS; start++) {
      for (const name of ["list", "recall"] as const) {
        const ms = await firstAnswer(file, calls[name]);
        if (start >= 0) times[name].push(ms);
      }
    }
    const row = (name: "list" | "recall", what: string): Row => ({
      what: `MCP stdio start to first tool answer (${what}), ${ENTRIES / 1000} k entries`,
      value: median(times[name]) / 1000,
      bar: atMost(1, "s"),
      measured: `median of ${STARTS} starts, ${Math.min(...times[name]).toFixed(0)} to ${Math.max(...times[name]).toFixed(0)} ms`,
    });
    return [row("list", "list"), row("recall", "recall, with the embedder's loading")];
  });
}

/** Milliseconds from the start of the process to the answer. */
async function firstAnswer(file: string, call: Parameters<Client["callTool"]>[0]): Promise<number> {
  const start = performance.now();
  const client = new Client({ name: "bench", version: "1.0.0" });
  const args = [COMMAND, "mcp", "--db", file, "--scope", SCOPE];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }));
  const { isError, content } = await client.callTool(call);
  const ms = performance.now() - start;
  await client.close();
  if (isError === true) throw new Error(`The first call failed: ${JSON.stringify(content).slice(0, 300)}`);
  return ms;
}

/** The space of the built-in embedder that texts like the corpus's are put into. */
async function builtInSpace(folder: string): Promise<string> {
  const memory = await Memory.open({ path: `${folder}/space.db`, scope: SCOPE });
  const { embedder } = await memory.status();
  await memory.close();
  const space = embedder?.spaces[0];
  if (space === undefined) throw new Error(`No built-in embedder of ${DIMENSION} numbers is installed.`);
  return space;
}
