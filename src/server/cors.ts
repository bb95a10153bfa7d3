/**
 * Which pages may call? Ours, and those of the origins the owner named; nobody else's. A page somewhere in the net can make
 * its visitor's browser send requests to a server on that very machine: whoever only keeps the answers from it lets it write.
 * So requests of other pages are refused, not just left without the headers that would let their answers be read.
 *
 * Programs send no Origin and are not asked for one.
 */
import type { Context, MiddlewareHandler } from "hono";
import { MemoryError } from "../base/errors.ts";
import { errorReply } from "./error-reply.ts";
import type { ServerEnv } from "./server.ts";

const METHODS = "GET, POST, DELETE, OPTIONS";
const EXPOSED = [
  "x-request-id",
  "retry-after",
  "ratelimit-limit",
  "ratelimit-remaining",
  "ratelimit-reset",
  "idempotent-replay",
  "server-timing",
].join(", ");
const PREFLIGHT_SECONDS = "600";

/** What another page's link may lead to: something to look at, which does nothing. */
const isLookedAt = (context: Context): boolean =>
  (context.req.method === "GET" || context.req.method === "HEAD") &&
  !/^\/(v\d+|mcp|mem0)(\/|$)/.test(context.req.path);

export function cors(origins: readonly string[]): MiddlewareHandler<ServerEnv> {
  const allowed = new Set(origins.map(checkedOrigin));
  return async (context, next) => {
    const origin = context.req.header("origin");
    const isAllowed = origin !== undefined && allowed.has(origin);
    if (!isAllowed && isForeign(context, origin) && !isLookedAt(context))
      return errorReply(refusal(origin), context);
    if (!isAllowed) return next();
    const headers = isPreflight(context) ? preflight(context) : await following(context, next);
    headers.set("access-control-allow-origin", origin);
    headers.append("vary", "origin");
    return undefined;
  };
}

async function following(context: Context<ServerEnv>, next: () => Promise<void>): Promise<Headers> {
  await next();
  context.res.headers.set("access-control-expose-headers", EXPOSED);
  return context.res.headers;
}

function preflight(context: Context<ServerEnv>): Headers {
  context.res = new Response(null, { status: 204 });
  const { headers } = context.res;
  headers.set("access-control-allow-methods", METHODS);
  headers.set("access-control-max-age", PREFLIGHT_SECONDS);
  const asked = context.req.header("access-control-request-headers");
  if (asked !== undefined) headers.set("access-control-allow-headers", asked);
  if (context.req.header("access-control-request-private-network") === "true")
    headers.set("access-control-allow-private-network", "true");
  return headers;
}

function isPreflight(context: Context): boolean {
  return (
    context.req.method === "OPTIONS" && context.req.header("access-control-request-method") !== undefined
  );
}

/** A browser says where a page comes from; where it sends no Origin (pictures, links) it says whether it is another's. */
function isForeign(context: Context, origin: string | undefined): boolean {
  if (origin !== undefined) return hostOf(origin) !== context.req.header("host")?.toLowerCase();
  const site = context.req.header("sec-fetch-site");
  return site === "cross-site" || site === "same-site";
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

function refusal(origin: string | undefined): MemoryError {
  return new MemoryError(
    "origin_forbidden",
    "Pages of this origin may not call this server. Valid: a page of the server's own, or of an origin it was started with (--open-origin).",
    origin === undefined ? {} : { details: { origin: origin.slice(0, 200) } },
  );
}

/** Exactly as a browser writes it: anything else would never match, and nobody would know why. */
function checkedOrigin(given: string): string {
  if (URL.canParse(given) && new URL(given).origin === given && /^https?:/.test(given)) return given;
  throw new MemoryError(
    "option_invalid",
    `"${given}" is not an origin. Valid: scheme, host and port as a browser sends them, without a path, as http://localhost:3000.`,
  );
}
