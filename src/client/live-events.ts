/**
 * What changes, as it changes. A connection that breaks is opened again where the last event ended, for as long as anybody
 * listens: the server has the changes on disk, so none is missed and none comes twice. What will not pass by itself (a key
 * that was revoked) is thrown.
 */
import { z } from "zod";
import { MemoryError } from "../base/errors.ts";
import { parseInput } from "../base/parse-input.ts";
import { type EventOutput, eventOutput } from "../operations/schemas/entry.ts";
import type { Asking } from "./ask-server.ts";
import { send } from "./connection.ts";
import { pause, waitMs } from "./patience.ts";
import { readJson } from "./read-json.ts";
import { replyError } from "./reply-error.ts";
import { readSentEvents } from "./server-sent-events.ts";

export interface EventsOptions {
  /** `seq` of the last event that is known. @default from now on */
  readonly after?: number | undefined;
  /** Ends the listening. */
  readonly signal?: AbortSignal | undefined;
}

export type LiveEvent = EventOutput;

const NAME = "events";
const placeSchema = z.strictObject({ after: z.int().min(0).optional() });
/** At most so long after a stream that the server ended. */
const AGAIN_MS = 1000;

export async function* liveEvents(
  { settings, scope }: Asking,
  { signal: own, ...options }: EventsOptions,
  closing: AbortSignal,
): AsyncGenerator<LiveEvent, void, undefined> {
  const { after } = parseInput(placeSchema, options, `options of ${NAME}`);
  const signal = own === undefined ? closing : AbortSignal.any([own, closing]);
  let place = after === undefined ? undefined : String(after);
  for (let tried = 0; !signal.aborted; tried++) {
    let wait = Math.random() * AGAIN_MS;
    try {
      const headers = place === undefined ? undefined : { "last-event-id": place };
      const request = { method: "GET", path: "/v1/events", headers: headers ?? {} };
      const reply = await send(settings, { name: NAME, request, scope, accept: "text/event-stream", signal });
      for await (const { event, data, id } of readSentEvents(reply.pieces())) {
        tried = 0;
        if (event === "error") throw replyError(NAME, 500, data);
        place = id ?? place;
        if (data !== "")
          yield parseInput(eventOutput, readJson(data), "event of the server", "reply_invalid");
      }
    } catch (error) {
      if (signal.aborted) return;
      wait = patienceWith(error, tried);
    }
    await pause(wait, signal);
  }
}

/** A stream that is silent has lost its server: there are signs of life on it all the time. */
function patienceWith(error: unknown, tried: number): number {
  const isSilent = MemoryError.is(error) && error.code === "request_timeout";
  const wait = isSilent ? 0 : waitMs(error, tried);
  if (wait === undefined) throw error;
  return wait;
}
