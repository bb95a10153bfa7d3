/**
 * What does a refusal say? The server's own code and sentence, as a `MemoryError` of the same kind. Whatever stands between
 * (a proxy, a gateway) refuses in its own words: then the status tells the kind.
 */
import { z } from "zod";
import { ERROR_KINDS, type ErrorCode, MemoryError } from "../base/errors.ts";
import { type JsonObject, jsonObjectSchema } from "../base/json.ts";
import { readJson } from "./read-json.ts";

const errorSchema = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    details: jsonObjectSchema.catch({}).default({}),
    requestId: z.string().optional(),
  }),
});

const BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  401: "key_invalid",
  403: "key_forbidden",
  404: "route_not_found",
  405: "method_not_allowed",
  408: "request_timeout",
  413: "request_too_large",
  415: "media_unsupported",
  429: "rate_limited",
  502: "server_unreachable",
  503: "server_unreachable",
  504: "server_unreachable",
};

/** `headers` of the reply; none where it came inside a stream. */
export function replyError(
  name: string,
  status: number,
  text: string,
  headers: Pick<Headers, "get"> = new Map(),
): MemoryError {
  const said = errorSchema.safeParse(readJson(text)).data?.error;
  const waitMs = retryAfterMs(headers.get("retry-after"));
  const wait: JsonObject = waitMs === undefined ? {} : { retryAfterMs: waitMs };
  const code = codeOf(said?.code, status);
  if (said === undefined) {
    const message = `The server answered ${name} with the status ${status} and no reason. Valid: the url of a neuromem server.`;
    return new MemoryError(code, message, { details: { status, ...wait } });
  }
  const { message, details, requestId } = said;
  const id: JsonObject = requestId === undefined ? {} : { requestId };
  return new MemoryError(code, message, { details: { ...details, ...id, ...wait } });
}

/** A newer server may have codes that this client has not heard of. */
function codeOf(said: string | undefined, status: number): ErrorCode {
  if (said !== undefined && isErrorCode(said)) return said;
  return BY_STATUS[status] ?? (status >= 500 ? "invariant" : "input_invalid");
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_KINDS, code);
}

/** In seconds, or as a date. */
export function retryAfterMs(header: string | null | undefined): number | undefined {
  if (header == null) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
