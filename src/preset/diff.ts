/** Which stage differs? Two presets compared, part by part, down to the single option. */
import type { Json } from "../base/json.ts";
import { STAGES } from "../pipeline/stage.ts";
import { asObject } from "./option-table.ts";
import { type Preset, presetData } from "./preset.ts";

export interface Difference {
  /** A stage, or service, input, models … */
  readonly part: string;
  /** Where in the part, as "distillation.topk"; "" for the whole part. */
  readonly path: string;
  /** undefined: not there. */
  readonly a: Json | undefined;
  readonly b: Json | undefined;
}

/** Nothing for two presets that do the same; names and summaries are not compared. */
export function presetDiff(a: Preset, b: Preset): Difference[] {
  const left = presetData(a);
  const right = presetData(b);
  const parts = ["input", "on_bad_reply", "on_model_down", "models", "prompts", "upkeep", "service"];
  return [
    ...parts.flatMap((part) => compare(part, "", left[part], right[part])),
    ...STAGES.flatMap((stage) =>
      orderOf(stage, asObject(left.stages)?.[stage], asObject(right.stages)?.[stage]),
    ),
    ...STAGES.flatMap((stage) =>
      compare(stage, "", keyed(asObject(left.stages)?.[stage]), keyed(asObject(right.stages)?.[stage])),
    ),
  ];
}

/** The same actions in another order are another design. */
function orderOf(part: string, a: Json | undefined, b: Json | undefined): Difference[] {
  const [left, right] = [Object.keys(asObject(keyed(a)) ?? {}), Object.keys(asObject(keyed(b)) ?? {})];
  const isSameSet = [...left].sort().join() === [...right].sort().join();
  return isSameSet && left.join() !== right.join() ? [{ part, path: "order", a: left, b: right }] : [];
}

/** A list of actions as a map, so that one more action does not make all after it differ. */
function keyed(actions: Json | undefined): Json {
  const out: Record<string, Json> = {};
  for (const one of Array.isArray(actions) ? actions : []) {
    const { action, ...options } = asObject(one) ?? {};
    let name = String(action);
    for (let again = 2; Object.hasOwn(out, name); again++) name = `${String(action)}#${again}`;
    out[name] = options;
  }
  return out;
}

function compare(part: string, path: string, a: Json | undefined, b: Json | undefined): Difference[] {
  if (JSON.stringify(a) === JSON.stringify(b)) return [];
  const left = asObject(a);
  const right = asObject(b);
  if (left === undefined || right === undefined) return [{ part, path, a, b }];
  const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  return keys.flatMap((key) => compare(part, path === "" ? key : `${path}.${key}`, left[key], right[key]));
}
