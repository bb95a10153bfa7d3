/**
 * What is said to somebody who does not speak HTTP, or so slowly, or so much of it, that there is no request to answer? The
 * same shape of error as everywhere, written onto the socket itself; then it is closed.
 */
import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { RequestError } from "@hono/node-server";
import { ERROR_KINDS, type ErrorCode, MemoryError } from "../base/errors.ts";
import { errorBody, logUnexpected } from "./error-reply.ts";

/** So long it may take to hear the answer. */
const HEARING_MS = 500;

/** A request whose target or host is none: the app never sees it. */
export function bareReply(error: unknown, log: (line: string) => void): Response {
  const requestId = randomUUID();
  const meant =
    error instanceof RequestError
      ? new MemoryError(
          "input_invalid",
          "The address of the request is not valid. Valid: a path, and the header Host.",
          {
            cause: error,
          },
        )
      : error;
  const status = ERROR_KINDS[MemoryError.is(meant) ? meant.code : "invariant"].http;
  logUnexpected(meant, requestId, log);
  return Response.json(errorBody(meant, requestId), { status, headers: { connection: "close" } });
}

/** Node found that what came is no request. */
export function refuseOnSocket(error: Error, socket: Duplex, isAnswering: boolean): void {
  if (!socket.writable || isAnswering) {
    socket.destroy();
    return;
  }
  const [code, message] = reasonOf(error);
  const body = JSON.stringify(errorBody(new MemoryError(code, message), randomUUID()));
  const { http } = ERROR_KINDS[code];
  socket.end(
    [
      `HTTP/1.1 ${http} ${STATUS_CODES[http] ?? ""}`,
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "Connection: close",
      "",
      body,
    ].join("\r\n"),
  );
  // Who goes on sending does not keep the connection.
  setTimeout(() => socket.destroy(), HEARING_MS).unref();
}

function reasonOf(error: Error): readonly [ErrorCode, string] {
  switch ("code" in error ? error.code : undefined) {
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return ["request_timeout", "The request took too long to come in. Valid: all of it, sooner."];
    case "HPE_HEADER_OVERFLOW":
      return ["request_too_large", "The headers are too large. Valid: at most 16 KiB with the address."];
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return ["request_too_large", "The chunks of the body say too much. Valid: chunks without extensions."];
    default:
      return ["input_invalid", "This is not a request of HTTP/1.1. Valid: one."];
  }
}
