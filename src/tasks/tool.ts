/** What a model may do besides talk: a name, a strict input, and what is done. Its description is in a prompt file. */
import { z } from "zod";
import { type Json, type JsonObject, jsonObjectSchema } from "../base/json.ts";
import { parseInput } from "../base/parse-input.ts";
import type { Tool } from "../models/model.ts";

export interface BoundTool {
  readonly name: string;
  /** Without `request_heartbeat`, which every tool but the last word has. */
  readonly input: z.ZodObject;
  /** Whether the model may ask to go on after it. */
  readonly canGoOn: boolean;
  /** Throws a MemoryError whose sentence the model will read. */
  run(given: JsonObject): Promise<Json>;
}

export function bindTool<Shape extends z.ZodRawShape>(
  name: string,
  shape: Shape,
  run: (input: z.infer<z.ZodObject<Shape, z.core.$strict>>) => Promise<Json>,
  { canGoOn = true }: { readonly canGoOn?: boolean } = {},
): BoundTool {
  const input = z.strictObject(shape);
  return {
    name,
    input,
    canGoOn,
    run: async (given) => run(parseInput(input, given, `input of ${name}`)),
  };
}

/** The option by which a model says that it wants another step. */
export const HEARTBEAT = "request_heartbeat";

/** As the model port takes it; `texts`: descriptions of the tool and of its inputs, by name. */
export function describeTool({ name, input, canGoOn }: BoundTool, texts: (name: string) => string): Tool {
  const { properties, required } = schemaShape.parse(z.toJSONSchema(input, { io: "input" }));
  const all = { ...properties, ...(canGoOn ? { [HEARTBEAT]: { type: "boolean" } } : {}) };
  const described = Object.entries(all).map(([key, schema]) => [key, { ...schema, description: texts(key) }]);
  return {
    name,
    description: texts(name),
    input: jsonObjectSchema.parse({
      type: "object",
      properties: Object.fromEntries(described),
      required,
      additionalProperties: false,
    }),
  };
}

const schemaShape = z.looseObject({
  properties: z.record(z.string(), jsonObjectSchema),
  required: z.array(z.string()).default([]),
});
