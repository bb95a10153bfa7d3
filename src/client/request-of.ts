/**
 * How is a call of the table put as a request? As its row says: fields in braces are parts of the path, the others the query
 * of GET and DELETE or the body of POST; the lines of an import are the body, and its fields the query. What the row would
 * refuse is refused here, before anything is sent: a function or a misspelt option would be lost on the way.
 */
import { MemoryError } from "../base/errors.ts";
import { parseInput } from "../base/parse-input.ts";
import type { Operation } from "../operations/index.ts";
import type { LinesBody } from "./lines-body.ts";

export interface SentRequest {
  readonly method: string;
  /** With its query, from /v1 on. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | LinesBody;
}

type Fields = Readonly<Record<string, unknown>>;

export function requestOf(operation: Operation, given: Fields, body?: LinesBody): SentRequest {
  const { name, input, route, kind } = operation;
  parseInput(input, given, `input of ${name}`);
  const left = new Map(Object.entries(given).filter(([, value]) => value !== undefined));
  const { method } = route;
  const path = route.path.replace(/\{(\w+)\}/g, (_, field: string) => {
    const value = String(left.get(field));
    left.delete(field);
    return pathPart(name, field, value);
  });
  if (method === "POST" && kind !== "lines-in") {
    const headers = { "content-type": "application/json" };
    return { method, path, headers, body: JSON.stringify(Object.fromEntries(left)) };
  }
  const query = new URLSearchParams(
    Object.fromEntries([...left].map(([field, value]) => [field, queryText(value)])),
  );
  const whole = query.size === 0 ? path : `${path}?${query}`;
  if (body === undefined) return { method, path: whole, headers: {} };
  return { method, path: whole, headers: { "content-type": "application/x-ndjson" }, body };
}

/** For what changes something: the server does it once, however often it is sent. */
export function onceOnly(request: SentRequest): SentRequest {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const key = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return { ...request, headers: { ...request.headers, "idempotency-key": key } };
}

/** Dots alone would be a step up the path, even encoded. */
function pathPart(name: string, field: string, value: string): string {
  if (!/^\.{0,2}$/.test(value)) return encodeURIComponent(value);
  throw new MemoryError("input_invalid", `The input of ${name} is not valid. ${field}: must be an id.`);
}

function queryText(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
