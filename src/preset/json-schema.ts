/**
 * The schema of preset files for editors: completion, descriptions and checks while one writes. It takes what the loader
 * takes: nothing that may be inherited or filled in is required, older names are known, and each list of actions is
 * written down once. What only the loader can know (what fits together) it leaves to the loader.
 */
import { ACTIONS } from "../actions/index.ts";
import type { Json, JsonObject } from "../base/json.ts";
import type { ActionDefinition } from "../pipeline/action.ts";
import { STAGES } from "../pipeline/stage.ts";
import { VITALITY } from "../policies/vitality/index.ts";
import { SERVICES } from "../services/index.ts";
import { asObject, branchesOf, isPolicy, jsonSchemaOf, keysAt } from "./option-table.ts";
import { LOADING_KEYS, presetSchema } from "./preset.ts";
import type { Recommended } from "./recommended.ts";

export function presetJsonSchema(recommended: Recommended): JsonObject {
  const own = asObject(loosen(jsonSchemaOf(presetSchema)));
  const actions = STAGES.map((stage) => [stage, { anyOf: oneOfActions(ACTIONS[stage], recommended) }]);
  const stages = STAGES.map((stage) => [stage, stageSchema(stage)]);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "NeuroMem preset",
    type: "object",
    additionalProperties: false,
    properties: {
      ...asObject(own?.properties),
      extends: { type: "string", description: LOADING_KEYS.extends },
      defaults: { const: "recommended", description: LOADING_KEYS.defaults },
      service: { $ref: "#/$defs/service" },
      stages: { type: "object", additionalProperties: false, properties: Object.fromEntries(stages) },
    },
    $defs: {
      vitality: { anyOf: Object.values(VITALITY).map(({ choice }) => loosen(jsonSchemaOf(choice))) },
      service: serviceSchema(recommended),
      ...Object.fromEntries(actions),
    },
  };
}

function serviceSchema(recommended: Recommended): JsonObject {
  const named = Object.values(SERVICES).map(({ name, summary, options, aliases }) => ({
    ...optionSchema(
      jsonSchemaOf(options),
      { name: { const: name } },
      ["name"],
      aliases,
      recommended.service(name),
    ),
    description: summary,
  }));
  // A preset that extends another may change options of the same service without naming it.
  const options = Object.values(SERVICES).flatMap((service) => [
    ...keysAt(jsonSchemaOf(service.options), []),
    ...Object.keys(service.aliases ?? {}),
  ]);
  const properties = Object.fromEntries(options.map((option) => [option, {}]));
  const unnamed = { type: "object", additionalProperties: false, properties };
  return { anyOf: [...named, unnamed], description: "The one service, and its options." };
}

/** An action, or a list of them, or a list under `action`. */
function stageSchema(stage: string): JsonObject {
  const list: Json = { type: "array", items: { $ref: `#/$defs/${stage}` } };
  const listed = {
    type: "object",
    properties: { action: list },
    required: ["action"],
    additionalProperties: false,
  };
  return { anyOf: [{ $ref: `#/$defs/${stage}` }, list, listed] };
}

function oneOfActions(actions: readonly ActionDefinition[], recommended: Recommended): Json[] {
  // A name alone is enough where no sub-type must be chosen, or where it is a sub-type's.
  const names = actions.flatMap(({ name, subtype, shorthands = {} }) => [
    ...(subtype === undefined ? [name] : []),
    ...Object.keys(shorthands),
  ]);
  return [{ enum: names }, ...actions.flatMap((action) => actionSchemas(action, recommended))];
}

function actionSchemas(action: ActionDefinition, recommended: Recommended): JsonObject[] {
  const { stage, name, subtype, options, shorthands = {}, aliases, summary } = action;
  return branchesOf(jsonSchemaOf(options)).flatMap(({ schema, properties }) => {
    const chosen = subtype === undefined ? undefined : asObject(properties[subtype])?.const;
    const values = recommended.action(stage, name, typeof chosen === "string" ? chosen : undefined);
    const short = Object.keys(shorthands).filter((key) => shorthands[key]?.[subtype ?? ""] === chosen);
    const whole = optionSchema(
      schema,
      { action: { const: name } },
      ["action", ...(subtype === undefined ? [] : [subtype])],
      aliases,
      values,
    );
    const written = short.map((alias) =>
      optionSchema(schema, { action: { const: alias } }, ["action"], aliases, values),
    );
    return [whole, ...written].map((one) => ({ ...one, description: summary }));
  });
}

/** An object's schema with its name beside its options, older names of them, and what is recommended as default values. */
function optionSchema(
  schema: JsonObject,
  named: JsonObject,
  required: readonly string[],
  aliases: Readonly<Record<string, string>> = {},
  values: JsonObject = {},
): JsonObject {
  const own = asObject(schema.properties) ?? {};
  const properties = Object.entries(own).map(([option, part]) => {
    const loose = asObject(loosen(part)) ?? {};
    const recommended = values[option];
    return [option, recommended === undefined ? loose : { ...loose, default: recommended }];
  });
  const older = Object.entries(aliases)
    .filter(([, name]) => Object.hasOwn(own, name.split(".")[0] ?? name))
    .map(([alias, name]) => [alias, { description: `An older name of ${name}.` }]);
  return {
    type: "object",
    additionalProperties: false,
    properties: { ...named, ...Object.fromEntries(properties), ...Object.fromEntries(older) },
    required,
  };
}

/** The same without required keys, but for those that tell one form from another: what is not written may be filled in. */
function loosen(value: Json): Json {
  if (Array.isArray(value)) return value.map((part: Json) => loosen(part));
  const schema = asObject(value);
  if (schema === undefined) return value;
  // Written down once: many options take a policy.
  if (isPolicies(schema)) return { $ref: "#/$defs/vitality" };
  const { required, ...rest } = Object.fromEntries(
    Object.entries(schema).map(([key, part]) => [key, loosen(part)]),
  );
  const properties = asObject(schema.properties) ?? {};
  const telling = (Array.isArray(required) ? required : []).filter(
    (key) => asObject(properties[String(key)])?.const !== undefined,
  );
  return telling.length === 0 ? rest : { ...rest, required: telling };
}

/** All the vitality policies together, as an option takes them. */
function isPolicies(schema: JsonObject): boolean {
  const parts = schema.oneOf ?? schema.anyOf;
  return Array.isArray(parts) && parts.length === Object.keys(VITALITY).length && parts.every(isPolicy);
}
