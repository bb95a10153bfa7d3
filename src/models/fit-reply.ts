/**
 * Does a reply hold what was asked for? The JSON found in it is held against the schema, likeliest value first, each in a
 * few shapes that models mistake for one another: wrapped in one key too many or too few, or with null for "none". The
 * schema itself, sent back as an answer, is recognised: a lenient schema would take it for an empty reply.
 */
import type { z } from "zod";
import type { Json, JsonObject } from "../base/json.ts";
import { isJsonObject } from "./json-object.ts";
import { type FoundJson, type JsonRepair, readJson } from "./json-repair.ts";

export type FitRepair = JsonRepair | "unwrapped" | "wrapped" | "null_dropped";

export type Fit<T> =
  | {
      readonly ok: true;
      readonly value: T;
      readonly repairs: readonly FitRepair[];
      readonly truncated: boolean;
    }
  /** `problem` is written for the model that is shown it. */
  | { readonly ok: false; readonly problem: string };

export function fitReply<T>(schema: z.ZodType<T>, shape: JsonObject, reply: string): Fit<T> {
  const values = readJson(reply);
  if (values.length === 0) return { ok: false, problem: "There is no readable JSON in it." };
  let problem: string | undefined;
  let echoed = false;
  for (const found of values) {
    if (isEcho(found.value, shape)) {
      echoed = true;
      continue;
    }
    for (const variant of variants(found, shape)) {
      const result = schema.safeParse(variant.value);
      if (result.success && !isBeside(variant.value, shape)) {
        const repairs = [...found.repairs, ...variant.repairs];
        return { ok: true, value: result.data, repairs, truncated: found.truncated };
      }
      problem ??= result.success ? "None of the asked properties is in it." : describe(result.error.issues);
    }
    // What follows is shorter: an example, or a part of what was cut off.
    if (found.truncated) break;
  }
  if (problem !== undefined) return { ok: false, problem };
  return {
    ok: false,
    problem: echoed
      ? "It is the JSON schema itself, not data that satisfies it."
      : "There is no readable JSON in it.",
  };
}

interface Variant {
  readonly value: Json;
  readonly repairs: readonly FitRepair[];
}

function* variants({ value, repairs: read }: FoundJson, shape: JsonObject): Generator<Variant> {
  // A list amid prose is a citation mark as often as an answer.
  if (Array.isArray(value) && read.includes("prose")) return;
  for (const { value: form, repairs } of forms(value, shape)) {
    yield { value: form, repairs };
    const dropped = withoutNulls(form);
    if (dropped !== undefined) yield { value: dropped, repairs: [...repairs, "null_dropped"] };
  }
}

function* forms(value: Json, shape: JsonObject): Generator<Variant> {
  yield { value, repairs: [] };
  if (isJsonObject(value)) {
    const keys = Object.keys(value);
    const [only] = keys;
    const inner = keys.length === 1 && only !== undefined ? value[only] : undefined;
    if (typeof inner === "object" && inner !== null) yield { value: inner, repairs: ["unwrapped"] };
    // The schema with the data filled into it.
    const filled = value.properties;
    if (value.type === "object" && isJsonObject(filled)) yield { value: filled, repairs: ["unwrapped"] };
  } else if (Array.isArray(value)) {
    const [key] = listKeys(shape);
    if (key !== undefined) yield { value: { [key]: value }, repairs: ["wrapped"] };
    if (value.length === 1 && isJsonObject(value[0])) yield { value: value[0], repairs: ["unwrapped"] };
  }
}

/** The one list a shape has, if it has only one: where a bare list belongs. */
function listKeys(shape: JsonObject): string[] {
  const properties = isJsonObject(shape.properties) ? shape.properties : {};
  const lists = Object.entries(properties).filter(([, part]) => isJsonObject(part) && part.type === "array");
  return lists.length === 1 ? lists.map(([name]) => name) : [];
}

function isEcho(value: Json, shape: JsonObject): boolean {
  if (!isJsonObject(value)) return false;
  if (Object.hasOwn(value, "$schema")) return true;
  const [given, asked] = [value.properties, shape.properties];
  if (value.type !== "object" || !isJsonObject(given) || !isJsonObject(asked)) return false;
  // Its properties are descriptions of values where data would have values.
  return Object.keys(asked).every((name) => {
    const part = given[name];
    return (
      isJsonObject(part) &&
      ["type", "anyOf", "$ref", "enum", "const"].some((word) => Object.hasOwn(part, word))
    );
  });
}

/** A lenient schema fills everything in by itself; what has none of its properties was still no answer to it. */
function isBeside(value: Json, shape: JsonObject): boolean {
  const asked = isJsonObject(shape.properties) ? Object.keys(shape.properties) : [];
  return isJsonObject(value) && asked.length > 0 && !asked.some((name) => Object.hasOwn(value, name));
}

function withoutNulls(value: Json): Json | undefined {
  let dropped = false;
  const clean = (part: Json): Json => {
    if (Array.isArray(part)) return part.map(clean);
    if (!isJsonObject(part)) return part;
    const kept = Object.entries(part).filter(([, inner]) => inner !== null);
    if (kept.length < Object.keys(part).length) dropped = true;
    return Object.fromEntries(kept.map(([name, inner]) => [name, clean(inner)]));
  };
  const result = clean(value);
  return dropped ? result : undefined;
}

function describe(issues: readonly z.core.$ZodIssue[]): string {
  const lines = issues.slice(0, 8).map((issue) => {
    const path = issue.path.map(String).join(".");
    return path === "" ? issue.message : `${path}: ${issue.message}`;
  });
  return `${lines.join("; ")}.`;
}
