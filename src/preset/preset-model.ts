/** Who thinks for a preset that nobody brought a model to: the one it names, with the key it names or the one usual there. */
import type { Trace } from "../base/trace.ts";
import type { ChatModel } from "../models/model.ts";
import { usualKey } from "../models/named-model.ts";
import { openChatModel } from "../models/open-model.ts";
import type { Preset } from "./preset.ts";
import { keyOf } from "./substitutions.ts";

/** undefined: it names none, and rules do it here. */
export function presetModel(
  { models: { chat } }: Preset,
  env: Readonly<Record<string, string | undefined>>,
  trace?: Trace,
): ChatModel | undefined {
  if (chat === null) return undefined;
  const { endpoint, model, base_url, api_key } = chat;
  const key = api_key === null ? usualKey(endpoint, env) : keyOf(api_key, env, "chat");
  return openChatModel(endpoint, { model, key, baseUrl: base_url ?? undefined }, { trace });
}
