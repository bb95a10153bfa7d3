/**
 * Which values does a call take? Made from the JSON schema of its row, so a new call is tried without a word written here.
 * `validValue` keeps to the schema; `nearValue` bends a valid one in one to three places: gone, added, replaced, wrapped.
 */
import fc from "fast-check";
import { z } from "zod";
import type { Json, JsonObject } from "../../src/base/json.ts";
import type { Operation } from "../../src/operations/index.ts";
import { hostileText, hostileValue } from "./hostile-values.ts";

const MAX_DEPTH = 4;
const MAX_ITEMS = 4;

const typeName = z.enum(["string", "integer", "number", "boolean", "null", "array", "object"]);
type Schema = z.infer<typeof schemaShape>;
const schemaShape = z.looseObject({
  type: z.union([typeName, z.array(typeName)]).optional(),
  get anyOf(): z.ZodOptional<z.ZodArray<typeof schemaShape>> {
    return z.array(schemaShape).optional();
  },
  get oneOf(): z.ZodOptional<z.ZodArray<typeof schemaShape>> {
    return z.array(schemaShape).optional();
  },
  get properties(): z.ZodOptional<z.ZodRecord<z.ZodString, typeof schemaShape>> {
    return z.record(z.string(), schemaShape).optional();
  },
  get items(): z.ZodOptional<typeof schemaShape> {
    return schemaShape.optional();
  },
  get $defs(): z.ZodOptional<z.ZodRecord<z.ZodString, typeof schemaShape>> {
    return z.record(z.string(), schemaShape).optional();
  },
  get additionalProperties(): z.ZodOptional<z.ZodUnion<readonly [z.ZodBoolean, typeof schemaShape]>> {
    return z.union([z.boolean(), schemaShape]).optional();
  },
  $ref: z.string().optional(),
  required: z.array(z.string()).optional(),
  enum: z.array(z.json()).optional(),
  const: z.json().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
});

/** What means something to the server at this moment: ids and cursors; numbers of events. */
export interface Known {
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
}

export function validValue(row: Operation, known: Known): fc.Arbitrary<Json> {
  return validOf(inputSchemaOf(row), known);
}

/** The same of a schema that was read somewhere else: a tool's. */
export function validOf(given: unknown, known: Known): fc.Arbitrary<Json> {
  const root = schemaShape.parse(given);
  return valuesOf(root, root.$defs ?? {}, known, 0);
}

/** Bent in one to three places. */
export function nearValue(valid: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  const bend = fc.record({
    place: fc.nat(200),
    how: fc.constantFrom<Bend["how"]>("replace", "replace", "replace", "remove", "add", "wrap"),
    value: hostileValue,
    key: fc.oneof(fc.constantFrom("__proto__", "scope", "collection", "signal", "extra", ""), hostileText),
  });
  return fc
    .tuple(valid, fc.array(bend, { minLength: 1, maxLength: 3 }))
    .map(([value, bends]) => bends.reduce(bent, value));
}

/** As MCP takes it, which has no other arguments than fields. */
export function argumentsOf(input: Json): Record<string, unknown> {
  const isFields = typeof input === "object" && input !== null && !Array.isArray(input);
  return isFields ? { ...input } : { value: input };
}

function inputSchemaOf(row: Operation): unknown {
  return z.toJSONSchema(row.input, { io: "input", unrepresentable: "any" });
}

type Definitions = Readonly<Record<string, Schema>>;

function valuesOf(schema: Schema, definitions: Definitions, known: Known, depth: number): fc.Arbitrary<Json> {
  const inner = (part: Schema): fc.Arbitrary<Json> => valuesOf(part, definitions, known, depth + 1);
  if (schema.$ref !== undefined) {
    const name = schema.$ref.replace("#/$defs/", "");
    const meant = definitions[name];
    if (meant === undefined) throw new Error(`The schema names ${schema.$ref}, which it does not define.`);
    return valuesOf(meant, definitions, known, depth);
  }
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const ways = schema.anyOf ?? schema.oneOf;
  if (ways !== undefined) {
    const open = ways.filter((way) => depth < MAX_DEPTH || !refersOn(way));
    return fc.oneof(...(open.length > 0 ? open : ways.slice(0, 1)).map(inner));
  }
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return hostileValue;
  if (types.length > 1) return fc.oneof(...types.map((type) => inner({ ...schema, type })));
  switch (types[0]) {
    case "string":
      return textOf(schema, known);
    case "integer":
    case "number":
      return numberOf(schema, types[0] === "integer", known);
    case "boolean":
      return fc.boolean();
    case "array": {
      const { items = {}, minItems = 0, maxItems = MAX_ITEMS } = schema;
      return fc.array(inner(items), {
        minLength: minItems,
        maxLength: depth < MAX_DEPTH ? Math.min(maxItems, MAX_ITEMS) : minItems,
      });
    }
    case "object":
      return objectOf(schema, inner, depth);
    default:
      return fc.constant(null);
  }
}

/** Whether it leads back to a definition, and so on without an end. */
function refersOn(schema: Schema): boolean {
  return JSON.stringify(schema).includes('"$ref"');
}

/** With at most three of what may be left out: all at once would be refused for one of them nearly always. */
function objectOf(
  { properties = {}, required = [], additionalProperties }: Schema,
  inner: (part: Schema) => fc.Arbitrary<Json>,
  depth: number,
): fc.Arbitrary<Json> {
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  const known = fc.subarray(optional, { maxLength: Math.min(3, optional.length) }).chain((chosen) => {
    const names = [...required, ...chosen];
    const model = Object.fromEntries(names.map((name) => [name, inner(properties[name] ?? {})]));
    return fc.record<Record<string, Json>>(model);
  });
  if (typeof additionalProperties !== "object" || depth >= MAX_DEPTH) return known;
  const others = fc.dictionary(fc.string({ maxLength: 12 }), inner(additionalProperties), { maxKeys: 3 });
  return fc.tuple(known, others).map(([own, more]) => ({ ...more, ...own }));
}

const PLAIN_TEXTS = [
  "I moved to Rome in May.",
  "Where does Mia live?",
  "Mia",
  "session-1",
  "我喜欢喝绿茶。",
  "小明住在哪里？",
  "Europe/Berlin",
  "kind",
  "content",
  "tags",
  "happenedAt",
  "metadata.session",
  "metadata.a.b",
];

const MOMENTS = ["2023-05-08", "2023-05-08T13:56:00Z", "2024-02-29 23:59+08:00"];
/** The longest text that a moment may be. */
const MOMENT_LENGTH = 40;

function textOf({ minLength = 0, maxLength }: Schema, { texts }: Known): fc.Arbitrary<string> {
  const isMoment = maxLength === MOMENT_LENGTH;
  const text = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...(isMoment ? MOMENTS : PLAIN_TEXTS)) },
    { weight: isMoment || texts.length === 0 ? 0 : 3, arbitrary: fc.constantFrom(...texts, "") },
    { weight: 1, arbitrary: hostileText },
  );
  return text.map((given) => given.padEnd(minLength, "x").slice(0, maxLength));
}

const RECENT = 1_684_000_000_000;

function numberOf({ minimum, maximum }: Schema, isWhole: boolean, { numbers }: Known): fc.Arbitrary<number> {
  const [least, most] = [minimum ?? -1e6, maximum ?? 1e6];
  const from = isWhole && least < 0 && most > RECENT ? RECENT : least;
  const between = isWhole
    ? fc.integer({ min: from, max: Math.min(most, from + 50) })
    : fc.double({ min: from, max: most, noNaN: true });
  const fitting = isWhole ? numbers.filter((number) => number >= least && number <= most) : [];
  return fc.oneof(
    { weight: 4, arbitrary: between },
    { weight: 3, arbitrary: fc.constantFrom(least, most, ...fitting) },
  );
}

interface Bend {
  readonly place: number;
  readonly how: "replace" | "remove" | "add" | "wrap";
  readonly value: Json;
  readonly key: string;
}

/** Bends the `place`-th part of a value, counted over and over again. */
function bent(value: Json, { place, how, value: other, key }: Bend): Json {
  let left = place % sizeOf(value);
  const walk = (part: Json): Json => {
    if (left-- === 0) return bentHere(part, how, other, key);
    if (isList(part)) return part.map(walk);
    if (typeof part !== "object" || part === null) return part;
    return fromPairs(Object.entries(part).map(([name, inner]) => [name, walk(inner)]));
  };
  return walk(value);
}

function bentHere(part: Json, how: Bend["how"], other: Json, key: string): Json {
  if (how === "wrap") return [part];
  if (how === "replace") return other;
  if (isList(part)) return how === "remove" ? part.slice(1) : [...part, other];
  if (typeof part !== "object" || part === null) return other;
  const pairs = Object.entries(part);
  return fromPairs(how === "remove" ? pairs.slice(1) : [...pairs, [key, other]]);
}

function sizeOf(value: Json): number {
  if (typeof value !== "object" || value === null) return 1;
  return 1 + Object.values(value).reduce<number>((sum, part) => sum + sizeOf(part), 0);
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** Keys are properties of their own, whatever they are called. */
function fromPairs(pairs: readonly (readonly [string, Json])[]): JsonObject {
  return Object.fromEntries(pairs);
}
