/**
 * How often may somebody ask? A bucket per key holds a minute's worth of requests and fills evenly, so a burst is served at
 * once and a flood is told when to come back. Who shows no valid key is counted by address: that is also what slows guessing.
 */
import type { MiddlewareHandler } from "hono";
import { MemoryError } from "../base/errors.ts";
import { createLru } from "../base/lru.ts";
import { accessOf } from "./access.ts";
import { addressOf } from "./address.ts";
import { errorReply } from "./error-reply.ts";
import type { Server, ServerContext, ServerEnv } from "./server.ts";

interface Bucket {
  tokens: number;
  filledAt: number;
}

/** Those who asked last; who is forgotten starts with a full bucket. */
const MOST_BUCKETS = 10_000;
const MINUTE_MS = 60_000;
/** Whoever watches over the server asks often, and must not be kept from it by those it suffers from. */
const UNCOUNTED: readonly string[] = ["/health", "/ready"];

export function rateLimit(
  server: Pick<Server, "keys" | "limits">,
  now: () => number = () => performance.now(),
): MiddlewareHandler<ServerEnv> {
  const { perMinute } = server.limits;
  if (perMinute === 0) return (_, next) => next();
  const buckets = createLru<string, Bucket>(MOST_BUCKETS);
  return async (context, next) => {
    if (UNCOUNTED.includes(context.req.path)) return next();
    const moment = now();
    const bucket = buckets.get(await whoAsks(context, server), () => ({
      tokens: perMinute,
      filledAt: moment,
    }));
    const filled = bucket.tokens + ((moment - bucket.filledAt) / MINUTE_MS) * perMinute;
    bucket.tokens = Math.min(perMinute, filled);
    bucket.filledAt = moment;
    const isRefused = bucket.tokens < 1;
    if (isRefused) context.res = errorReply(refusal(bucket, perMinute), context);
    else {
      bucket.tokens--;
      await next();
    }
    const { headers } = context.res;
    headers.set("ratelimit-limit", String(perMinute));
    headers.set("ratelimit-remaining", String(Math.floor(bucket.tokens)));
    headers.set("ratelimit-reset", String(Math.ceil(((perMinute - bucket.tokens) / perMinute) * 60)));
    return undefined;
  };
}

async function whoAsks(context: ServerContext, server: Pick<Server, "keys">): Promise<string> {
  try {
    const { key } = await accessOf(context, server);
    if (key !== null) return `key ${key}`;
  } catch (error) {
    // Whether a key is needed at all is for the door to say.
    if (!MemoryError.is(error) || error.code !== "key_invalid") throw error;
  }
  return `address ${addressOf(context)}`;
}

function refusal({ tokens }: Bucket, perMinute: number): MemoryError {
  const retryAfterSeconds = Math.ceil(((1 - tokens) / perMinute) * 60);
  return new MemoryError(
    "rate_limited",
    `Too many requests. Valid: at most ${perMinute} a minute; the next one in ${retryAfterSeconds} s.`,
    { details: { perMinute, retryAfterSeconds } },
  );
}
