/** Does a value match? By equality of its fields, or by LangGraph's operators; what is no operator is refused. */
import { MemoryError } from "../../base/errors.ts";

type Test = (value: unknown, wanted: unknown) => boolean;

const OPERATORS: Readonly<Record<string, Test>> = {
  $eq: (value, wanted) => value === wanted,
  $ne: (value, wanted) => value !== wanted,
  $gt: (value, wanted) => Number(value) > Number(wanted),
  $gte: (value, wanted) => Number(value) >= Number(wanted),
  $lt: (value, wanted) => Number(value) < Number(wanted),
  $lte: (value, wanted) => Number(value) <= Number(wanted),
  $in: (value, wanted) => Array.isArray(wanted) && wanted.includes(value),
  $nin: (value, wanted) => !Array.isArray(wanted) || !wanted.includes(value),
};

export function matchesValue(value: object, filter: object | undefined): boolean {
  return Object.entries(filter ?? {}).every(([field, wanted]) =>
    matchesField(Object.hasOwn(value, field) ? Reflect.get(value, field) : undefined, wanted),
  );
}

function matchesField(value: unknown, wanted: unknown): boolean {
  if (typeof wanted !== "object" || wanted === null) return value === wanted;
  const entries = Object.entries(wanted);
  const named = entries.filter(([name]) => name.startsWith("$"));
  const unknown = named.find(([name]) => !Object.hasOwn(OPERATORS, name));
  if (unknown !== undefined || named.length < entries.length || named.length === 0)
    throw new MemoryError(
      "input_invalid",
      `The filter asks for ${unknown === undefined ? "an object" : `the operator "${unknown[0]}"`}. Valid: a plain value, or an object of ${Object.keys(OPERATORS).join(", ")}.`,
    );
  return named.every(([name, other]) => OPERATORS[name]?.(value, other) === true);
}
