/** What does an option of a preset do? Its description, wherever in the preset it stands. */
import { ACTIONS } from "../actions/index.ts";
import type { Json, JsonObject } from "../base/json.ts";
import type { ActionDefinition } from "../pipeline/action.ts";
import { STAGES, type Stage } from "../pipeline/stage.ts";
import { asObject, branchesOf, fits, jsonSchemaOf } from "../preset/option-table.ts";
import { presetSchema } from "../preset/preset.ts";
import { SERVICES } from "../services/index.ts";

/** What is known of a place in a preset: a sentence about it, and what may stand inside. */
export interface Known {
  readonly description: string;
  readonly inside: JsonObject;
}

/** Of a key at the top (`input`, `models` …), of the service, or of an action. */
export function topKnown(key: string): Known {
  return step({ description: "", inside: jsonSchemaOf(presetSchema) }, key, {});
}

export function serviceKnown(name: string): Known {
  const service = Object.hasOwn(SERVICES, name) ? SERVICES[name] : undefined;
  return service === undefined
    ? { description: "", inside: {} }
    : { description: service.summary, inside: jsonSchemaOf(service.options) };
}

export function actionKnown(stage: Stage, name: string): Known {
  const action = actionsOf(stage).find((one) => one.name === name);
  return action === undefined
    ? { description: "", inside: {} }
    : { description: action.summary, inside: jsonSchemaOf(action.options) };
}

/** One key further in; `around` is what stands there, which tells one form of the options from another. */
export function step({ inside }: Known, key: string, around: JsonObject): Known {
  const branches = branchesOf(inside).filter(({ properties }) => Object.hasOwn(properties, key));
  const branch = branches.find(({ properties }) => fits(properties, around)) ?? branches[0];
  const part = asObject(branch?.properties[key]) ?? {};
  const { description } = part;
  return { description: typeof description === "string" ? description : "", inside: part };
}

/** Along a path such as "distillation.topk"; `values` is the part that holds it. */
export function describePath(part: string, path: string, values: Json | undefined): string {
  const steps = path === "" ? [] : path.split(".");
  const stage = STAGES.find((one) => one === part);
  if (part === "service") return walk(serviceKnown(String(asObject(values)?.name)), steps, values);
  if (stage === undefined) return walk(topKnown(part), steps, values);
  const [action = "", ...rest] = steps;
  return walk(actionKnown(stage, action.replace(/#\d+$/, "")), rest, asObject(values)?.[action]);
}

function walk(from: Known, steps: readonly string[], values: Json | undefined): string {
  let [known, around] = [from, asObject(values) ?? {}];
  for (const key of steps) {
    known = step(known, key, around);
    around = asObject(around[key]) ?? {};
  }
  return known.description;
}

function actionsOf(stage: Stage): readonly ActionDefinition[] {
  return ACTIONS[stage];
}
