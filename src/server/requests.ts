/**
 * What holds for every request, whatever becomes of it? It has an id, which its answer and the log carry; it is counted and
 * timed; it is a span for whoever traces; and nothing that is thrown leaves without an answer in the one shape of errors.
 */
import { randomUUID } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import { MemoryError } from "../base/errors.ts";
import { errorReply, logUnexpected } from "./error-reply.ts";
import type { RequestCounts } from "./metrics.ts";
import type { Server, ServerContext, ServerEnv } from "./server.ts";
import { inRequestSpan } from "./spans.ts";

const REQUEST_ID = "x-request-id";
const VALID_ID = /^[\w.-]{1,64}$/;
const UNMATCHED = "unmatched";

export function requests(server: Server, counts: RequestCounts): MiddlewareHandler<ServerEnv> {
  return async (context, next) => {
    const requestId = idOf(context);
    context.set("requestId", requestId);
    const started = performance.now();
    counts.begin();
    await inRequestSpan(context, async () => {
      try {
        await next();
      } catch (error) {
        context.res = errorReply(error, context);
      }
      if (context.error !== undefined) logUnexpected(context.error, requestId, server.log);
      const ms = performance.now() - started;
      const route = routeOf(context);
      const { status, headers } = context.res;
      headers.set(REQUEST_ID, requestId);
      headers.set("server-timing", `total;dur=${ms.toFixed(1)}`);
      const { method } = context.req;
      counts.end({ method, route, status, ms });
      if (server.isVerbose === true)
        server.log(`${requestId} ${method} ${route} ${status} ${ms.toFixed(1)} ms`);
      return { route, status };
    });
  };
}

/** A path that cannot be decoded means nothing to any route. */
export const wellFormedUrl: MiddlewareHandler<ServerEnv> = (context, next) => {
  const { url } = context.req;
  if (url.includes("%")) {
    try {
      decodeURIComponent(new URL(url).pathname);
    } catch (cause) {
      throw new MemoryError("input_invalid", "The path is not encoded well. Valid: UTF-8 as %E5%BC%A0.", {
        cause,
      });
    }
  }
  return next();
};

/** The template of the route, never the path: it names labels and spans. */
function routeOf(context: ServerContext): string {
  // What answers for everything else is asked last, and matches always.
  const path = matchedRoutes(context).findLast((route) => !route.path.endsWith("*"))?.path;
  if (path === undefined) return UNMATCHED;
  return path.replaceAll(/:(\w+)(?:\{[^}]*\})?/g, "{$1}");
}

/** The caller's own, so that two logs can be held side by side; else a new one. */
function idOf({ req }: ServerContext): string {
  const given = req.header(REQUEST_ID);
  return given !== undefined && VALID_ID.test(given) ? given : randomUUID();
}
