/** The preset with some options set otherwise: what is set is checked as the loader checks it, the rest stays as it is. */
import { ACTIONS } from "../../actions/index.ts";
import { invariant, MemoryError } from "../../base/errors.ts";
import type { Json, JsonObject } from "../../base/json.ts";
import type { ActionDefinition } from "../../pipeline/action.ts";
import { STAGES, type Stage } from "../../pipeline/stage.ts";
import { checkClaims } from "../../preset/check-claims.ts";
import { asObject, jsonSchemaOf } from "../../preset/option-table.ts";
import { type Preset, type PresetAction, presetSchema } from "../../preset/preset.ts";
import { type Problem, problemsOf } from "../../preset/problem.ts";
import { resolveOptions } from "../../preset/resolve-options.ts";
import type { Path } from "../../preset/yaml-file.ts";
import { serviceNamed } from "../../services/index.ts";
import { findOption } from "./option-paths.ts";
import { type Setting, settingText } from "./setting.ts";

interface Change {
  readonly path: Path;
  readonly value: Json;
}

/** Refused with the loader's own reasons where the values do not fit. */
export function overridePreset(preset: Preset, setting: Setting): Preset {
  const changes = Object.entries(setting).map(([name, value]) => ({
    path: findOption(preset, name).path,
    value,
  }));
  const problems: Problem[] = [];
  const made: Preset = {
    ...preset,
    input: changedInput(preset.input, below(changes, ["input"]), problems),
    service: changedService(preset.service, below(changes, ["service"]), problems),
    stages: {
      pre_insert: changedStage("pre_insert", preset, changes, problems),
      memory_insert: changedStage("memory_insert", preset, changes, problems),
      post_insert: changedStage("post_insert", preset, changes, problems),
      pre_retrieval: changedStage("pre_retrieval", preset, changes, problems),
      memory_retrieval: changedStage("memory_retrieval", preset, changes, problems),
      post_retrieval: changedStage("post_retrieval", preset, changes, problems),
    },
  };
  // What fits together is asked only of parts that are right in themselves.
  const wrong = problems.length > 0 ? problems : checkClaims(made);
  if (wrong.length === 0) return made;
  const reasons = wrong.map(({ path, message }) => `${path.join(".")}: ${message}`).join(" ");
  throw new MemoryError(
    "option_invalid",
    `The preset ${preset.name} cannot have ${settingText(setting)}. ${reasons}`,
  );
}

/** The actions of a stage by their definitions. */
export function definitionOf(stage: Stage, name: string): ActionDefinition {
  const actions: readonly ActionDefinition[] = ACTIONS[stage];
  const found = actions.find((definition) => definition.name === name);
  invariant(found !== undefined, `A preset has the action ${name}, which the stage ${stage} has not`);
  return found;
}

export function stageNamed(name: string | number | undefined): Stage | undefined {
  return STAGES.find((stage) => stage === name);
}

function changedInput(
  input: Preset["input"],
  changes: readonly Change[],
  problems: Problem[],
): Preset["input"] {
  if (changes.length === 0) return input;
  const { input: schema } = presetSchema.shape;
  const written = changed({ ...input }, changes);
  const checked = schema.safeParse(written);
  if (checked.success) return checked.data;
  problems.push(...problemsOf(checked.error, ["input"], written, jsonSchemaOf(schema)));
  return input;
}

function changedService(
  service: Preset["service"],
  changes: readonly Change[],
  problems: Problem[],
): Preset["service"] {
  if (changes.length === 0) return service;
  const written = { path: ["service"], options: changed(service.options, changes), implied: {} };
  const options = resolveOptions(serviceNamed(service.name), written, problems, undefined, () => ({}));
  return options === undefined ? service : { ...service, options };
}

function changedStage(
  stage: Stage,
  { stages }: Preset,
  all: readonly Change[],
  problems: Problem[],
): PresetAction[] {
  return stages[stage].map((one, place) => {
    const changes = below(all, ["stages", stage, place]);
    if (changes.length === 0) return one;
    const definition = definitionOf(stage, one.action);
    const written = {
      path: ["stages", stage, one.action],
      options: changed(one.options, changes),
      implied: {},
    };
    const options = resolveOptions(definition, written, problems, undefined, () => ({}));
    if (options === undefined) return one;
    return { ...one, options, claims: definition.claims?.(definition.options.parse(options)) ?? {} };
  });
}

/** The changes inside of something, as seen from there. */
function below(changes: readonly Change[], above: Path): Change[] {
  return changes
    .filter(({ path }) => above.every((step, place) => path[place] === step))
    .map(({ path, value }) => ({ path: path.slice(above.length), value }));
}

function changed(options: JsonObject, changes: readonly Change[]): JsonObject {
  return changes.reduce((data, { path, value }) => withValue(data, path, value), options);
}

function withValue(data: JsonObject, [step, ...rest]: Path, value: Json): JsonObject {
  if (step === undefined) return data;
  const inner = rest.length === 0 ? value : withValue(asObject(data[step]) ?? {}, rest, value);
  return { ...data, [step]: inner };
}
