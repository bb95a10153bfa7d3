/**
 * Which memories? mem0's language of filters (AND, OR, NOT; in, ne, gt, gte, lt, lte, contains, icontains, "*"), as far as it
 * can be answered: whose memory it is must stand where it holds for all that is asked (by itself or under AND), because a
 * request reaches one scope. Labels, metadata and the two dates may stand anywhere. Anything else is refused, never passed over.
 */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { MemoryError } from "../../base/errors.ts";
import { type Json, jsonSchema, MAX_JSON_DEPTH } from "../../base/json.ts";
import { parseInput } from "../../base/parse-input.ts";
import { lastMomentInput, momentInput } from "../../operations/moment.ts";
import { ENTITY_NAMES, type Entities, type EntityName, joined } from "./entities.ts";
import type { MemoryView } from "./memory-view.ts";

export type Condition = (view: MemoryView) => boolean;

export interface ReadFilters {
  /** Who is named in it for all that is asked. */
  readonly entities: Entities;
  /** undefined: nothing but whose they are was asked for. */
  readonly matches: Condition | undefined;
}

export interface FilterRules {
  /** As mem0's own server has it: a name that is none of its fields is one of the metadata. */
  readonly isPlainMetadata: boolean;
}

const DATES = ["created_at", "updated_at"] as const;
const OPERATORS = ["eq", "ne", "in", "gt", "gte", "lt", "lte", "contains", "icontains"] as const;
type Operator = (typeof OPERATORS)[number];

const objectSchema = z.record(z.string(), jsonSchema);

export function readFilters(given: unknown, rules: FilterRules): ReadFilters {
  if (given === undefined || given === null) return { entities: {}, matches: undefined };
  return all([parseInput(objectSchema, given, "filter")], rules, 0);
}

/** All of these hold. */
function all(given: readonly unknown[], rules: FilterRules, depth: number): ReadFilters {
  if (depth > MAX_JSON_DEPTH) throw refusal("it is nested too deeply");
  const parts = given.flatMap((one) =>
    Object.entries(parseInput(objectSchema, one, "filter")).map(([name, value]) =>
      part(name, value, rules, depth),
    ),
  );
  const conditions = parts.flatMap(({ matches }) => matches ?? []);
  return {
    entities: parts.reduce<Entities>((named, { entities }) => joined(named, entities), {}),
    matches: conditions.length === 0 ? undefined : (view) => conditions.every((holds) => holds(view)),
  };
}

function part(name: string, value: Json, rules: FilterRules, depth: number): ReadFilters {
  if (name === "AND") return all(listOf(value, name), rules, depth + 1);
  if (name === "OR" || name === "NOT") {
    const holds = listOf(value, name).map((one) => free(all([one], rules, depth + 1)));
    const isAny: Condition = (view) => holds.some((holdsFor) => holdsFor(view));
    return { entities: {}, matches: name === "OR" ? isAny : (view) => !isAny(view) };
  }
  const entity = ENTITY_NAMES.find((known) => known === name);
  if (entity !== undefined) return ofEntity(entity, value);
  return { entities: {}, matches: ofField(name, value, rules) };
}

/** Where only a part of what is asked for would be one person's, the rest would be another's. */
function free({ entities, matches }: ReadFilters): Condition {
  if (entities.user_id !== undefined) throw refusal("user_id stands under OR or NOT");
  return matches ?? (() => true);
}

function ofEntity(name: EntityName, value: Json): ReadFilters {
  const only = singleOf(value);
  if (name === "user_id") {
    if (only === undefined || only === "*") throw refusal("user_id is not one name");
    return { entities: { user_id: only }, matches: undefined };
  }
  if (value === "*") return { entities: {}, matches: (view) => view[name] !== null };
  const holds = test(value, name);
  return {
    entities: only === undefined ? {} : { [name]: only },
    matches: (view) => holds(view[name]),
  };
}

/** The one name that is asked for; undefined: several, or others than one. */
function singleOf(value: Json): string | undefined {
  if (typeof value === "string") return value;
  const asked = z
    .strictObject({ in: z.tuple([z.string()]) })
    .or(z.strictObject({ eq: z.string() }))
    .safeParse(value).data;
  if (asked === undefined) return undefined;
  return "in" in asked ? asked.in[0] : asked.eq;
}

function ofField(name: string, value: Json, { isPlainMetadata }: FilterRules): Condition {
  const date = DATES.find((known) => known === name);
  if (date !== undefined) {
    const holds = testMoment(value, date);
    return (view) => holds(Date.parse(view[date]));
  }
  if (name === "metadata") {
    const fields = Object.entries(parseInput(objectSchema, value, "filter of metadata")).map(
      ([key, asked]) => [key, test(asked, key)] as const,
    );
    return ({ metadata }) => fields.every(([key, holds]) => holds(fieldOf(metadata, key)));
  }
  if (!isPlainMetadata)
    throw refusal(`"${name.slice(0, 60)}" is none of its fields; own fields stand under metadata`);
  const holds = test(value, name);
  return ({ metadata }) => holds(fieldOf(metadata, name));
}

function fieldOf(metadata: MemoryView["metadata"], key: string): Json | undefined {
  return Object.hasOwn(metadata, key) ? metadata[key] : undefined;
}

type Test = (found: Json | undefined) => boolean;

/** A value it equals, or conditions of it that all hold. */
function test(asked: Json, name: string): Test {
  const operators = operatorsOf(asked, name);
  if (operators === undefined) return (found) => isDeepStrictEqual(found, asked);
  const tests = operators.map(([operator, value]) => testOne(operator, value, name));
  return (found) => tests.every((holds) => holds(found));
}

function testOne(operator: Operator, value: Json, name: string): Test {
  switch (operator) {
    case "eq":
      return (found) => isDeepStrictEqual(found, value);
    case "ne":
      return (found) => !isDeepStrictEqual(found ?? null, value);
    case "in": {
      const values = listOf(value, name);
      return (found) => values.some((one) => isDeepStrictEqual(found, one));
    }
    case "contains":
    case "icontains": {
      const fold = (text: string): string => (operator === "icontains" ? text.toLowerCase() : text);
      return (found) => {
        if (Array.isArray(found)) return found.some((one) => isDeepStrictEqual(one, value));
        return typeof found === "string" && typeof value === "string" && fold(found).includes(fold(value));
      };
    }
    default:
      return (found) => {
        if (typeof found !== "number" || typeof value !== "number")
          return typeof found === "string" && typeof value === "string" && compare(operator, found, value);
        return compare(operator, found, value);
      };
  }
}

function testMoment(asked: Json, name: string): (moment: number) => boolean {
  const operators = operatorsOf(asked, name) ?? [["eq", asked] as const];
  const tests = operators.map(([operator, value]) => {
    if (!["gt", "gte", "lt", "lte"].includes(operator))
      throw refusal(`${name} is asked for with ${operator}; valid are gt, gte, lt, lte`);
    // A day without a time is meant whole.
    const schema = operator === "gt" || operator === "lte" ? lastMomentInput : momentInput;
    if (typeof value !== "string") throw refusal(`${name} is no date as 2024-07-01 or 2024-07-01T12:00:00Z`);
    const bound = parseInput(schema, value, `filter of ${name}`);
    return (moment: number) => compare(operator, moment, bound);
  });
  return (moment) => tests.every((holds) => holds(moment));
}

function compare<Value extends string | number>(operator: Operator, found: Value, value: Value): boolean {
  if (operator === "gt") return found > value;
  if (operator === "gte") return found >= value;
  return operator === "lt" ? found < value : found <= value;
}

/** undefined: it is no object of operators, but a value. */
function operatorsOf(asked: Json, name: string): (readonly [Operator, Json])[] | undefined {
  if (typeof asked !== "object" || asked === null || Array.isArray(asked)) return undefined;
  return Object.entries(asked).map(([key, value]): readonly [Operator, Json] => {
    const operator = OPERATORS.find((known) => known === key);
    if (operator === undefined)
      throw refusal(`${name} is asked for with "${key.slice(0, 40)}"; valid are ${OPERATORS.join(", ")}`);
    return [operator, value];
  });
}

function listOf(value: Json, name: string): readonly Json[] {
  return parseInput(z.array(jsonSchema).min(1), value, `filter's list of ${name.slice(0, 40)}`);
}

function refusal(why: string): MemoryError {
  return new MemoryError(
    "input_invalid",
    `The filter cannot be answered: ${why}. Valid: one user_id by itself or under AND, with agent_id, app_id, run_id, metadata, created_at and updated_at, joined by AND, OR and NOT.`,
  );
}
