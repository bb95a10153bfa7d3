/**
 * How does somebody learn that it went wrong? Through every door in the same shape: a code to decide by, a sentence to read,
 * whether to try again, and the id under which the server knows the request. An error that nobody meant is told without its
 * text, which may hold anything; the server's log has it under that id.
 */
import { inspect } from "node:util";
import { HTTPException } from "hono/http-exception";
import { ERROR_KINDS, type ErrorCode, MemoryError } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";
import type { ServerContext } from "./server.ts";

export interface ErrorBody {
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly retryable: boolean;
    readonly details: JsonObject;
    readonly requestId: string;
  };
}

const UNEXPECTED =
  "Something went wrong here that should not. The server's log has it under the id of this request.";

/** Of errors that are Hono's own. */
const CODES_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  401: "key_invalid",
  403: "key_forbidden",
  404: "route_not_found",
  405: "method_not_allowed",
  408: "request_timeout",
  413: "request_too_large",
  415: "media_unsupported",
  429: "rate_limited",
  503: "server_closing",
};

export function errorReply(error: unknown, context: ServerContext): Response {
  const meant = meantBy(error);
  // The log of the app looks for it here.
  context.error = error instanceof Error ? error : new Error(`Thrown: ${String(error)}`);
  const status = ERROR_KINDS[meant.code].http;
  const headers = new Headers({ "content-type": "application/json" });
  if (status === 429 || status === 503) headers.set("retry-after", String(secondsToWait(meant.details)));
  if (status === 401) headers.set("www-authenticate", 'Bearer realm="neuromem"');
  return new Response(JSON.stringify(errorBody(meant, context.var.requestId)), { status, headers });
}

/** The same for a stream that has begun, whose status is said already. */
export function errorBody(error: unknown, requestId: string): ErrorBody {
  const { code, message, retryable, details } = meantBy(error);
  return { error: { code, message, retryable, details, requestId } };
}

/** What nobody meant, and what is wrong with the files, is worth a line to whoever runs the server: no caller can mend it. */
export function logUnexpected(error: unknown, requestId: string, log: (line: string) => void): void {
  const { code } = meantBy(error);
  if (code === "invariant" || code.startsWith("storage_")) log(`${requestId} ${inspect(error)}`);
}

function meantBy(error: unknown): MemoryError {
  if (MemoryError.is(error))
    return error.code === "invariant" ? new MemoryError("invariant", UNEXPECTED) : error;
  if (error instanceof HTTPException && error.status < 500)
    return new MemoryError(CODES_OF_STATUS[error.status] ?? "input_invalid", sentenceOf(error));
  return new MemoryError("invariant", UNEXPECTED);
}

function sentenceOf({ message, status }: HTTPException): string {
  return message === "" ? `The request was refused with the status ${status}.` : message;
}

function secondsToWait({ retryAfterSeconds }: JsonObject): number {
  return typeof retryAfterSeconds === "number" ? Math.max(1, Math.ceil(retryAfterSeconds)) : 1;
}
