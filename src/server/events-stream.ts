/**
 * What changes in a memory, while it changes? GET /v1/events sends every change of the scope as a server-sent event `change`,
 * whose `id` is its place in the log: a browser that was cut off says the last one itself (`Last-Event-ID`) and misses
 * nothing; a program says `?after=`, for instance with the `next` of GET /v1/changes. Without either it begins now.
 *
 * Before changes are read, and after every sign of life, the key is looked at again: one that was revoked ends the stream.
 */
import type { Hono } from "hono";
import { z } from "zod";
import { MemoryError } from "../base/errors.ts";
import { parseInput } from "../base/parse-input.ts";
import type { Memory } from "../runtime/memory.ts";
import { callerOf } from "./access.ts";
import { errorBody, logUnexpected } from "./error-reply.ts";
import type { HeadWatcher } from "./head-watcher.ts";
import { MOST_CONNECTIONS } from "./listen.ts";
import { queryOf, queryReader } from "./query-fields.ts";
import type { Server, ServerContext, ServerEnv } from "./server.ts";
import { eventStream, frame, HEARTBEAT, HEARTBEAT_MS } from "./sse.ts";

export const EVENTS_PATH = "/v1/events";
const PAGE = 100;
/** A stream keeps its connection: so many are left for calls. */
const MOST_STREAMS = MOST_CONNECTIONS / 2;
/** How long a browser waits before it asks again, and from where: nothing is missed before the first event, either. */
const hello = (after: number): string => `id: ${after}\nretry: 1000\n: following\n\n`;

const placeInput = z.strictObject({ after: z.int().min(0).optional() });
const readQuery = queryReader({ input: placeInput, route: { method: "GET", path: EVENTS_PATH } });

export function mountEvents(app: Hono<ServerEnv>, server: Server, watcher: HeadWatcher): void {
  let streams = 0;
  app.get(EVENTS_PATH, async (context) => {
    const { memory } = await callerOf(context, server, "read");
    const asked = askedPlace(context);
    if (streams >= MOST_STREAMS)
      throw new MemoryError(
        "rate_limited",
        `${MOST_STREAMS} streams are open, as many as may be. Valid: ask again when one has ended, or read GET /v1/changes.`,
        { details: { limit: MOST_STREAMS } },
      );
    const after = asked ?? (await watcher.head());
    return eventStream(
      async function* (ended) {
        streams++;
        try {
          yield hello(after);
          yield* follow(context, server, { memory, watcher, ended, after });
        } finally {
          streams--;
        }
      },
      [server.closing, context.req.raw.signal],
    );
  });
}

interface Following {
  readonly memory: Memory;
  readonly watcher: HeadWatcher;
  readonly ended: AbortSignal;
  readonly after: number;
}

async function* follow(
  context: ServerContext,
  server: Server,
  { memory, watcher, ended, after: start }: Following,
): AsyncGenerator<string, void> {
  let after = start;
  try {
    while (!ended.aborted) {
      context.set("access", undefined);
      await callerOf(context, server, "read");
      const seen = await watcher.head();
      const { events, next } = await memory.changes({ after, limit: PAGE });
      for (const event of events) yield frame({ event: "change", id: event.seq, data: event });
      after = next;
      if (events.length === PAGE) continue;
      if (!(await watcher.moved(seen, HEARTBEAT_MS, ended))) yield HEARTBEAT;
    }
  } catch (error) {
    logUnexpected(error, context.var.requestId, server.log);
    yield frame({ event: "error", data: errorBody(error, context.var.requestId) });
  }
}

/** What a browser says by itself is newer than what stands in its URL. */
function askedPlace({ req }: ServerContext): number | undefined {
  const last = req.header("last-event-id") ?? "";
  const given = { ...readQuery(queryOf(req.url)), ...(last === "" ? {} : { after: numberOr(last) }) };
  return parseInput(placeInput, given, "place to follow from").after;
}

function numberOr(text: string): number | string {
  return /^\d{1,15}$/.test(text) ? Number(text) : text;
}
