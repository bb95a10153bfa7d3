/**
 * How does a row's call reach the server and come back as what the row gives? Long work comes back as a stream, whose signs
 * of life keep the time limit from going off, with its progress on the way. Each kind of row has its own way back: JSON, or
 * lines as they come.
 */
import { z } from "zod";
import { parseInput } from "../base/parse-input.ts";
import type { CallOperation, LinesInOperation, LinesOutOperation } from "../operations/index.ts";
import type { Settings } from "./client-options.ts";
import { type Reply, send } from "./connection.ts";
import { withRetries } from "./patience.ts";
import { pieceLines } from "./piece-lines.ts";
import { readJson } from "./read-json.ts";
import { replyError } from "./reply-error.ts";
import { onceOnly, requestOf, type SentRequest } from "./request-of.ts";
import { readSentEvents } from "./server-sent-events.ts";

export interface Stoppable {
  readonly signal?: AbortSignal | undefined;
}

export interface Told extends Stoppable {
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Who asks. */
export interface Asking {
  readonly settings: Settings;
  readonly scope: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** By what it has, for a frame of a page has a class of its own. */
const stoppableSchema = z.strictObject({
  signal: z
    .custom<AbortSignal>(
      (value) => typeof value === "object" && value !== null && "aborted" in value,
      "must be a signal",
    )
    .optional(),
});

const JSON_TYPE = "application/json";
const STREAM_TYPE = "text/event-stream";

export async function callServer<Output>(
  asking: Asking,
  operation: CallOperation<unknown, Output>,
  given: Fields,
  call: Stoppable,
): Promise<Output> {
  const { signal } = parseInput(stoppableSchema, call, `options of ${operation.name}`);
  const request = requestOf(operation, given);
  const isRead = operation.effect === "read";
  const sent = { request: isRead ? request : onceOnly(request), accept: JSON_TYPE };
  return ask(asking, operation, { ...sent, retries: asking.settings.retries, signal });
}

/** What may take long: progress is heard on the way. A stream has no second time, so only what does no harm twice is tried again. */
export async function longCall<Output>(
  asking: Asking,
  operation: CallOperation<unknown, Output> | LinesInOperation<unknown, Output>,
  given: Fields,
  told: Told,
  lines?: Blob,
): Promise<Output> {
  const sent = { request: requestOf(operation, given, lines), accept: `${STREAM_TYPE}, ${JSON_TYPE};q=0.9` };
  const retries = operation.isIdempotent ? asking.settings.retries : 0;
  return ask(asking, operation, { ...sent, retries, ...told });
}

/** Only the beginning is tried again: lines that were given out cannot be taken back. */
export async function* linesOfServer(
  { settings, scope }: Asking,
  operation: LinesOutOperation,
  given: Fields,
  { signal }: Stoppable,
): AsyncGenerator<string, void, undefined> {
  const request = requestOf(operation, given);
  const { name } = operation;
  const accept = `application/x-ndjson, ${JSON_TYPE};q=0.9`;
  const reply = await withRetries(settings.retries, signal, () =>
    send(settings, { name, request, scope, accept, signal }),
  );
  yield* pieceLines(reply.pieces());
}

interface Sent extends Told {
  readonly request: SentRequest;
  readonly accept: string;
  readonly retries: number;
}

async function ask<Output>(
  { settings, scope }: Asking,
  { name, output }: Pick<CallOperation<unknown, Output>, "name" | "output">,
  { request, accept, retries, signal, onProgress }: Sent,
): Promise<Output> {
  const text = await withRetries(retries, signal, async () => {
    const reply = await send(settings, { name, request, scope, accept, signal });
    const isStream = reply.headers.get("content-type")?.startsWith(STREAM_TYPE) === true;
    return isStream ? resultOf(name, reply, onProgress) : reply.text();
  });
  return parseInput(output, readJson(text), `reply of the server to ${name}`, "reply_invalid");
}

async function resultOf(name: string, reply: Reply, onProgress: Told["onProgress"]): Promise<string> {
  for await (const { event, data } of readSentEvents(reply.pieces())) {
    if (event === "result") return data;
    if (event === "error") throw replyError(name, 500, data);
    if (event === "progress") tell(data, onProgress);
  }
  throw replyError(name, 502, "");
}

function tell(data: string, onProgress: Told["onProgress"]): void {
  const progress: unknown = readJson(data);
  if (typeof progress !== "object" || progress === null) return;
  const { done, total }: { done?: unknown; total?: unknown } = progress;
  if (typeof done === "number") onProgress?.(done, typeof total === "number" ? total : 0);
}
