/**
 * A memory for any client that speaks OpenAI's chat API, by changing its base URL. POST /v1/chat/completions, streaming or not,
 * is answered by the upstream server with what the memory knows in its prompt (chat.ts); everything else under /v1 passes
 * through as it is.
 *
 *     const app = createProxyApp({ memory, upstream: "https://api.openai.com/v1" });
 *     const listening = await listen(app, { host: "127.0.0.1", port: 8766, limits: PROXY_LIMITS });
 *
 * Whose memory: the scope of the key, where keys are asked for; else the header `neuromem-scope`, or with `userIsScope` the
 * body's `user`; else the memory's own. Which conversation: the header `neuromem-session`, else conversations.ts tells. The
 * header `neuromem-memory: off` asks for a call that is neither reminded nor remembered; with a key that may only read, what is
 * known is recalled and nothing is recorded.
 *
 * A key of ours never goes upstream. With keys, the upstream server gets `upstreamKey`, or the client's own Authorization if
 * ours came as x-api-key; without keys, the client's Authorization as it is, and `upstreamKey` if it has none.
 */
import { randomUUID } from "node:crypto";
import { Hono } from "hono";
import { MemoryError } from "../../base/errors.ts";
import { accessOf } from "../access.ts";
import { cors } from "../cors.ts";
import { errorBody, errorReply, logUnexpected } from "../error-reply.ts";
import { hostGuard } from "../host-guard.ts";
import { rateLimit } from "../rate-limit.ts";
import type { Server, ServerContext, ServerEnv } from "../server.ts";
import { chatCall } from "./chat.ts";
import { requestHeaders, sentQuery } from "./headers.ts";
import { type ProxyOptions, type ProxyParts, partsOf } from "./proxy-options.ts";
import { relay } from "./relay.ts";

export interface ProxyApp extends Hono<ServerEnv> {
  /** Until all that was said through it so far has been written down. */
  settled(): Promise<void>;
  /** When no request is under way any more: what was said is written down, and the lines upstream are closed. */
  close(): Promise<void>;
}

export function createProxyApp(options: ProxyOptions): ProxyApp {
  const parts = partsOf(options);
  const { server, upstream, recordings } = parts;
  const app = new Hono<ServerEnv>();
  app.use((context, next) => {
    context.set("requestId", randomUUID());
    return next();
  });
  app.use(hostGuard(server), cors(server.origins), rateLimit(server));
  app.get("/health", (context) => context.json({ status: "ok" }));
  app.post("/v1/chat/completions", (context) => chatCall(context, parts));
  app.all("/v1/*", (context) => passOn(context, parts));
  app.notFound((context) => proxyError(unknownPath(context), context, server));
  app.onError((error, context) => proxyError(error, context, server));
  return Object.assign(app, {
    settled: () => recordings.settled(),
    async close() {
      await recordings.settled();
      upstream.close();
    },
  });
}

/** What is no chat: models, embeddings, files … */
async function passOn(context: ServerContext, { server, upstream, options }: ProxyParts): Promise<Response> {
  await accessOf(context, server);
  const { req } = context;
  const path = new URL(req.url).pathname;
  // As the URL is read in the end: "/v1/%2e%2e/x" is not under /v1.
  if (path !== "/v1" && !path.startsWith("/v1/")) throw unknownPath(context);
  const length = req.header("content-length");
  const hasBody = length === undefined ? req.header("transfer-encoding") !== undefined : length !== "0";
  const incoming = await upstream.send({
    method: req.method,
    path: path.slice("/v1".length),
    query: sentQuery(req.url),
    headers: {
      ...requestHeaders(req.raw.headers, options),
      ...(length === undefined ? {} : { "content-length": length }),
    },
    body: hasBody ? req.raw.body : null,
    signal: req.raw.signal,
  });
  return relay(context, incoming);
}

/** As OpenAI's clients read it, with what our own say besides. */
function proxyError(error: unknown, context: ServerContext, { log }: Server): Response {
  const { requestId } = context.var;
  logUnexpected(error, requestId, log);
  const { status, headers } = errorReply(error, context);
  const { error: told } = errorBody(error, requestId);
  const type = status < 500 ? "invalid_request_error" : "api_error";
  return new Response(JSON.stringify({ error: { ...told, type, param: null } }), { status, headers });
}

function unknownPath({ req }: ServerContext): MemoryError {
  return new MemoryError(
    "route_not_found",
    `There is nothing at ${req.path.slice(0, 200)}. Valid: /v1/chat/completions, and what the upstream server has under /v1.`,
  );
}
