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
import type { LinesBody } from "./lines-body.ts";
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
const signalSchema = z
  .custom<AbortSignal>(
    (value) => typeof value === "object" && value !== null && "aborted" in value,
    "must be a signal",
  )
  .optional();
const stoppableSchema = z.strictObject({ signal: signalSchema });
const toldSchema = z.strictObject({
  signal: signalSchema,
  onProgress: z
    .custom<Told["onProgress"]>((value) => typeof value === "function", "must be a function")
    .optional(),
});

/** Of a stream, which the client's end ends, too. */
export function untilEither(call: Stoppable, closing: AbortSignal, name: string): AbortSignal {
  const { signal } = parseInput(stoppableSchema, call, `options of ${name}`);
  return signal === undefined ? closing : AbortSignal.any([signal, closing]);
}

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

/** What may take long: progress is heard on the way. A stream of progress has no second time, so only what does no harm twice is tried again, and only if what was sent is still there. */
export async function longCall<Output>(
  asking: Asking,
  operation: CallOperation<unknown, Output> | LinesInOperation<unknown, Output>,
  given: Fields,
  told: Told,
  lines?: LinesBody,
): Promise<Output> {
  const { signal, onProgress } = parseInput(toldSchema, told, `options of ${operation.name}`);
  const sent = { request: requestOf(operation, given, lines), accept: `${STREAM_TYPE}, ${JSON_TYPE};q=0.9` };
  const isAgain = operation.isIdempotent && typeof lines !== "function";
  const retries = isAgain ? asking.settings.retries : 0;
  return ask(asking, operation, { ...sent, retries, signal, onProgress });
}

/** Only the beginning is tried again: lines that were given out cannot be taken back. */
export async function* linesOfServer(
  { settings, scope }: Asking,
  operation: LinesOutOperation,
  given: Fields,
  call: Stoppable,
  closing: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const { name, isIdempotent } = operation;
  const signal = untilEither(call, closing, name);
  const request = requestOf(operation, given);
  const accept = `application/x-ndjson, ${JSON_TYPE};q=0.9`;
  const reply = await withRetries({ retries: settings.retries, isIdempotent, signal }, () =>
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
  { name, output, isIdempotent }: Pick<CallOperation<unknown, Output>, "name" | "output" | "isIdempotent">,
  { request, accept, retries, signal, onProgress }: Sent,
): Promise<Output> {
  const text = await withRetries({ retries, isIdempotent, signal }, async () => {
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
