/**
 * How does a request get to the model's server, and its reply back, unchanged? By Node's own HTTP client, which decodes
 * nothing, follows nothing and gives no model a time limit: a thinking one may be silent for many minutes.
 */
import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as overHttp } from "node:http";
import { Agent as HttpsAgent, request as overHttps } from "node:https";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { MemoryError } from "../../base/errors.ts";

export interface Sending {
  readonly method: string;
  /** Behind the base URL's own path, as /chat/completions. */
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes can be sent a second time, a stream cannot. */
  readonly body: Uint8Array | ReadableStream<Uint8Array> | null;
  readonly signal: AbortSignal;
}

export interface Upstream {
  /** As soon as the reply begins. */
  send(sending: Sending): Promise<IncomingMessage>;
  close(): void;
}

export function openUpstream(given: string): Upstream {
  const base = baseUrl(given);
  const isSecure = base.protocol === "https:";
  const agent = isSecure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  const send = async (sending: Sending, isFresh: boolean): Promise<IncomingMessage> => {
    const { method, path, query, headers, body, signal } = sending;
    const url = new URL(base);
    url.pathname = base.pathname + path;
    url.search = query;
    const open = isSecure ? overHttps : overHttp;
    const call = open(url, { method, headers, signal, agent: isFresh ? false : agent });
    try {
      const reply = replyTo(call);
      await Promise.race([write(call, body), reply]);
      return await reply;
    } catch (cause) {
      // The line was kept open from an earlier call, and the other side closed it at this very moment.
      const isStale = call.reusedSocket && ["ECONNRESET", "EPIPE"].includes(codeOf(cause));
      if (isStale && !signal.aborted && !(body instanceof ReadableStream)) return send(sending, true);
      call.destroy();
      throw unreachable(base, signal, cause);
    }
  };
  return {
    // What cannot be sent twice goes over a line of its own, which nobody else has kept open.
    send: (sending) => send(sending, sending.body instanceof ReadableStream),
    close: () => agent.destroy(),
  };
}

/** A server's address alone is meant with /v1, as nearly all of them have it. */
export function baseUrl(given: string): URL {
  const url = URL.parse(given);
  if (url === null || !["http:", "https:"].includes(url.protocol) || url.search !== "" || url.hash !== "") {
    throw new MemoryError(
      "option_invalid",
      `The upstream is "${given.slice(0, 200)}". Valid: the base URL of a server that speaks OpenAI's API, as https://api.openai.com/v1 or http://127.0.0.1:11434/v1.`,
    );
  }
  url.pathname = url.pathname.replace(/\/+$/, "");
  if (url.pathname === "" || url.pathname === "/") url.pathname = "/v1";
  return url;
}

function replyTo(call: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    call.once("response", resolve);
    // Also after the reply has begun, when nobody waits for it here any more.
    call.on("error", reject);
  });
}

async function write(call: ClientRequest, body: Sending["body"]): Promise<void> {
  if (body instanceof ReadableStream) await pipeline(Readable.from(body), call);
  else call.end(body ?? undefined);
}

function unreachable(base: URL, signal: AbortSignal, cause: unknown): MemoryError {
  if (signal.aborted) return new MemoryError("aborted", "The client went away.", { cause });
  return new MemoryError(
    "model_unavailable",
    `The upstream server ${base.host} did not answer (${codeOf(cause)}). Valid: a server that runs at the proxy's --upstream.`,
    { cause },
  );
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && "code" in cause ? String(cause.code) : "no answer";
}
