/**
 * Which calls does HTTP have? One route for every row of the table of operations, made from what the row says: its fields come
 * from the path and the query, or from the body; it answers with JSON, with lines, or, where that is asked for, with its
 * progress. No call has a route of its own making, so none can drift from the others.
 */
import type { Hono } from "hono";
import { MemoryError } from "../base/errors.ts";
import { type Call, type LinesOutOperation, OPERATIONS, type Operation } from "../operations/index.ts";
import type { Memory } from "../runtime/memory.ts";
import { callerOf } from "./access.ts";
import { bodyJson } from "./body.ts";
import { bodyLines } from "./body-lines.ts";
import { logUnexpected } from "./error-reply.ts";
import { progressStream } from "./progress-stream.ts";
import { queryOf, queryReader, refuseQuery } from "./query-fields.ts";
import type { Server, ServerContext, ServerEnv } from "./server.ts";
import { acceptsEvents, streamOf } from "./sse.ts";

/** Lines go out together up to so many characters: one by one, the sending would cost more than the reading. */
const CHUNK_CHARS = 64 * 1024;

export function mountOperations(app: Hono<ServerEnv>, server: Server): void {
  for (const operation of OPERATIONS) {
    const { method, path } = operation.route;
    app.on(method, path.replaceAll(/\{(\w+)\}/g, ":$1"), handlerOf(operation, server));
  }
}

function handlerOf(operation: Operation, server: Server): (context: ServerContext) => Promise<Response> {
  const readInput = inputReader(operation, server);
  return async (context) => {
    const { memory } = await callerOf(context, server, operation.effect);
    const given = await readInput(context);
    const { signal } = context.req.raw;
    if (operation.kind === "lines-out")
      return linesReply(context, server, operation.run(memory, given, { signal }));
    const lines = operation.kind === "lines-in" ? bodyLines(context, server.limits.importBytes) : undefined;
    const run = (call: Call): Promise<unknown> => runOne(operation, memory, given, lines, call);
    if (operation.route.method !== "POST" || !acceptsEvents(context.req.header("accept")))
      return jsonReply(await run({ signal }));
    const { requestId } = context.var;
    const onError = (error: unknown): void => logUnexpected(error, requestId, server.log);
    return progressStream({ requestId, signal, onError, run });
  };
}

async function runOne(
  operation: Exclude<Operation, LinesOutOperation>,
  memory: Memory,
  given: unknown,
  lines: AsyncIterable<string> | undefined,
  call: Call,
): Promise<unknown> {
  if (operation.kind === "call") return operation.run(memory, given, call);
  return operation.run(memory, given, lines ?? noLines(), call);
}

async function* noLines(): AsyncGenerator<string> {
  // A call that takes none.
}

/** Where the fields of a row are in a request. */
function inputReader(operation: Operation, { limits }: Server): (context: ServerContext) => Promise<unknown> {
  const { route, kind } = operation;
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  if (route.method === "POST" && kind !== "lines-in") {
    return async (context) => {
      refuseQuery(queryOf(context.req.url));
      return bodyJson(context, limits.bodyBytes);
    };
  }
  const readQuery = queryReader(operation);
  return async (context) => {
    if (kind !== "lines-in") refuseBody(context);
    const path = Object.fromEntries(names.map((name) => [name, context.req.param(name)]));
    return { ...readQuery(queryOf(context.req.url)), ...path };
  };
}

function refuseBody({ req }: ServerContext): void {
  const hasBody =
    (req.header("content-length") ?? "0") !== "0" || req.header("transfer-encoding") !== undefined;
  if (hasBody)
    throw new MemoryError("input_invalid", `A ${req.method} has no body here. Valid: fields in the query.`);
}

function jsonReply(value: unknown): Response {
  return new Response(JSON.stringify(value), { headers: { "content-type": "application/json" } });
}

/** What is wrong with the call shows before the first line, while there is a status to say it with. */
async function linesReply(
  context: ServerContext,
  { log }: Server,
  lines: AsyncIterable<string>,
): Promise<Response> {
  const source = lines[Symbol.asyncIterator]();
  const first = await source.next();
  const chunks = async function* (): AsyncGenerator<string, void> {
    try {
      let chunk = "";
      for (let line = first; !line.done; line = await source.next()) {
        chunk += `${line.value}\n`;
        if (chunk.length < CHUNK_CHARS) continue;
        yield chunk;
        chunk = "";
      }
      if (chunk !== "") yield chunk;
    } catch (error) {
      logUnexpected(error, context.var.requestId, log);
      throw error;
    } finally {
      await source.return?.();
    }
  };
  return streamOf(chunks(), { "content-type": "application/x-ndjson; charset=utf-8" });
}
