/** The schema of preset files for editors: completion, descriptions and checks while one writes. */
import { ACTIONS } from "../actions/index.ts";
import type { Json, JsonObject } from "../base/json.ts";
import type { ActionDefinition } from "../pipeline/action.ts";
import { STAGES } from "../pipeline/stage.ts";
import { SERVICES } from "../services/index.ts";
import { asObject, branchesOf, jsonSchemaOf } from "./option-table.ts";
import { LOADING_KEYS, presetSchema } from "./preset.ts";
import type { Recommended } from "./recommended.ts";

/** With recommended values as defaults; nothing is required, because they may be left to fill in. */
export function presetJsonSchema(recommended: Recommended): JsonObject {
  const own = jsonSchemaOf(presetSchema);
  const services = Object.values(SERVICES).map(({ name, options }) =>
    withName("name", name, jsonSchemaOf(options), recommended.service(name)),
  );
  const stages = Object.fromEntries(STAGES.map((stage) => [stage, stageSchema(ACTIONS[stage], recommended)]));
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "NeuroMem preset",
    type: "object",
    additionalProperties: false,
    required: ["name", "summary", "service"],
    properties: {
      ...asObject(own.properties),
      extends: { type: "string", description: LOADING_KEYS.extends },
      defaults: { const: "recommended", description: LOADING_KEYS.defaults },
      service: { anyOf: services, description: "The one service, and its options." },
      stages: { type: "object", additionalProperties: false, properties: stages },
    },
  };
}

function stageSchema(actions: readonly ActionDefinition[], recommended: Recommended): JsonObject {
  const names = actions.flatMap(({ name, shorthands }) => [name, ...Object.keys(shorthands ?? {})]);
  const one: Json = {
    anyOf: [{ enum: names }, ...actions.flatMap((action) => actionSchemas(action, recommended))],
  };
  return { anyOf: [one, { type: "array", items: one }] };
}

function actionSchemas(action: ActionDefinition, recommended: Recommended): JsonObject[] {
  const { stage, name, subtype, options, shorthands = {}, summary } = action;
  return branchesOf(jsonSchemaOf(options)).map(({ schema, properties }) => {
    const chosen = subtype === undefined ? undefined : asObject(properties[subtype])?.const;
    const values = recommended.action(stage, name, typeof chosen === "string" ? chosen : undefined);
    const aliases = Object.keys(shorthands).filter(
      (alias) => chosen !== undefined && shorthands[alias]?.[subtype ?? ""] === chosen,
    );
    return { ...withName("action", [name, ...aliases], schema, values), description: summary };
  });
}

/** An object's schema with one more key, and with what is recommended as default values. */
function withName(
  key: string,
  name: string | readonly string[],
  schema: JsonObject,
  values: JsonObject | undefined,
): JsonObject {
  const properties = Object.fromEntries(
    Object.entries(asObject(schema.properties) ?? {}).map(([option, part]) => {
      const recommended = values?.[option];
      return [option, recommended === undefined ? part : { ...asObject(part), default: recommended }];
    }),
  );
  const { required: _, ...rest } = schema;
  const named: Json = typeof name === "string" ? { const: name } : { enum: name };
  return { ...rest, properties: { [key]: named, ...properties }, required: [key] };
}
