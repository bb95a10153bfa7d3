/**
 * Was this server meant? Without keys it trusts whoever reaches a loopback address, and a page in the owner's browser does if
 * its name is made to point there (DNS rebinding): to the browser it is then the page's own server. The name it was called
 * by gives it away, so without keys only the names of this machine are answered.
 */
import type { MiddlewareHandler } from "hono";
import { MemoryError } from "../base/errors.ts";
import { errorReply } from "./error-reply.ts";
import type { Server, ServerEnv } from "./server.ts";

export function hostGuard({ keys }: Pick<Server, "keys">): MiddlewareHandler<ServerEnv> {
  return async (context, next) => {
    const names = [context.req.header("host") ?? "", new URL(context.req.url).host];
    if (keys !== null || names.every((name) => isLoopback(withoutPort(name)))) return next();
    return errorReply(
      new MemoryError(
        "origin_forbidden",
        "Without keys this server answers to localhost, 127.0.0.1 and [::1] only. Valid: call it by one of these, or start it with keys.",
      ),
      context,
    );
  };
}

/** Whether only this machine reaches it; an address, or the one name that means it everywhere. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, "$1");
  return name === "localhost" || name === "::1" || /^127(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}$/.test(name);
}

function withoutPort(host: string): string {
  return host.replace(/:\d*$/, "");
}
