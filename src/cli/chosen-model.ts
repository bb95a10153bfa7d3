/** Who thinks? The model that was asked for, else the preset's, with the key that is usual there. */
import { MemoryError } from "../base/errors.ts";
import type { Trace } from "../base/trace.ts";
import { ENDPOINTS, type EndpointRow } from "../models/endpoints.ts";
import type { ChatModel } from "../models/model.ts";
import { openChatModel } from "../models/open-model.ts";
import type { Preset } from "../preset/preset.ts";
import { keyOf } from "../preset/substitutions.ts";
import type { Chosen } from "./choices.ts";
import type { Terminal } from "./terminal.ts";

/** undefined: rules do it here. */
export function chosenModel(
  { model: asked, baseUrl }: Pick<Chosen, "model" | "baseUrl">,
  { models: { chat } }: Preset,
  env: Terminal["env"],
  trace: Trace,
): ChatModel | undefined {
  if (asked === undefined) {
    if (baseUrl !== undefined) {
      throw new MemoryError("option_invalid", "--base-url is of no use alone. Valid: --model with it.");
    }
    if (chat === null) return undefined;
    const { endpoint, model, base_url, api_key } = chat;
    const key = api_key === null ? usualKey(endpoint, env) : keyOf(api_key, env, "chat");
    return openChatModel(endpoint, { model, key, baseUrl: base_url ?? undefined }, { trace });
  }
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
function usualKey(endpoint: string, env: Terminal["env"]): string | undefined {
  const rows: Readonly<Record<string, EndpointRow>> = ENDPOINTS;
  const row = Object.hasOwn(rows, endpoint) ? rows[endpoint] : undefined;
  const name = row === undefined ? `${endpoint.toUpperCase().replace(/\W/g, "_")}_API_KEY` : row.keyName;
  return name === null ? undefined : env[name];
}
