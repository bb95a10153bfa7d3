/** The environment is read for keys only, and only whole: anywhere else it would hide what a preset says. */
import { MemoryError } from "../base/errors.ts";
import type { Json } from "../base/json.ts";
import { asObject } from "./option-table.ts";
import type { Problem } from "./problem.ts";
import type { Path } from "./yaml-file.ts";

const WHOLE = /^\$\{(\w+)\}$/;

/** Every `${` that is not the whole of a model's api_key. */
export function* substitutions(value: Json, path: Path): Generator<Problem> {
  if (typeof value === "string" && value.includes("${")) {
    const isKey = path.length === 3 && path[0] === "models" && path[2] === "api_key";
    if (!isKey)
      yield { path, message: "The environment is read for api_key only. Valid here: the value itself." };
    else if (!WHOLE.test(value)) {
      yield {
        path,
        message: "Valid: the key itself, or a name in braces after a dollar sign and nothing else.",
      };
    }
  } else if (Array.isArray(value)) {
    for (const [place, part] of value.entries()) yield* substitutions(part, [...path, place]);
  } else {
    for (const [key, part] of Object.entries(asObject(value) ?? {}))
      yield* substitutions(part, [...path, key]);
  }
}

/** The key that a preset's `models.<part>.api_key` stands for. */
export function keyOf(
  written: string,
  env: Readonly<Record<string, string | undefined>>,
  part: string,
): string {
  const name = WHOLE.exec(written)?.[1];
  if (name === undefined) return written;
  const key = Object.hasOwn(env, name) ? env[name] : undefined;
  if (key !== undefined && key !== "") return key;
  throw new MemoryError(
    "option_invalid",
    `models.${part}.api_key is taken from ${name}, which is not set. Valid: to set it, or models.${part}: null.`,
  );
}
