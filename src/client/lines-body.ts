/**
 * How do lines become the body of a request? A few are gathered, so that they can be sent again when they did not get
 * there. Many are sent while they are still being made: only a part of them is held, and once sent they are gone, so the
 * call is tried once. A page of a browser has to gather them all, since browsers send such a body over HTTP/2 only, if at
 * all; there, what is too much to hold is refused.
 */
import { MemoryError } from "../base/errors.ts";
import { stopped } from "./patience.ts";

export type Lines = AsyncIterable<string> | Iterable<string>;

/** Opens a body that is read once; `taken` is called whenever more of it is wanted. */
export type OpenBody = (taken: () => void) => ReadableStream<Uint8Array>;

export type LinesBody = Blob | OpenBody;

type Pieces = AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined>;

/** So many characters go out together. */
const PIECE = 1 << 18;
/** As many bytes as are held to be sent again. */
const FEW = 8 << 20;
/** As many bytes as are held where nothing can be sent before its end. */
const MOST = 256 << 20;

export interface LinesOptions {
  readonly signal?: AbortSignal | undefined;
  readonly canStream?: boolean;
  /** Most bytes that are gathered. */
  readonly most?: number;
}

/** What the source of the lines throws is thrown as it is; it is ended when nobody wants the rest. */
export async function withLines<T>(
  lines: Lines,
  { signal, canStream = streamsBodies(), most = canStream ? FEW : MOST }: LinesOptions,
  send: (body: LinesBody) => Promise<T>,
): Promise<T> {
  let broken: { readonly error: unknown } | undefined;
  const source = piecesOf(lines, signal, (error) => {
    broken = { error };
  });
  const { head, isAll } = await gather(source, most);
  if (isAll) return send(head);
  try {
    if (!canStream) throw tooMany(most);
    return await send((taken) => streamOf(head, source, taken));
  } catch (error) {
    throw broken === undefined ? error : broken.error;
  } finally {
    // Not waited for, nor heard: a source that hangs would keep a call that was refused long ago.
    void source.return().catch(() => undefined);
  }
}

async function* piecesOf(
  lines: Lines,
  signal: AbortSignal | undefined,
  onError: (error: unknown) => void,
): Pieces {
  const encoder = new TextEncoder();
  let held = "";
  try {
    for await (const line of lines) {
      if (signal?.aborted === true) throw stopped(signal);
      held += `${line}\n`;
      if (held.length < PIECE) continue;
      yield encoder.encode(held);
      held = "";
    }
  } catch (error) {
    onError(error);
    throw error;
  }
  if (held !== "") yield encoder.encode(held);
}

async function gather(source: Pieces, most: number): Promise<{ head: Blob; isAll: boolean }> {
  const parts: Blob[] = [];
  for (let size = 0; size <= most; ) {
    const { done, value } = await source.next();
    if (done) return { head: new Blob(parts), isAll: true };
    parts.push(new Blob([value]));
    size += value.byteLength;
  }
  return { head: new Blob(parts), isAll: false };
}

function streamOf(head: Blob, source: Pieces, taken: () => void): ReadableStream<Uint8Array> {
  const begun = head.stream().getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        taken();
        const first = await begun.read();
        const { done, value } = first.done ? await source.next() : first;
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
}

function tooMany(most: number): MemoryError {
  return new MemoryError(
    "request_too_large",
    `The lines are more than ${most} bytes, and here they cannot be sent as they come. Valid: fewer at once, or a client outside of a browser.`,
    { details: { limit: most } },
  );
}

/** Whether `fetch` sends a body that is still being made: then it asks how that is meant. */
function streamsBodies(): boolean {
  const isPage = "document" in globalThis || "WorkerGlobalScope" in globalThis;
  if (isPage || typeof Request === "undefined" || typeof ReadableStream === "undefined") return false;
  let isAsked = false;
  const init: RequestInit = {
    method: "POST",
    body: new ReadableStream(),
    get duplex() {
      isAsked = true;
      return "half" as const;
    },
  };
  return new Request("http://127.0.0.1", init).body !== null && isAsked;
}
