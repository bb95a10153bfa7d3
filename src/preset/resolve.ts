/** From what somebody wrote to a preset with nothing left to guess, or to everything that is wrong with it. */
import { ACTIONS } from "../actions/index.ts";
import type { Json, JsonObject } from "../base/json.ts";
import { validNames } from "../base/nearest-name.ts";
import type { ActionDefinition } from "../pipeline/action.ts";
import type { Stage } from "../pipeline/stage.ts";
import { SERVICES } from "../services/index.ts";
import { checkClaims } from "./check-claims.ts";
import { fill } from "./fill.ts";
import { asObject, jsonSchemaOf } from "./option-table.ts";
import { LOADING_KEYS, type Preset, type PresetAction, presetSchema } from "./preset.ts";
import { type Problem, problemsOf, refuse } from "./problem.ts";
import type { Recommended } from "./recommended.ts";
import { resolveOptions } from "./resolve-options.ts";
import { substitutions } from "./substitutions.ts";
import type { Path, YamlFile } from "./yaml-file.ts";

/** The recommended values are given where the file asks for them. */
export function resolvePreset(file: YamlFile, recommended?: Recommended): Preset {
  const problems: Problem[] = [...substitutions(file.value, [])];
  const { defaults: _, ...written } = asObject(file.value) ?? {};
  const whole = withStages(written, recommended);
  const json = jsonSchemaOf(presetSchema);
  const filled = recommended === undefined ? whole : fill(json, whole, recommended.preset, recommended);
  const parsed = presetSchema.safeParse(filled);
  if (!parsed.success) {
    const keys = [...Object.keys(presetSchema.shape), ...Object.keys(LOADING_KEYS)];
    problems.push(...problemsOf(parsed.error, [], filled, json, keys));
  }
  // What is wrong further down is told together with what is wrong at the top.
  const service = resolveService(asObject(filled.service) ?? {}, problems, recommended);
  const stages = asObject(filled.stages) ?? {};
  const stageOf = (stage: Stage) => resolveStage(stage, stages[stage], problems, recommended);
  const actions = {
    pre_insert: stageOf("pre_insert"),
    memory_insert: stageOf("memory_insert"),
    post_insert: stageOf("post_insert"),
    pre_retrieval: stageOf("pre_retrieval"),
    memory_retrieval: stageOf("memory_retrieval"),
    post_retrieval: stageOf("post_retrieval"),
  };
  if (recommended === undefined && problems.some(({ message }) => message.startsWith("is missing"))) {
    problems.unshift({
      path: [],
      message: 'Options are missing. Valid: to write every one, or "defaults: recommended".',
    });
  }
  if (!parsed.success || service === undefined || problems.length > 0) return refuse(file, problems);
  const preset: Preset = { ...parsed.data, file: file.file, service, stages: actions };
  const misfits = checkClaims(preset);
  if (misfits.length > 0) refuse(file, misfits);
  return preset;
}

/** Stages that are not written do what is recommended, if anything is; a stage that is written is written whole. */
function withStages(written: JsonObject, recommended: Recommended | undefined): JsonObject {
  const own = asObject(written.stages);
  if (recommended === undefined || (written.stages !== undefined && own === undefined)) return written;
  return { ...written, stages: { ...asObject(recommended.preset.stages), ...own } };
}

function resolveService(
  { name: given, ...options }: JsonObject,
  problems: Problem[],
  recommended: Recommended | undefined,
): Preset["service"] | undefined {
  // A missing name is told already.
  if (given === undefined) return undefined;
  const name = String(given);
  const definition = Object.hasOwn(SERVICES, name) ? SERVICES[name] : undefined;
  if (definition === undefined) {
    const message = `There is no service "${name}". ${validNames(name, Object.keys(SERVICES))}`;
    problems.push({ path: ["service", "name"], message });
    return undefined;
  }
  const written = { path: ["service"], options, implied: {} };
  const values = (): JsonObject => recommended?.service(name, options) ?? {};
  const checked = resolveOptions(definition, written, problems, recommended, values);
  return checked === undefined ? undefined : { name, options: checked };
}

function resolveStage(
  stage: Stage,
  written: Json | undefined,
  problems: Problem[],
  recommended: Recommended | undefined,
): PresetAction[] {
  if (written === undefined) return [];
  const path: Path = ["stages", stage];
  const actions = listOf(written).flatMap(
    ({ value, at }) => resolveAction(stage, value, [...path, ...at], problems, recommended) ?? [],
  );
  if (stage !== "memory_insert" || recommended === undefined) return actions;
  // Every insert method stands ready unless the preset says how it is to work.
  const missing = ACTIONS.memory_insert.filter(({ name }) => actions.every(({ action }) => action !== name));
  return [
    ...actions,
    ...missing.flatMap(({ name }) => resolveAction(stage, name, ["defaults"], problems, recommended) ?? []),
  ];
}

/** `none`, `{action: none}`, `[none, …]` and `{action: [none, …]}` are four ways to write a stage. */
function listOf(written: Json): { readonly value: Json; readonly at: Path }[] {
  if (Array.isArray(written)) return written.map((value: Json, place) => ({ value, at: [place] }));
  const inner = asObject(written);
  if (inner !== undefined && Array.isArray(inner.action) && Object.keys(inner).length === 1) {
    return inner.action.map((value: Json, place) => ({ value, at: ["action", place] }));
  }
  return [{ value: written, at: [] }];
}

function resolveAction(
  stage: Stage,
  written: Json,
  path: Path,
  problems: Problem[],
  recommended: Recommended | undefined,
): PresetAction | undefined {
  const { action: given, ...options } =
    typeof written === "string" ? { action: written } : (asObject(written) ?? {});
  if (typeof given !== "string") {
    problems.push({ path, message: "An action is expected: its name, or { action: name, … }." });
    return undefined;
  }
  const found = findAction(stage, given);
  if (found === undefined) {
    const message = `There is no action "${given}" in the stage ${stage}. ${validNames(given, namesOf(stage))}`;
    problems.push({ path, message });
    return undefined;
  }
  const { definition, implied } = found;
  const values = (subtype: string | undefined): JsonObject =>
    recommended?.action(stage, definition.name, subtype) ?? {};
  const checked = resolveOptions(definition, { path, options, implied }, problems, recommended, values);
  if (checked === undefined) return undefined;
  const claims = definition.claims?.(definition.options.parse(checked)) ?? {};
  return { action: definition.name, options: checked, claims, path };
}

/** By its name, or by the name of one of its sub-types (C-24). */
function findAction(
  stage: Stage,
  name: string,
): { readonly definition: ActionDefinition; readonly implied: JsonObject } | undefined {
  const actions: readonly ActionDefinition[] = ACTIONS[stage];
  for (const definition of actions) {
    const { shorthands = {} } = definition;
    if (definition.name === name) return { definition, implied: {} };
    const implied = Object.hasOwn(shorthands, name) ? shorthands[name] : undefined;
    if (implied !== undefined) return { definition, implied };
  }
  return undefined;
}

function namesOf(stage: Stage): string[] {
  const actions: readonly ActionDefinition[] = ACTIONS[stage];
  return actions.flatMap(({ name, shorthands }) => [name, ...Object.keys(shorthands ?? {})]);
}
