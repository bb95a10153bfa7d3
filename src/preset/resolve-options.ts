/** The options of one service or action: older names read as what they mean, recommended values behind, then the check. */
import type { z } from "zod";
import { type Json, type JsonObject, jsonObjectSchema } from "../base/json.ts";
import { validNames } from "../base/nearest-name.ts";
import { parseInput } from "../base/parse-input.ts";
import { fill } from "./fill.ts";
import { jsonSchemaOf, keysAt, variantsOf } from "./option-table.ts";
import { type Problem, problemsOf } from "./problem.ts";
import type { Recommended } from "./recommended.ts";
import type { Path } from "./yaml-file.ts";

export interface OptionOwner {
  readonly options: z.ZodType;
  readonly subtype?: string | undefined;
  readonly aliases?: Readonly<Record<string, string>> | undefined;
  readonly valueAliases?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined;
}

export interface Written {
  readonly path: Path;
  readonly options: JsonObject;
  /** What a shorthand stands for. */
  readonly implied: JsonObject;
}

/** Undefined where something is wrong, which `problems` then says. `values`: what is recommended for a sub-type. */
export function resolveOptions(
  owner: OptionOwner,
  written: Written,
  problems: Problem[],
  recommended: Recommended | undefined,
  values: (subtype: string | undefined) => JsonObject,
): JsonObject | undefined {
  const { options: schema, subtype } = owner;
  const own = named(owner, written, problems);
  const chosen = subtype === undefined ? undefined : own[subtype];
  if (subtype !== undefined && !isSubtype(owner, chosen)) {
    problems.push(subtypeProblem(owner, subtype, chosen, written.path));
    return undefined;
  }
  const json = jsonSchemaOf(schema);
  const filled =
    recommended === undefined
      ? own
      : fill(json, own, values(typeof chosen === "string" ? chosen : undefined), recommended);
  const result = schema.safeParse(filled);
  if (result.success) return parseInput(jsonObjectSchema, result.data, "options");
  const keys = [...keysAt(json, [], filled), ...Object.keys(owner.aliases ?? {})];
  problems.push(...problemsOf(result.error, written.path, filled, json, keys));
  return undefined;
}

/** Under the names that options have today, with what a shorthand stands for. */
function named(
  { aliases = {}, valueAliases = {} }: OptionOwner,
  { options, implied, path }: Written,
  problems: Problem[],
): JsonObject {
  const out: Record<string, Json> = { ...implied };
  const seen = new Set<string>();
  for (const [key, written] of Object.entries(options)) {
    const values = Object.hasOwn(valueAliases, key) ? (valueAliases[key] ?? {}) : {};
    const value =
      typeof written === "string" && Object.hasOwn(values, written) ? (values[written] ?? written) : written;
    const [name = key, inner] = ((Object.hasOwn(aliases, key) ? aliases[key] : undefined) ?? key).split(".");
    if (seen.has(name)) {
      const message = `is another name of "${name}", which is written, too. Valid: one of them.`;
      problems.push({ path: [...path, key], message });
    } else if (Object.hasOwn(implied, name) && implied[name] !== value) {
      const message = `is ${JSON.stringify(value)}, but the action's name stands for ${JSON.stringify(implied[name])}. Valid: one of them.`;
      problems.push({ path: [...path, key], message });
    }
    seen.add(name);
    // An alias with a dot stands for the one key of an option that decides the rest of it: decay_type for vitality.policy.
    out[name] = inner === undefined ? value : { [inner]: value };
  }
  return out;
}

function isSubtype({ options, subtype }: OptionOwner, chosen: Json | undefined): boolean {
  return variantsOf(options, subtype).some((variant) => variant.subtype === chosen);
}

function subtypeProblem(owner: OptionOwner, subtype: string, wrong: Json | undefined, path: Path): Problem {
  const names = variantsOf(owner.options, subtype).flatMap((variant) => variant.subtype ?? []);
  const valid = validNames(String(wrong ?? ""), names);
  const message =
    wrong === undefined ? `is missing. ${valid}` : `There is no ${subtype} "${String(wrong)}". ${valid}`;
  return { path: [...path, subtype], message };
}
