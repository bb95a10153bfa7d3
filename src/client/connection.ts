/**
 * One request and its reply, over `fetch`. Whatever goes wrong on the way becomes a `MemoryError`: the caller stopped it, the
 * server said nothing for too long, it could not be reached, or it refused.
 */
import { MemoryError } from "../base/errors.ts";
import type { Settings } from "./client-options.ts";
import { stopped, watchSilence } from "./patience.ts";
import { replyError } from "./reply-error.ts";
import type { SentRequest } from "./request-of.ts";

export interface Asked {
  /** Of the call, for messages. */
  readonly name: string;
  readonly request: SentRequest;
  readonly scope: string | undefined;
  readonly accept: string;
  readonly signal: AbortSignal | undefined;
}

export interface Reply {
  readonly headers: Headers;
  /** The body as it comes; once. */
  pieces(): AsyncGenerator<string, void, undefined>;
  /** All of it. */
  text(): Promise<string>;
  /** Nobody wants the rest. */
  end(): void;
}

/** Most characters of a refusal that are read. */
const LONGEST_REFUSAL = 1_000_000;

export async function send(settings: Settings, asked: Asked): Promise<Reply> {
  const { name, request, scope, accept, signal } = asked;
  const silence = watchSilence(settings.timeoutMs);
  const over = new AbortController();
  const own = [silence.signal, over.signal];
  const failure = (cause: unknown): unknown => {
    if (MemoryError.is(cause)) return cause;
    if (signal?.aborted === true) return stopped(signal);
    return silence.signal.aborted ? tooLate(name, settings) : unreachable(name, settings, cause);
  };
  const end = (): void => {
    silence.end();
    signal?.removeEventListener("abort", end);
    over.abort();
  };
  // Also while nobody reads: no timer is left behind.
  signal?.addEventListener("abort", end, { once: true });
  async function* piecesOf(response: Response): AsyncGenerator<string, void, undefined> {
    const reader = response.body?.getReader();
    const decoder = new TextDecoder();
    try {
      for (;;) {
        const next = await reader?.read();
        if (next === undefined || next.done) break;
        silence.heard();
        yield decoder.decode(next.value, { stream: true });
      }
      yield decoder.decode();
    } catch (cause) {
      throw failure(cause);
    } finally {
      end();
    }
  }
  try {
    if (signal?.aborted === true) throw stopped(signal);
    const response = await settings.fetch(`${settings.base}${request.path}`, {
      method: request.method,
      headers: {
        ...settings.headers,
        ...request.headers,
        ...(scope === undefined ? {} : { "neuromem-scope": encodeURIComponent(scope) }),
        accept,
      },
      ...bodyOf(request, silence.heard),
      cache: "no-store",
      signal: AbortSignal.any(signal === undefined ? own : [signal, ...own]),
    });
    silence.heard();
    const { headers, status, ok } = response;
    const text = async (): Promise<string> => joined(piecesOf(response), Number.POSITIVE_INFINITY);
    if (ok) return { headers, pieces: () => piecesOf(response), text, end };
    throw replyError(name, status, await joined(piecesOf(response), LONGEST_REFUSAL), headers);
  } catch (cause) {
    end();
    throw failure(cause);
  }
}

/** That more of it is wanted shows that the server is there. */
function bodyOf({ body }: SentRequest, heard: () => void): Pick<RequestInit, "body" | "duplex"> {
  if (body === undefined) return {};
  return typeof body === "function" ? { body: body(heard), duplex: "half" } : { body };
}

async function joined(pieces: AsyncIterable<string>, most: number): Promise<string> {
  let text = "";
  for await (const piece of pieces) {
    text += piece;
    if (text.length > most) break;
  }
  return text;
}

function tooLate(name: string, { base, timeoutMs }: Settings): MemoryError {
  return new MemoryError(
    "request_timeout",
    `The server at ${base} said nothing for ${timeoutMs} ms during ${name}. Valid: a longer timeoutMs, or a server that is less busy.`,
    { details: { timeoutMs } },
  );
}

function unreachable(name: string, { base }: Settings, cause: unknown): MemoryError {
  return new MemoryError(
    "server_unreachable",
    `The server at ${base} could not be reached for ${name}, or the connection broke. Valid: the url of a server that runs (neuromem serve), from a page whose origin it allows.`,
    { cause },
  );
}
