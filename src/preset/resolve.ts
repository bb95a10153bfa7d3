/** From what somebody wrote to a preset with nothing left to guess: aliases, shorthands, recommended values, then the check. */
import type { z } from "zod";
import { ACTIONS } from "../actions/index.ts";
import { type Json, type JsonObject, jsonObjectSchema } from "../base/json.ts";
import { validNames } from "../base/nearest-name.ts";
import { parseInput } from "../base/parse-input.ts";
import type { ActionDefinition } from "../pipeline/action.ts";
import type { Stage } from "../pipeline/stage.ts";
import { SERVICES } from "../services/index.ts";
import { checkClaims } from "./check-claims.ts";
import { fill } from "./fill.ts";
import { asObject, jsonSchemaOf, keysAt, variantsOf } from "./option-table.ts";
import { type Preset, type PresetAction, presetSchema, TOP_KEYS } from "./preset.ts";
import { type Problem, problemsOf, refuse } from "./problem.ts";
import type { Recommended } from "./recommended.ts";
import type { Path, YamlFile } from "./yaml-file.ts";

/** The recommended values are given where the file asks for them. */
export function resolvePreset(file: YamlFile, prompts: string | null, recommended?: Recommended): Preset {
  const problems: Problem[] = [...substitutions(file.value, [])];
  const { extends: _, defaults: __, ...written } = asObject(file.value) ?? {};
  const filled = { ...recommended?.preset, ...written, stages: stagesOf(written, recommended) };
  const parsed = presetSchema.safeParse(filled);
  if (!parsed.success)
    refuse(file, [
      ...problems,
      ...problemsOf(parsed.error, [], filled, (path) =>
        path.length === 0 ? TOP_KEYS : keysAt(jsonSchemaOf(presetSchema), path),
      ),
    ]);
  const given = parsed.data;

  const service = resolveService(
    parseInput(jsonObjectSchema, given.service, "service"),
    problems,
    recommended,
  );
  const stageOf = (stage: Stage) => resolveStage(stage, given.stages[stage], problems, recommended);
  const stages = {
    pre_insert: stageOf("pre_insert"),
    memory_insert: stageOf("memory_insert"),
    post_insert: stageOf("post_insert"),
    pre_retrieval: stageOf("pre_retrieval"),
    memory_retrieval: stageOf("memory_retrieval"),
    post_retrieval: stageOf("post_retrieval"),
  };
  if (service === undefined || problems.length > 0) refuse(file, problems);
  const preset: Preset = { ...given, file: file.file, prompts, service, stages };
  const misfits = checkClaims(preset);
  if (misfits.length > 0) refuse(file, misfits);
  return preset;
}

/** Stages that are not written do what is recommended, if anything is. */
function stagesOf(written: JsonObject, recommended: Recommended | undefined): Json {
  if (written.stages !== undefined && asObject(written.stages) === undefined) return written.stages;
  return { ...asObject(recommended?.preset.stages), ...asObject(written.stages) };
}

function resolveService(
  { name: given, ...options }: JsonObject,
  problems: Problem[],
  recommended: Recommended | undefined,
): Preset["service"] | undefined {
  const name = String(given);
  const definition = Object.hasOwn(SERVICES, name) ? SERVICES[name] : undefined;
  if (definition === undefined) {
    const message = `There is no service "${name}". ${validNames(name, Object.keys(SERVICES))}`;
    problems.push({ path: ["service", "name"], message });
    return undefined;
  }
  const renamed = rename(options, definition.aliases, ["service"], problems);
  const filled =
    recommended === undefined
      ? renamed
      : fill(definition.options, undefined, renamed, recommended.service(name), recommended);
  const checked = check(definition.options, filled, ["service"], problems, undefined);
  return checked === undefined ? undefined : { name, options: checked };
}

function resolveStage(
  stage: Stage,
  written: Json,
  problems: Problem[],
  recommended: Recommended | undefined,
): PresetAction[] {
  const path: Path = ["stages", stage];
  const actions = listOf(written).flatMap(({ value, at }) => {
    const found = resolveAction(stage, value, [...path, ...at], problems, recommended);
    return found === undefined ? [] : [found];
  });
  if (stage !== "memory_insert" || recommended === undefined) return actions;
  // Every insert method stands ready unless the preset says how it is to work.
  const missing = ACTIONS.memory_insert.filter(({ name }) => actions.every(({ action }) => action !== name));
  return [
    ...actions,
    ...missing.flatMap(({ name }) => resolveAction(stage, name, path, problems, recommended) ?? []),
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
    problems.push({ path, message: `An action is expected: its name, or { action: name, … }.` });
    return undefined;
  }
  const found = findAction(stage, given);
  if (found === undefined) {
    const names = namesOf(stage);
    problems.push({
      path,
      message: `There is no action "${given}" in the stage ${stage}. ${validNames(given, names)}`,
    });
    return undefined;
  }
  const { definition, implied } = found;
  const renamed = { ...implied, ...rename(options, definition.aliases, path, problems) };
  const filled =
    recommended === undefined
      ? renamed
      : fill(
          definition.options,
          definition.subtype,
          renamed,
          recommendedFor(definition, renamed, recommended),
          recommended,
        );
  const checked = check(definition.options, filled, path, problems, definition.subtype);
  if (checked === undefined) return undefined;
  // The schema has just accepted it: what comes out is what claims and run are given.
  const claims = definition.claims?.(definition.options.parse(checked)) ?? {};
  return { action: definition.name, options: checked, claims };
}

/** By its name, or by the name of one of its sub-types (C-24). */
function findAction(
  stage: Stage,
  name: string,
): { readonly definition: ActionDefinition; readonly implied: JsonObject } | undefined {
  const actions: readonly ActionDefinition[] = ACTIONS[stage];
  for (const definition of actions) {
    if (definition.name === name) return { definition, implied: {} };
    const implied = definition.shorthands?.[name];
    if (implied !== undefined) return { definition, implied };
  }
  return undefined;
}

function namesOf(stage: Stage): string[] {
  const actions: readonly ActionDefinition[] = ACTIONS[stage];
  return actions.flatMap(({ name, shorthands }) => [name, ...Object.keys(shorthands ?? {})]);
}

function recommendedFor(
  { stage, name, subtype }: ActionDefinition,
  given: JsonObject,
  recommended: Recommended,
): JsonObject {
  const chosen = subtype === undefined ? undefined : given[subtype];
  if (subtype !== undefined && typeof chosen !== "string") return {};
  return recommended.action(stage, name, typeof chosen === "string" ? chosen : undefined) ?? {};
}

function rename(
  options: JsonObject,
  aliases: Readonly<Record<string, string>> = {},
  path: Path,
  problems: Problem[],
): JsonObject {
  const out: Record<string, Json> = {};
  for (const [key, value] of Object.entries(options)) {
    const [name = key, inner] = ((Object.hasOwn(aliases, key) ? aliases[key] : undefined) ?? key).split(".");
    if (Object.hasOwn(out, name)) {
      problems.push({
        path: [...path, key],
        message: `is another name of "${name}", which is written, too. Valid: one of them.`,
      });
    }
    // An alias with a dot stands for the one key of an option that decides the rest of it: decay_type for vitality.policy.
    out[name] = inner === undefined ? value : { [inner]: value };
  }
  return out;
}

function check(
  schema: z.ZodType,
  options: JsonObject,
  path: Path,
  problems: Problem[],
  subtype: string | undefined,
): JsonObject | undefined {
  const result = schema.safeParse(options);
  if (result.success) return parseInput(jsonObjectSchema, result.data, "options");
  const variants = variantsOf(schema, subtype);
  const chosen = variants.find((one) => one.subtype === options[subtype ?? ""]);
  const keys = (chosen === undefined ? variants : [chosen]).flatMap((one) =>
    one.options.map(({ key }) => key),
  );
  const names = subtype === undefined ? keys : [subtype, ...keys];
  if (subtype !== undefined && chosen === undefined) {
    const wrong = options[subtype];
    const valid = validNames(
      String(wrong ?? ""),
      variants.flatMap((one) => one.subtype ?? []),
    );
    const message =
      wrong === undefined ? `is missing. ${valid}` : `There is no ${subtype} "${String(wrong)}". ${valid}`;
    problems.push({ path: [...path, subtype], message });
    return undefined;
  }
  problems.push(
    ...problemsOf(result.error, path, options, (at) =>
      at.length === 0 ? names : keysAt(jsonSchemaOf(schema), at),
    ),
  );
  return undefined;
}

/** `${NAME}` is for keys only: anywhere else it would hide what a preset says. */
function* substitutions(value: Json, path: Path): Generator<Problem> {
  if (typeof value === "string" && path.at(-1) !== "api_key" && /\$\{\w+\}/.test(value)) {
    yield { path, message: "The environment is read for api_key only. Valid here: the value itself." };
  } else if (Array.isArray(value)) {
    for (const [place, part] of value.entries()) yield* substitutions(part, [...path, place]);
  } else {
    for (const [key, part] of Object.entries(asObject(value) ?? {}))
      yield* substitutions(part, [...path, key]);
  }
}
