/** What a preset does not write and `defaults: recommended` gives: only what the written form of the options has a place for. */
import type { z } from "zod";
import type { Json, JsonObject } from "../base/json.ts";
import { asObject, optionsFor } from "./option-table.ts";
import type { Recommended } from "./recommended.ts";

/** What is written, and behind it what is recommended. */
export function fill(
  schema: z.ZodType,
  subtype: string | undefined,
  written: JsonObject,
  values: JsonObject,
  recommended: Recommended,
): JsonObject {
  const whole = { ...values, ...written };
  // Where one option decides which others there are, those of the other forms are not filled in.
  const form = optionsFor(schema, undefined, whole).map(({ key }) => key);
  const fitting =
    form.length === 0
      ? values
      : Object.fromEntries(Object.entries(values).filter(([key]) => form.includes(key)));
  const named = subtype === undefined ? [] : [subtype];
  const filled = { ...fitting, ...written };
  return Object.fromEntries(
    Object.entries(filled).map(([key, value]) => [
      key,
      named.includes(key) ? value : fillPolicy(value, recommended),
    ]),
  );
}

/** A vitality policy that is only named gets its recommended numbers. */
function fillPolicy(value: Json, recommended: Recommended): Json {
  const choice = asObject(value);
  if (choice === undefined || typeof choice.policy !== "string") return value;
  return { ...recommended.vitality(choice.policy), ...choice };
}
