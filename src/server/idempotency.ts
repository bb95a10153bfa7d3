/**
 * What if an answer is lost on its way? Whoever then asks again would have it done twice. A request that brings an
 * `idempotency-key` is done once: asked again with the same key, by the same caller, for the same scope and with the same
 * body, it gets the first answer again. While the first is under way the second waits for it. The same key with another body
 * is a mistake and refused.
 *
 * Such a request is seen through even if its caller hangs up: that is the very case the key is for. Only answers of work
 * that was done are kept, in this process, the newest ten thousand, for a day: a request that failed may be sent again.
 */
import { createHash } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { type Clock, systemClock } from "../base/clock.ts";
import { MemoryError } from "../base/errors.ts";
import { type Effect, OPERATIONS } from "../operations/index.ts";
import { callerOf } from "./access.ts";
import { bodyBytes } from "./body.ts";
import { createReplies, type Reply } from "./kept-replies.ts";
import type { Server, ServerContext, ServerEnv } from "./server.ts";
import { acceptsEvents } from "./sse.ts";

const HEADER = "idempotency-key";
const VALID_KEY = /^[\x21-\x7e]{1,255}$/;

/** What changes something; to ask twice does no harm elsewhere. */
const EFFECTS: ReadonlyMap<string, Effect> = new Map(
  OPERATIONS.filter(({ route, effect }) => route.method === "POST" && effect !== "read").map(
    ({ route, effect }) => [route.path, effect],
  ),
);

export function idempotent(server: Server, clock: Clock = systemClock): MiddlewareHandler<ServerEnv> {
  const replies = createReplies(clock);
  return async (context, next) => {
    const key = context.req.header(HEADER);
    const effect = context.req.method === "POST" ? EFFECTS.get(context.req.path) : undefined;
    if (key === undefined || effect === undefined) return next();
    checkRequest(context, key);
    const { access, memory } = await callerOf(context, server, effect);
    const body = await bodyBytes(context, server.limits.bodyBytes);
    const place = JSON.stringify([access.key, memory.scope, key]);
    const done = await replies.once(place, printOf(context, body), async () => {
      context.req.raw = seenThrough(context.req.raw, body);
      await next();
      return replyOf(context.res);
    });
    if (done.isReplay) {
      const { status, type, body: bytes } = done.reply;
      context.res = new Response(bytes, { status, headers: { "content-type": type } });
      context.res.headers.set("idempotent-replay", "true");
    }
    return undefined;
  };
}

function checkRequest(context: ServerContext, key: string): void {
  if (!VALID_KEY.test(key)) {
    throw new MemoryError(
      "input_invalid",
      `The header ${HEADER} is not valid. Valid: 1 to 255 visible ASCII characters, as a UUID.`,
    );
  }
  if (acceptsEvents(context.req.header("accept"))) {
    throw new MemoryError(
      "input_invalid",
      `A stream of progress cannot be given a second time. Valid: the header ${HEADER} with "Accept: application/json", or no such header.`,
    );
  }
}

/** Two requests are the same if they ask for the same with the same words. */
function printOf({ req }: ServerContext, body: Uint8Array): string {
  const { pathname, search } = new URL(req.url);
  return createHash("sha256").update(`${pathname}\n${search}\n`).update(body).digest("base64");
}

/** The same request, which nobody can take back any more. */
function seenThrough({ url, method, headers }: Request, body: Uint8Array): Request {
  return new Request(url, { method, headers, body: new Uint8Array(body) });
}

/** undefined: nothing was done that must not be done again. */
async function replyOf(response: Response): Promise<Reply | undefined> {
  if (!response.ok) return undefined;
  const body = new Uint8Array(await response.clone().arrayBuffer());
  return { status: response.status, type: response.headers.get("content-type") ?? "application/json", body };
}
