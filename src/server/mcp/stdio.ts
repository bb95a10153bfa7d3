/**
 * MCP over standard input and output, for a client that starts the server as a process of its own. The output carries the
 * protocol and nothing else. Several such processes may work on one memory at a time: every call is a transaction of the
 * storage, and what one process learns, the others find.
 */
import type { Readable, Writable } from "node:stream";
import { serveStdio as connectStdio } from "@modelcontextprotocol/server/stdio";
import { MemoryError } from "../../base/errors.ts";
import type { Effect } from "../../operations/index.ts";
import type { Memory } from "../../runtime/memory.ts";
import { DrainingStdio } from "./draining-stdio.ts";
import { protocolServer } from "./protocol-server.ts";
import type { Tool } from "./tool.ts";

export interface StdioOptions {
  readonly tools: readonly Tool[];
  readonly version: string;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly log: (line: string) => void;
  /** Nothing is changed or erased, and no tool offers to. @default false */
  readonly isReadOnly?: boolean | undefined;
  /** Aborted: what was asked is answered, and it ends. */
  readonly signal?: AbortSignal | undefined;
}

/** Returns when the client is gone or the signal says so; the memory stays open. */
export async function serveStdio(memory: Memory, options: StdioOptions): Promise<void> {
  const { version, stdin, stdout, log, isReadOnly = false, signal } = options;
  const tools = options.tools.filter(({ effect }) => !isReadOnly || effect === "read");
  const memoryFor = async (effect: Effect): Promise<Memory> => {
    if (!isReadOnly || effect === "read") return memory;
    throw new MemoryError("storage_read_only", "This memory is served for reading only.");
  };
  const transport = new DrainingStdio(stdin, stdout);
  const finish = (): void => transport.finish();
  await new Promise<void>((ended) => {
    const connection = connectStdio(
      ({ era }) => {
        const server = protocolServer({ tools, version }, { memoryFor, log, isLegacy: era === "legacy" });
        server.onerror = (error) => log(`mcp: ${error.message}`);
        return server;
      },
      { transport, onerror: (error) => log(`mcp: ${error.message}`) },
    );
    const closed = transport.onclose;
    transport.onclose = () => {
      closed?.();
      void connection.close().finally(ended);
    };
    signal?.addEventListener("abort", finish, { once: true });
    if (signal?.aborted === true) finish();
  });
  signal?.removeEventListener("abort", finish);
}
