/**
 * What changes, as it changes. A connection that breaks is opened again where the last event ended, for as long as anybody
 * listens: the server has the changes on disk, so none is missed and none comes twice. What will not pass by itself (a key
 * that was revoked) is thrown.
 */
import { z } from "zod";
import { MemoryError } from "../base/errors.ts";
import { parseInput } from "../base/parse-input.ts";
import { type EventOutput, eventOutput } from "../operations/schemas/entry.ts";
import { type Asking, untilEither } from "./ask-server.ts";
import { type Reply, send } from "./connection.ts";
import { growingMs, pause, waitMs } from "./patience.ts";
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
const STREAM_TYPE = "text/event-stream";
/** A stream that lasted so long was a good one: the next attempt is a first one. */
const STEADY_MS = 10_000;

export async function* liveEvents(
  { settings, scope }: Asking,
  { signal: own, ...options }: EventsOptions,
  closing: AbortSignal,
): AsyncGenerator<LiveEvent, void, undefined> {
  const { after } = parseInput(placeSchema, options, `options of ${NAME}`);
  const signal = untilEither({ signal: own }, closing, NAME);
  let place = after === undefined ? undefined : String(after);
  for (let tried = 0; !signal.aborted; tried++) {
    const begun = Date.now();
    let failure: unknown;
    try {
      const headers = place === undefined ? undefined : { "last-event-id": place };
      const request = { method: "GET", path: "/v1/events", headers: headers ?? {} };
      const reply = await send(settings, { name: NAME, request, scope, accept: STREAM_TYPE, signal });
      refuseOtherTypes(reply);
      for await (const { event, data, id } of readSentEvents(reply.pieces())) {
        if (event === "error") throw replyError(NAME, 500, data);
        place = id ?? place;
        if (data === "") continue;
        tried = 0;
        yield parseInput(eventOutput, readJson(data), "event of the server", "reply_invalid");
      }
    } catch (error) {
      if (signal.aborted) return;
      failure = error;
    }
    if (Date.now() - begun > STEADY_MS) tried = 0;
    await pause(failure === undefined ? growingMs(tried + 1) : patienceWith(failure, tried), signal);
  }
}

/** What is no stream would look like one without an event, for ever. */
function refuseOtherTypes({ headers, end }: Reply): void {
  const type = headers.get("content-type") ?? "nothing";
  if (type.startsWith(STREAM_TYPE)) return;
  end();
  throw new MemoryError(
    "reply_invalid",
    `The server answered ${NAME} with ${type}. Valid: the url of a neuromem server, which answers with ${STREAM_TYPE}.`,
  );
}

/** A stream that is silent has lost its server: there are signs of life on it all the time. */
function patienceWith(error: unknown, tried: number): number {
  const isSilent = MemoryError.is(error) && error.code === "request_timeout";
  const wait = isSilent ? growingMs(tried) : waitMs(error, tried, true);
  if (wait === undefined) throw error;
  return wait;
}
