/** A model by the name people type: ENDPOINT:MODEL, with the key that is usual there. */
import { MemoryError } from "../base/errors.ts";
import type { Trace } from "../base/trace.ts";
import { ENDPOINTS, type EndpointRow } from "./endpoints.ts";
import type { ChatModel } from "./model.ts";
import { openChatModel } from "./open-model.ts";

type Keys = Readonly<Record<string, string | undefined>>;

export function openNamedModel(
  asked: string,
  {
    env,
    baseUrl,
    trace,
  }: { readonly env: Keys; readonly baseUrl?: string | undefined; readonly trace?: Trace },
): ChatModel {
  const [, endpoint, model] = /^([^:]+):(.+)$/.exec(asked) ?? [];
  if (endpoint === undefined || model === undefined) {
    throw new MemoryError(
      "option_invalid",
      `--model is "${asked}". Valid: ENDPOINT:MODEL, as openai:gpt-4.1-mini.`,
    );
  }
  return openChatModel(endpoint, { model, key: usualKey(endpoint, env), baseUrl }, { trace });
}

/** OPENAI_API_KEY for openai; MINE_API_KEY for a server of one's own that is called mine. */
export function usualKey(endpoint: string, env: Keys): string | undefined {
  const rows: Readonly<Record<string, EndpointRow>> = ENDPOINTS;
  const row = Object.hasOwn(rows, endpoint) ? rows[endpoint] : undefined;
  const name = row === undefined ? `${endpoint.toUpperCase().replace(/\W/g, "_")}_API_KEY` : row.keyName;
  return name === null ? undefined : env[name];
}
