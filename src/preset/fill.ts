/**
 * What a preset does not write and `defaults: recommended` gives: only what the written form of the options has a place for,
 * down into objects whose keys are options (and not into maps, lists or lists of choices, which are written whole).
 */
import type { Json, JsonObject } from "../base/json.ts";
import { asObject, branchesOf, fits } from "./option-table.ts";
import type { Recommended } from "./recommended.ts";

/** What is written, and behind it what is recommended. */
export function fill(
  schema: JsonObject,
  written: JsonObject,
  values: JsonObject,
  recommended: Recommended,
): JsonObject {
  const known =
    typeof written.policy === "string" ? policyValues(written.policy, values, recommended) : values;
  const whole = { ...known, ...written };
  // Where one option decides which others there are, those of the other forms are not filled in.
  const branches = branchesOf(schema).filter(({ properties }) => Object.keys(properties).length > 0);
  const form = branches.find(({ properties }) => fits(properties, whole));
  if (form === undefined) return written;
  const filled: Record<string, Json> = { ...written };
  for (const [key, part] of Object.entries(form.properties)) {
    const [own, given] = [written[key], known[key]];
    const [inner, behind] = [asObject(own), asObject(given)];
    if (inner !== undefined) filled[key] = fill(asObject(part) ?? {}, inner, behind ?? {}, recommended);
    else if (own === undefined && given !== undefined) filled[key] = given;
  }
  return filled;
}

/** A vitality policy that is only named gets its recommended numbers. */
function policyValues(policy: string, values: JsonObject, recommended: Recommended): JsonObject {
  return values.policy === policy ? values : recommended.vitality(policy);
}
