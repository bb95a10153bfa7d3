/**
 * What does a request bring? Its body, read while it comes and never beyond a limit: whoever sends too much is refused at the
 * first byte over it, not after everything was kept. What is read is remembered with the request, so that two who ask
 * (a route and the keeper of idempotency keys) read it once.
 *
 * Only UTF-8 JSON is taken, and only such as a program writes on purpose: a key that would reach into the prototypes of our
 * objects, or nesting meant to exhaust the stack, is refused here, before any schema looks at it.
 */
import { MemoryError } from "../base/errors.ts";
import { MAX_JSON_DEPTH } from "../base/json.ts";
import type { ServerContext } from "./server.ts";

const NO_BYTES = new Uint8Array(0);
const JSON_TYPES: readonly string[] = ["application/json"];
const read = new WeakMap<Request, Promise<Uint8Array>>();

/** The bytes of the body, at most so many. The first caller's limit holds. */
export function bodyBytes({ req }: ServerContext, limit: number): Promise<Uint8Array> {
  const known = read.get(req.raw);
  if (known !== undefined) return known;
  const bytes = readAll(req.raw, limit);
  read.set(req.raw, bytes);
  return bytes;
}

/** The body as JSON; without one, an empty object: a call that takes nothing needs no body. */
export async function bodyJson(context: ServerContext, limit: number): Promise<unknown> {
  refuseOtherTypes(context, JSON_TYPES);
  const bytes = await bodyBytes(context, limit);
  if (bytes.length === 0) return {};
  if (context.req.header("content-type") === undefined) throw wrongType(undefined, JSON_TYPES);
  return parseJson(decode(bytes), "The body");
}

/** JSON as it comes from outside. */
export function parseJson(text: string, what: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new MemoryError("input_invalid", `${what} is not JSON. Valid: one JSON value in UTF-8.`, { cause });
  }
  refuseTraps(value, what);
  return value;
}

/** Whether the body is of one of these kinds; absent is for the caller to judge. */
export function refuseOtherTypes({ req }: ServerContext, valid: readonly string[]): void {
  const encoding = req.header("content-encoding")?.trim().toLowerCase();
  if (encoding !== undefined && encoding !== "" && encoding !== "identity")
    throw new MemoryError(
      "media_unsupported",
      "The body is compressed. Valid: as it is, without content-encoding.",
    );
  const type = req.header("content-type");
  if (type === undefined) return;
  const [kind = "", ...parameters] = type.split(";").map((part) => part.trim().toLowerCase());
  const isUtf8 = parameters.every(
    (part) => !part.startsWith("charset=") || /^charset="?utf-?8"?$/.test(part),
  );
  if (!valid.includes(kind) || !isUtf8) throw wrongType(type, valid);
}

/** The body piece by piece, never more than so many bytes of it. */
export async function* bodyPieces(request: Request, limit: number): AsyncGenerator<Uint8Array> {
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > limit) throw tooLarge(limit);
  if (request.body === null) return;
  let size = 0;
  const reader = request.body.getReader();
  try {
    for (;;) {
      const piece = await nextPiece(reader);
      if (piece === undefined) return;
      size += piece.length;
      if (size > limit) throw tooLarge(limit);
      yield piece;
    }
  } finally {
    // What is left unread is not waited for; a body that was cut off has told its error above.
    reader.releaseLock();
  }
}

// --- how ---

async function readAll(request: Request, limit: number): Promise<Uint8Array> {
  // Of a size that was declared, no more can come: the parser of HTTP sees to it. This way is several times as quick.
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) <= limit) return readDeclared(request);
  const pieces: Uint8Array[] = [];
  for await (const piece of bodyPieces(request, limit)) pieces.push(piece);
  const [first = NO_BYTES, ...others] = pieces;
  return others.length === 0 ? first : Buffer.concat(pieces);
}

async function readDeclared(request: Request): Promise<Uint8Array> {
  try {
    return new Uint8Array(await request.arrayBuffer());
  } catch (cause) {
    throw cutOff(cause);
  }
}

async function nextPiece(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array | undefined> {
  try {
    return (await reader.read()).value;
  } catch (cause) {
    throw cutOff(cause);
  }
}

function cutOff(cause: unknown): MemoryError {
  return new MemoryError("aborted", "The body ended before all of it had come.", { cause });
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new MemoryError("input_invalid", "The body is not UTF-8. Valid: JSON in UTF-8.", { cause });
  }
}

/** Without recursion: depth is what is judged here. */
function refuseTraps(value: unknown, what: string): void {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    const parts: unknown[] = [];
    for (const part of level) {
      if (typeof part !== "object" || part === null) continue;
      if (depth === MAX_JSON_DEPTH)
        throw new MemoryError(
          "input_invalid",
          `${what} is nested too deeply. Valid: at most ${MAX_JSON_DEPTH} levels.`,
        );
      if (Object.hasOwn(part, "__proto__"))
        throw new MemoryError("input_invalid", `${what} has a key "__proto__". Valid: any other name.`);
      for (const inner of Object.values(part)) parts.push(inner);
    }
    level = parts;
  }
}

function tooLarge(limit: number): MemoryError {
  return new MemoryError("request_too_large", `The body is too large. Valid: at most ${limit} bytes.`, {
    details: { limit },
  });
}

function wrongType(type: string | undefined, valid: readonly string[]): MemoryError {
  const given = type === undefined ? "none" : `"${type.slice(0, 80)}"`;
  return new MemoryError(
    "media_unsupported",
    `The content-type of the body is ${given}. Valid: ${valid.join(", ")}, in UTF-8.`,
  );
}
