/** What if nothing is there? A path that no route has is unknown; one that has routes, but not for this method, says which it has. */
import type { Hono } from "hono";
import { TrieRouter } from "hono/router/trie-router";
import { MemoryError } from "../base/errors.ts";
import { errorReply } from "./error-reply.ts";
import type { ServerContext, ServerEnv } from "./server.ts";

export function noRoute(app: Hono<ServerEnv>): (context: ServerContext) => Response {
  let methods: TrieRouter<string> | undefined;
  return (context) => {
    methods ??= methodsByPath(app);
    const valid = validMethods(methods, context.req.path);
    if (valid.length === 0) return errorReply(unknownPath(context), context);
    const allow = valid.join(", ");
    if (context.req.method === "OPTIONS") return new Response(null, { status: 204, headers: { allow } });
    const reply = errorReply(
      new MemoryError(
        "method_not_allowed",
        `${context.req.method.slice(0, 20)} is not possible here. Valid: ${allow}.`,
        { details: { valid } },
      ),
      context,
    );
    reply.headers.set("allow", allow);
    return reply;
  };
}

/** When everything is mounted. What runs for every method is middleware, or answers for itself. */
function methodsByPath({ routes }: Hono<ServerEnv>): TrieRouter<string> {
  const router = new TrieRouter<string>();
  for (const { method, path } of routes) if (method !== "ALL") router.add("ALL", path, method);
  return router;
}

function validMethods(router: TrieRouter<string>, path: string): string[] {
  const found = new Set(router.match("ALL", path)[0].map(([method]) => method));
  if (found.size === 0) return [];
  if (found.has("GET")) found.add("HEAD");
  return [...found.add("OPTIONS")].sort();
}

function unknownPath({ req }: ServerContext): MemoryError {
  return new MemoryError(
    "route_not_found",
    `There is nothing at ${req.path.slice(0, 200)}. Valid: what /openapi.json lists; /docs shows it to people.`,
  );
}
