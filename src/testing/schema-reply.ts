/**
 * What a model might answer to any task: the smallest reply that fits the schema it was asked for, with a sentence of the
 * data wherever text is wanted. It knows nothing, but it is always the same for the same request, so two runs over the
 * same journal can be compared.
 */
import { type Json, type JsonObject, jsonSchema } from "../base/json.ts";
import type { SeenRequest } from "./model-server.ts";

export function schemaReply({ body }: SeenRequest): string {
  const format = asObject(body.response_format);
  const schema = asObject(asObject(format?.json_schema)?.schema);
  return schema === undefined ? sentenceOf(body) : JSON.stringify(sampleOf(schema, schema, sentenceOf(body)));
}

function sampleOf(schema: JsonObject, root: JsonObject, text: string): Json {
  if (typeof schema.$ref === "string") {
    const target = schema.$ref
      .split("/")
      .slice(1)
      .reduce<Json | undefined>((at, key) => asObject(at)?.[key], root);
    return sampleOf(asObject(target) ?? {}, root, text);
  }
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return jsonSchema.parse(schema.enum[0] ?? null);
  const [choice] = [schema.anyOf, schema.oneOf].flatMap((list) => (Array.isArray(list) ? [list] : []));
  if (choice !== undefined) return sampleOf(asObject(choice[0]) ?? {}, root, text);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case "object": {
      const entries = Object.entries(asObject(schema.properties) ?? {});
      return Object.fromEntries(
        entries.map(([key, part]) => [key, sampleOf(asObject(part) ?? {}, root, text)]),
      );
    }
    case "array":
      return [sampleOf(asObject(schema.items) ?? {}, root, text)];
    case "integer":
    case "number":
      return typeof schema.minimum === "number" ? Math.max(0, schema.minimum) : 0;
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return text;
  }
}

/** The longest line of the data: what comes last in what was asked. */
function sentenceOf({ messages }: JsonObject): string {
  const last = Array.isArray(messages) ? asObject(messages.at(-1)) : undefined;
  const lines = String(last?.content ?? "")
    .split("\n")
    .map((line) => line.replace(/^[^\p{L}]+/u, "").trim())
    .filter((line) => line !== "" && !line.startsWith("<"));
  return lines.reduce((best, line) => (line.length > best.length ? line : best), "nothing").slice(0, 120);
}

function asObject(value: Json | undefined): JsonObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}
