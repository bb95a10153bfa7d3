/**
 * What options does a thing have? Read from its schema, once, for everybody who wants to know: the check that names valid
 * keys, the generated page, and the schema that editors use.
 */
import { z } from "zod";
import { type Json, type JsonObject, jsonObjectSchema } from "../base/json.ts";
import { parseInput } from "../base/parse-input.ts";

export interface OptionRow {
  readonly key: string;
  readonly type: string;
  readonly description: string;
  /** Its only value, where it tells one form of the options from another. */
  readonly fixed?: Json | undefined;
}

/** The options of one sub-type, or of a thing without sub-types (null). */
export interface Variant {
  readonly subtype: string | null;
  readonly options: readonly OptionRow[];
}

/** A preset's check asks for the same schema several times, and converting one takes milliseconds. */
const converted = new WeakMap<z.ZodType, JsonObject>();

export function jsonSchemaOf(schema: z.ZodType): JsonObject {
  const known = converted.get(schema);
  if (known !== undefined) return known;
  const json = convert(schema);
  converted.set(schema, json);
  return json;
}

function convert(schema: z.ZodType): JsonObject {
  const made = z.toJSONSchema(schema, { unrepresentable: "any", io: "input" });
  const { $schema: _, "~standard": __, ...rest } = { ...made, "~standard": undefined };
  // A schema that contains itself (a filter) is anything from there on: what is inside, the loader checks.
  const text = JSON.stringify(rest, (key, value: unknown) =>
    key === "$ref" || key === "$defs" ? undefined : value,
  );
  return parseInput(jsonObjectSchema, JSON.parse(text), "JSON schema");
}

export function variantsOf(schema: z.ZodType, subtype: string | undefined): Variant[] {
  const variants = new Map<string | null, Map<string, OptionRow>>();
  for (const { properties } of branchesOf(jsonSchemaOf(schema))) {
    const chosen = subtype === undefined ? undefined : asObject(properties[subtype])?.const;
    const name = typeof chosen === "string" ? chosen : null;
    const rows = variants.get(name) ?? new Map<string, OptionRow>();
    variants.set(name, rows);
    for (const row of rowsOf(properties, subtype)) {
      const known = rows.get(row.key);
      const isNew = known === undefined || known.type.split(" | ").includes(row.type);
      rows.set(row.key, isNew ? (known ?? row) : { ...known, type: `${known.type} | ${row.type}` });
    }
  }
  return [...variants].map(([name, rows]) => ({ subtype: name, options: [...rows.values()] }));
}

/** The options of the one form that fits what is written, where there are several. */
export function optionsFor(schema: z.ZodType, subtype: string | undefined, written: JsonObject): OptionRow[] {
  const branch = branchesOf(jsonSchemaOf(schema)).find(({ properties }) => fits(properties, written));
  return branch === undefined ? [] : rowsOf(branch.properties, subtype);
}

function rowsOf(properties: JsonObject, subtype: string | undefined): OptionRow[] {
  return Object.entries(properties)
    .filter(([key]) => key !== subtype)
    .map(([key, value]) => {
      const part = asObject(value) ?? {};
      const { description, const: fixed } = part;
      return {
        key,
        type: typeText(part),
        description: typeof description === "string" ? description : "",
        fixed,
      };
    });
}

/** One form of an object: its schema without unions. */
export interface Branch {
  readonly schema: JsonObject;
  readonly properties: JsonObject;
}

/** Every form that an object may have: one for a plain object, one for each part of a union, however nested. */
export function branchesOf(schema: JsonObject): Branch[] {
  const parts = schema.oneOf ?? schema.anyOf;
  if (Array.isArray(parts)) return parts.flatMap((part) => branchesOf(asObject(part) ?? {}));
  return [{ schema, properties: asObject(schema.properties) ?? {} }];
}

/** The schemas of what stands at a path; several where there are several forms of what is around it. */
function schemasAt(schema: JsonObject, path: readonly (string | number)[], value?: Json): JsonObject[] {
  const [step, ...rest] = path;
  if (step === undefined) return [schema];
  const written = asObject(value);
  const branches = branchesOf(schema);
  const fitting =
    written === undefined ? branches : branches.filter(({ properties }) => fits(properties, written));
  return (fitting.length === 0 ? branches : fitting).flatMap((branch) => {
    const part = asObject(typeof step === "number" ? branch.schema.items : branch.properties[step]);
    const inner = written === undefined ? undefined : written[step];
    return part === undefined ? [] : schemasAt(part, rest, inner);
  });
}

/** The keys that the object at a path may have; [] where there is no object, or one of any keys. */
export function keysAt(schema: JsonObject, path: readonly (string | number)[], value?: Json): string[] {
  const written = asObject(path.reduce<Json | undefined>((at, step) => asObject(at)?.[step], value));
  const branches = schemasAt(schema, path, value).flatMap(branchesOf);
  const fitting =
    written === undefined ? branches : branches.filter(({ properties }) => fits(properties, written));
  const chosen = fitting.length === 0 ? branches : fitting;
  return [...new Set(chosen.flatMap(({ properties }) => Object.keys(properties)))];
}

/** The names that may stand at a path, where only names may: of a policy, a strategy, one of a few words. */
export function namesAt(schema: JsonObject, path: readonly (string | number)[]): string[] {
  const names = schemasAt(schema, path).flatMap((part) =>
    branchesOf(part).flatMap(({ schema: one }) => {
      const values = Array.isArray(one.enum) ? one.enum : [one.const];
      return values.filter((value) => typeof value === "string");
    }),
  );
  return [...new Set(names)];
}

export function expectedAt(schema: JsonObject, path: readonly (string | number)[]): string {
  return [...new Set(schemasAt(schema, path).map(typeText))].join(" or ");
}

/** Whether what is written can be this form: the keys that tell forms apart have its values. */
export function fits(properties: JsonObject, written: JsonObject): boolean {
  return Object.entries(properties).every(([key, part]) => {
    const fixed = asObject(part)?.const;
    return fixed === undefined || fixed === written[key];
  });
}

/** A type as a reader of YAML would write it. */
export function typeText(schema: JsonObject): string {
  const parts = schema.oneOf ?? schema.anyOf;
  if (Array.isArray(parts)) {
    const texts = parts.map((part) =>
      isPolicy(part) ? "a vitality policy" : typeText(asObject(part) ?? {}),
    );
    return [...new Set(texts)].join(" or ");
  }
  if (Array.isArray(schema.enum)) return schema.enum.map(String).join(" | ");
  if (schema.const !== undefined) return String(schema.const);
  if (schema.type === "array") {
    const items = typeText(asObject(schema.items) ?? {});
    return `list of ${items.includes(" ") ? `(${items})` : items}`;
  }
  const properties = asObject(schema.properties);
  if (properties !== undefined) {
    const inside = Object.entries(properties).map(
      ([key, value]) => `${key}: ${typeText(asObject(value) ?? {})}`,
    );
    return `{ ${inside.join(", ")} }`;
  }
  const values = asObject(schema.additionalProperties);
  if (schema.type === "object" && values !== undefined) return `map of ${typeText(values)}`;
  const types = (Array.isArray(schema.type) ? schema.type : [schema.type]).filter(
    (type) => typeof type === "string",
  );
  return `${types.length === 0 ? "any" : types.join(" or ")}${boundsText(schema)}`;
}

/** One of the vitality policies, or forms of one: they are a list of their own. */
export function isPolicy(schema: Json): boolean {
  return branchesOf(asObject(schema) ?? {}).every(
    ({ properties }) => asObject(properties.policy)?.const !== undefined,
  );
}

/** The bounds that a person wrote; those of a 53-bit integer say nothing. */
function boundsText({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonObject): string {
  const known = (value: Json | undefined): value is number =>
    typeof value === "number" && Math.abs(value) < Number.MAX_SAFE_INTEGER;
  const low = known(minimum) ? `≥ ${minimum}` : known(exclusiveMinimum) ? `> ${exclusiveMinimum}` : "";
  const high = known(maximum) ? `≤ ${maximum}` : known(exclusiveMaximum) ? `< ${exclusiveMaximum}` : "";
  const both = [low, high].filter((part) => part !== "").join(", ");
  return both === "" ? "" : ` ${both}`;
}

export function asObject(value: Json | undefined): JsonObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}
