/**
 * What may a browser do with what we send? As little as possible: JSON is never a page, a page runs no script that was
 * written into it, nothing of ours is shown inside somebody else's page, and no cache keeps anybody's memories.
 */
import type { MiddlewareHandler } from "hono";
import type { ServerEnv } from "./server.ts";

const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";
/** Pages have their styles in them, and their scripts in files beside them. */
const PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'self' 'unsafe-inline'",
  "script-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** What holds everybody's memories, whichever door it stands behind. */
const KEPT_BY_NOBODY = /^\/(v\d+|mcp|mem0|metrics)(\/|$)/;

export function securityHeaders(): MiddlewareHandler<ServerEnv> {
  return async (context, next) => {
    await next();
    const { headers } = context.res;
    const isPage = headers.get("content-type")?.startsWith("text/html") === true;
    headers.set("x-content-type-options", "nosniff");
    headers.set("x-frame-options", "DENY");
    headers.set("referrer-policy", "no-referrer");
    headers.set("cross-origin-resource-policy", "same-origin");
    // A page that needs more says so itself.
    if (!headers.has("content-security-policy"))
      headers.set("content-security-policy", isPage ? PAGE_POLICY : DATA_POLICY);
    if (KEPT_BY_NOBODY.test(context.req.path)) headers.set("cache-control", "no-store");
  };
}
