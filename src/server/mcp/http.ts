/**
 * MCP over HTTP, at /mcp: every request stands for itself, as the protocol has it since 2026; clients from before that begin
 * with a handshake are answered the same way, without a session. Who asks is asked first, so that a key that is not valid
 * is told so by the status; what a key may not change is refused by the tool.
 */
import { createMcpHandler } from "@modelcontextprotocol/server";
import { callerOf } from "../access.ts";
import type { Door, Server, ServerContext } from "../server.ts";
import { protocolServer } from "./protocol-server.ts";
import { OPERATION_TOOLS } from "./tools.ts";

export const mountMcp: Door = (app, server) => {
  app.all("/mcp", async (context) => {
    await callerOf(context, server, "read");
    return handlerFor(context, server).fetch(context.req.raw);
  });
};

function handlerFor(context: ServerContext, server: Server) {
  const { version, limits, log } = server;
  const asker = {
    memoryFor: async (effect: Parameters<typeof callerOf>[2]) =>
      (await callerOf(context, server, effect)).memory,
    requestId: context.var.requestId,
    log,
  };
  return createMcpHandler(
    ({ era }) =>
      protocolServer({ tools: OPERATION_TOOLS, version }, { ...asker, isLegacy: era === "legacy" }),
    {
      maxRequestBodySize: limits.bodyBytes,
      // Nothing that we list changes while the server runs: there is nothing to wait for on an open stream.
      maxSubscriptions: 0,
      onerror: (error) => log(`${context.var.requestId} mcp: ${error.message}`),
    },
  );
}
