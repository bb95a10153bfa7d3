/**
 * What does the query of a URL say? Its fields are texts; the input of a call has numbers, flags and objects. Which a field
 * is stands in the schema of the row, so no route reads its own query, and a field that no row knows is refused rather than
 * overlooked. `scope` says whose memory is meant and is read by whoever checks keys.
 */
import { z } from "zod";
import { MemoryError } from "../base/errors.ts";
import { validNames } from "../base/nearest-name.ts";
import type { Operation } from "../operations/index.ts";
import { parseJson } from "./body.ts";

type FieldKind = "text" | "number" | "flag" | "moment" | "json";

const NUMBER = /^-?\d{1,17}(?:\.\d{1,17})?$/;
const SCOPE = "scope";

/** For one row: a reader of queries; the fields of the path are not among them. */
export function queryReader({
  input,
  route,
}: Pick<Operation, "input" | "route">): (query: string) => Readonly<Record<string, unknown>> {
  const kinds = new Map([...fieldKinds(input)].filter(([name]) => !route.path.includes(`{${name}}`)));
  return (query) => {
    const fields = new Map<string, unknown>();
    for (const [name, text] of queryPairs(query)) {
      if (name === SCOPE) continue;
      const kind = kinds.get(name);
      if (kind === undefined) throw unknownField(name, [...kinds.keys()]);
      if (fields.has(name))
        throw new MemoryError("input_invalid", `The query has "${name}" twice. Valid: once.`);
      fields.set(name, readField(name, text, kind));
    }
    return Object.fromEntries(fields);
  };
}

/** For calls whose input is the body: nothing but whose memory it is stands in the query. */
export function refuseQuery(query: string): void {
  for (const [name] of queryPairs(query)) if (name !== SCOPE) throw unknownField(name, []);
}

/** Names and texts as they were written; what is no UTF-8 is refused, not repaired. */
export function queryPairs(query: string): (readonly [string, string])[] {
  return query
    .split("&")
    .filter((part) => part !== "")
    .map((part) => {
      const [name = "", ...rest] = part.split("=");
      return [decodePart(name), decodePart(rest.join("="))] as const;
    });
}

/** Without the question mark; "" where there is none. */
export function queryOf(url: string): string {
  const [address = ""] = url.split("#");
  const start = address.indexOf("?");
  return start < 0 ? "" : address.slice(start + 1);
}

/** A part of a URL, decoded. */
export function decodePart(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll("+", " "));
  } catch (cause) {
    throw new MemoryError("input_invalid", "The URL is not encoded well. Valid: UTF-8 as %E5%BC%A0.", {
      cause,
    });
  }
}

// --- kinds ---

function fieldKinds(input: z.ZodType): Map<string, FieldKind> {
  const { properties = {} } = z.toJSONSchema(input, { io: "input" });
  return new Map(Object.entries(properties).map(([name, schema]) => [name, kindOf(schema)]));
}

function kindOf(schema: z.core.JSONSchema._JSONSchema): FieldKind {
  if (typeof schema === "boolean") return "json";
  if (schema.type === "string") return "text";
  if (schema.type === "integer" || schema.type === "number") return "number";
  if (schema.type === "boolean") return "flag";
  const kinds = new Set(schema.anyOf?.map(kindOf));
  return kinds.size === 2 && kinds.has("text") && kinds.has("number") ? "moment" : "json";
}

function readField(name: string, text: string, kind: FieldKind): unknown {
  switch (kind) {
    case "text":
      return text;
    case "moment":
      return NUMBER.test(text) ? Number(text) : text;
    case "number":
      if (NUMBER.test(text)) return Number(text);
      throw new MemoryError("input_invalid", `The query's "${name}" is no number. Valid: as ${name}=10.`);
    case "flag":
      if (text === "true" || text === "false") return text === "true";
      throw new MemoryError("input_invalid", `The query's "${name}" is no flag. Valid: true, false.`);
    case "json":
      return parseJson(text, `The query's "${name}"`);
  }
}

function unknownField(name: string, valid: readonly string[]): MemoryError {
  return new MemoryError(
    "input_invalid",
    `Unknown field "${name.slice(0, 60)}" in the query. ${validNames(name, [...valid, SCOPE])}`,
    { details: { valid: [...valid, SCOPE] } },
  );
}
