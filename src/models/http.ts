/** One request to an endpoint: the key in a header and nowhere else, every way to fail as a `MemoryError`. */
import { type Clock, systemClock } from "../base/clock.ts";
import type { JsonObject } from "../base/json.ts";
import { throwIfAborted } from "./abort.ts";
import type { Endpoint } from "./endpoints.ts";
import { type Asked, networkFailure, replyInvalid, responseFailure } from "./failure.ts";
import { readEvents } from "./server-sent-events.ts";

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface HttpDeps {
  readonly fetch?: Fetch | undefined;
  readonly clock?: Clock | undefined;
  /** Further headers of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface Http {
  readonly asked: Asked;
  /** The parsed body of the answer. */
  post(path: string, body: JsonObject, signal: AbortSignal | undefined): Promise<unknown>;
  /** The data of each event of a streamed answer, without the closing "[DONE]". */
  stream(path: string, body: JsonObject, signal: AbortSignal | undefined): AsyncGenerator<string>;
}

export function createHttp(endpoint: Endpoint, deps: HttpDeps = {}): Http {
  const { fetch = globalThis.fetch, clock = systemClock, headers = {} } = deps;
  const { name, model, key, baseUrl } = endpoint;
  const asked: Asked = { model, provider: name, secrets: [key, ...Object.values(headers)] };

  const send = async (path: string, body: JsonObject, signal: AbortSignal | undefined): Promise<Response> => {
    throwIfAborted(signal, `The call to "${model}"`);
    const response = await fetch(`${baseUrl}${path}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...headers,
      },
      body: JSON.stringify(body),
      signal: signal ?? null,
    }).catch((error: unknown) => {
      throw networkFailure(asked, signal, error);
    });
    if (response.ok) return response;
    const text = await response.text().catch(() => "");
    throw responseFailure(
      asked,
      { status: response.status, headers: response.headers, body: text },
      clock.now(),
    );
  };

  return {
    asked,
    async post(path, body, signal) {
      const response = await send(path, body, signal);
      const text = await response.text().catch((error: unknown) => {
        throw networkFailure(asked, signal, error);
      });
      try {
        return JSON.parse(text);
      } catch (error) {
        throw replyInvalid(
          asked,
          "sent a body that is not JSON. Valid: the base URL of an OpenAI-compatible API, which often ends in /v1.",
          text,
          { cause: error },
        );
      }
    },
    async *stream(path, body, signal) {
      const response = await send(path, body, signal);
      try {
        for await (const data of readEvents(response.body)) {
          if (data === "[DONE]") return;
          yield data;
        }
      } catch (error) {
        throw networkFailure(asked, signal, error);
      }
    },
  };
}
