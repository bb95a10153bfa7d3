/**
 * How are the inputs and outputs of the table said in JSON Schema? As zod writes them, with what many calls share under a name
 * of its own, so that the document can be read by people and a generated client has one type for one thing.
 *
 * What is given back may have more fields than are listed: a client that refuses those it does not know would break at the
 * next version. What is taken is taken strictly.
 */
import { z } from "zod";
import { invariant } from "../base/errors.ts";
import { filterSchema } from "../base/filter.ts";
import type { Json, JsonObject } from "../base/json.ts";
import { lastMomentInput, momentInput } from "../operations/moment.ts";
import { entryOutput, eventOutput, hitOutput, jsonObject, turnOutput } from "../operations/schemas/entry.ts";
import { foundOutput, stageOutput } from "../operations/schemas/question.ts";
import { derivedOutput, judgedInput, rememberedOutput, turnInput } from "../operations/schemas/said.ts";

/** The names of what is shared. */
const SHARED: Readonly<Record<string, z.ZodType>> = {
  Filter: filterSchema,
  Moment: momentInput,
  LastMoment: lastMomentInput,
  NewTurn: turnInput,
  NewJudgment: judgedInput,
  Memory: entryOutput,
  Hit: hitOutput,
  Turn: turnOutput,
  Event: eventOutput,
  Stage: stageOutput,
  Found: foundOutput,
  Derived: derivedOutput,
  Remembered: rememberedOutput,
  JsonObject: jsonObject,
};
/** What recurs without a name is any JSON at all. */
const ANY_JSON = "Json";
const REFERENCE = "#/$defs/";

export interface Schemas {
  schemaOf(schema: z.ZodType, io: "input" | "output"): JsonObject;
  /** All that was referred to. */
  readonly shared: ReadonlyMap<string, JsonObject>;
}

/** Names of ours beside the descriptions that stand in the schemas themselves. */
class NamedSchemas extends z.core.$ZodRegistry<z.core.GlobalMeta> {
  override get<S extends z.core.$ZodType>(schema: S): z.core.$replace<z.core.GlobalMeta, S> | undefined {
    return { ...z.globalRegistry.get(schema), ...super.get(schema) };
  }
}

export function createSchemas(): Schemas {
  const metadata = new NamedSchemas();
  for (const [id, schema] of Object.entries(SHARED)) metadata.add(schema, { id });
  const shared = new Map<string, JsonObject>();
  return {
    shared,
    schemaOf(schema, io) {
      const written = z.toJSONSchema(schema, {
        io,
        metadata,
        override: ({ jsonSchema }) => leaveOut(jsonSchema, io),
      });
      const { $defs = {}, $schema: _, ...own } = written;
      for (const [name, { id: __, ...one }] of Object.entries($defs))
        share(shared, nameOf(name), withReferences(one));
      return withReferences(own);
    },
  };
}

/** What says nothing to a reader, or more than is meant. */
function leaveOut(schema: z.core.JSONSchema.BaseSchema, io: "input" | "output"): void {
  delete schema.readOnly;
  delete schema.propertyNames;
  if (io === "output" && schema.additionalProperties === false) delete schema.additionalProperties;
}

function share(shared: Map<string, JsonObject>, name: string, schema: JsonObject): void {
  const known = shared.get(name);
  invariant(
    known === undefined || JSON.stringify(known) === JSON.stringify(schema),
    `Two schemas are called ${name}; one needs a name of its own in openapi-schemas.ts`,
  );
  shared.set(name, schema);
}

function nameOf(name: string): string {
  return name.startsWith("__schema") ? ANY_JSON : name;
}

/** As they are in the document. */
function withReferences(schema: object): JsonObject {
  return Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, withReference(key, part)]));
}

function withReference(key: string, part: unknown): Json {
  if (Array.isArray(part)) return part.map((one) => withReference("", one));
  if (typeof part === "object" && part !== null) return withReferences(part);
  if (key === "$ref" && typeof part === "string") return referenceTo(part);
  return typeof part === "string" || typeof part === "number" || typeof part === "boolean" ? part : null;
}

function referenceTo(reference: string): string {
  invariant(reference.startsWith(REFERENCE), `A schema refers to ${reference}`);
  return `#/components/schemas/${nameOf(reference.slice(REFERENCE.length))}`;
}
