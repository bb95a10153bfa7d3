/** The memory over standard input and output, until the client is gone. Nothing but the protocol goes to stdout. */
import { MemoryError } from "../../base/errors.ts";
import { KNOWLEDGE_GRAPH_TOOLS } from "../../server/mcp/knowledge-graph/tools.ts";
import { serveStdio } from "../../server/mcp/stdio.ts";
import { OPERATION_TOOLS } from "../../server/mcp/tools.ts";
import { VERSION } from "../../server/version.ts";
import type { Given } from "../command.ts";
import { importGraph } from "../import-graph.ts";
import type { Terminal } from "../terminal.ts";
import { stoppable } from "../underway.ts";
import { withMemory } from "../with-memory.ts";

export async function serveMcp(given: Given, terminal: Terminal): Promise<number> {
  const isGraph = given.isSet("knowledge-graph");
  const isReadOnly = given.isSet("read-only");
  const file = given.text("import");
  if (file !== undefined && (!isGraph || isReadOnly)) {
    throw new MemoryError(
      "option_invalid",
      "--import fills the knowledge graph. Valid: with --knowledge-graph and without --read-only; neuromem import takes in other files.",
    );
  }
  const opening = { isNew: !isReadOnly, background: !isReadOnly, isQuiet: true, embedsLater: true };
  return withMemory(given, terminal, opening, async ({ memory }) => {
    if (file !== undefined) {
      const count = await importGraph(memory, file);
      terminal.note(
        terminal.text({ en: `${count} new facts from ${file}.`, zh: `从 ${file} 读入 ${count} 条新内容。` }),
      );
    }
    await stoppable((signal) =>
      serveStdio(memory, {
        tools: isGraph ? KNOWLEDGE_GRAPH_TOOLS : OPERATION_TOOLS,
        version: VERSION,
        stdin: process.stdin,
        stdout: process.stdout,
        log: terminal.note,
        isReadOnly,
        signal,
      }),
    );
    return 0;
  });
}
