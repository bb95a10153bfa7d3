/** Who thinks? The model that was asked for, else the preset's, with the key that is usual there. */
import { MemoryError } from "../base/errors.ts";
import type { Trace } from "../base/trace.ts";
import type { ChatModel } from "../models/model.ts";
import { openNamedModel } from "../models/named-model.ts";
import type { Preset } from "../preset/preset.ts";
import { presetModel } from "../preset/preset-model.ts";
import type { Chosen } from "./choices.ts";
import type { Terminal } from "./terminal.ts";

/** undefined: rules do it here. */
export function chosenModel(
  { model: asked, baseUrl }: Pick<Chosen, "model" | "baseUrl">,
  preset: Preset,
  env: Terminal["env"],
  trace: Trace,
): ChatModel | undefined {
  if (asked !== undefined) return openNamedModel(asked, { env, baseUrl, trace });
  if (baseUrl !== undefined) {
    throw new MemoryError("option_invalid", "--base-url is of no use alone. Valid: --model with it.");
  }
  return presetModel(preset, env, trace);
}
