/**
 * A zod schema as the JSON schema a model is held to. Constrained decoding (OpenAI's strict mode and its imitators) knows a
 * subset only: every object closed, every property required, an object at the root. So optional properties become
 * nullable (or plainly required, if they have a default), keywords outside the subset are left out (zod checks them afterwards), and any other root is put under "value".
 */
import { z } from "zod";
import { type Json, type JsonObject, jsonObjectSchema } from "../base/json.ts";
import { isJsonObject } from "./json-object.ts";
import type { ReplyShape } from "./model.ts";

const KEPT = new Set([
  "type",
  "properties",
  "items",
  "prefixItems",
  "anyOf",
  "enum",
  "const",
  "description",
  "minimum",
  "maximum",
  "minItems",
  "maxItems",
  "$ref",
  "$defs",
]);

export function toReplyShape(name: string, schema: z.ZodType): ReplyShape {
  const plain = jsonObjectSchema.parse(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
  const state = { strict: true };
  const root = narrow(plain, state);
  const asObject = root.type === "object" ? root : wrapped(root);
  return { name, schema: asObject, strict: state.strict };
}

function wrapped({ $defs, ...schema }: JsonObject): JsonObject {
  return {
    type: "object",
    properties: { value: schema },
    required: ["value"],
    additionalProperties: false,
    ...($defs === undefined ? {} : { $defs }),
  };
}

function narrow(schema: JsonObject, state: { strict: boolean }): JsonObject {
  const out: Record<string, Json> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    // Two ways to say "one of these": the subset knows only the first.
    const name = keyword === "oneOf" ? "anyOf" : keyword;
    if (keyword === "allOf") state.strict = false;
    if (KEPT.has(name) || keyword === "allOf") out[name] = narrowKeyword(name, value, state);
  }
  if (schema.type !== "object") return out;
  if (isJsonObject(schema.additionalProperties)) {
    // A record: its keys are not known beforehand, which strict decoding cannot do.
    state.strict = false;
    return { ...out, additionalProperties: narrow(schema.additionalProperties, state) };
  }
  return closed(out, schema);
}

/** What may be left out and has no default may be null; what has one is simply to be said. */
function closed(schema: JsonObject, original: JsonObject): JsonObject {
  const given = isJsonObject(schema.properties) ? schema.properties : {};
  const before = isJsonObject(original.properties) ? original.properties : {};
  const needed = new Set(Array.isArray(original.required) ? original.required : []);
  const properties = Object.entries(given).map(([name, property]): [string, Json] => {
    const said = before[name];
    const hasDefault = isJsonObject(said) && Object.hasOwn(said, "default");
    const mustBe = needed.has(name) || hasDefault || !isJsonObject(property);
    return [name, mustBe ? property : nullable(property)];
  });
  return {
    ...schema,
    properties: Object.fromEntries(properties),
    required: Object.keys(given),
    additionalProperties: false,
  };
}

function nullable(schema: JsonObject): JsonObject {
  const { type, anyOf } = schema;
  if (isNull(type) || (Array.isArray(type) && type.some(isNull))) return schema;
  if (!Array.isArray(anyOf)) return { anyOf: [schema, { type: "null" }] };
  const has = anyOf.some((part: Json) => isJsonObject(part) && isNull(part.type));
  return has ? schema : { ...schema, anyOf: [...anyOf, { type: "null" }] };
}

function isNull(type: Json | undefined): boolean {
  return type === "null";
}

function narrowKeyword(keyword: string, value: Json, state: { strict: boolean }): Json {
  if (keyword === "properties" || keyword === "$defs") {
    if (!isJsonObject(value)) return value;
    const entries = Object.entries(value).map(([name, part]): [string, Json] => [
      name,
      isJsonObject(part) ? narrow(part, state) : part,
    ]);
    return Object.fromEntries(entries);
  }
  if (keyword === "anyOf" || keyword === "allOf" || keyword === "prefixItems") {
    return Array.isArray(value)
      ? value.map((part: Json) => (isJsonObject(part) ? narrow(part, state) : part))
      : value;
  }
  return keyword === "items" && isJsonObject(value) ? narrow(value, state) : value;
}
