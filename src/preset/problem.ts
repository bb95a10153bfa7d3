/** Everything that is wrong with a preset, each with its line and what would be valid, told together. */
import type { z } from "zod";
import { MemoryError } from "../base/errors.ts";
import type { Json, JsonObject } from "../base/json.ts";
import { validNames } from "../base/nearest-name.ts";
import { expectedAt, keysAt, namesAt } from "./option-table.ts";
import type { Path, YamlFile } from "./yaml-file.ts";

export interface Problem {
  readonly path: Path;
  readonly message: string;
}

/** More would hide the first. */
const MOST_TOLD = 20;

export function refuse(file: YamlFile, problems: readonly Problem[]): never {
  const told = problems.slice(0, MOST_TOLD).map(({ path, message }) => {
    const { file: name, line } = file.locate(path);
    return { file: name, path: path.join("."), line, message };
  });
  const lines = told.map(
    (one) => `${one.file}:${one.line}:${one.path === "" ? "" : ` ${one.path}:`} ${one.message}`,
  );
  const more = problems.length - told.length;
  throw new MemoryError(
    "preset_invalid",
    [...lines, ...(more > 0 ? [`… and ${more} more`] : [])].join("\n"),
    {
      details: { file: file.file, problems: told },
    },
  );
}

/** What a schema found wrong with a value, in words that name what is valid. `keys`: those at the top, where they are more. */
export function problemsOf(
  error: z.ZodError,
  base: Path,
  value: Json,
  schema: JsonObject,
  keys: readonly string[] = keysAt(schema, [], value),
): Problem[] {
  return error.issues.flatMap((issue) => {
    const inside = issue.path.map((step) => (typeof step === "symbol" ? String(step) : step));
    const path = [...base, ...inside];
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => {
        const names = inside.length === 0 ? keys : keysAt(schema, inside, value);
        const valid = names.length === 0 ? "Valid: to leave it out." : validNames(key, names);
        return { path: [...path, key], message: `is not a key here. ${valid}` };
      });
    }
    const given = valueAt(value, inside);
    const names = namesAt(schema, inside);
    if (given !== undefined && typeof given === "string" && names.length > 0) {
      return [{ path, message: `is "${given}". ${validNames(given, names)}` }];
    }
    const expected =
      issue.code === "invalid_union" ? `Expected: ${expectedAt(schema, inside)}.` : `${issue.message}.`;
    return [{ path, message: given === undefined ? `is missing. ${expected}` : expected }];
  });
}

function valueAt(value: Json, path: Path): unknown {
  let at: unknown = value;
  for (const step of path) {
    if (typeof at !== "object" || at === null) return undefined;
    at = Object.getOwnPropertyDescriptor(at, step)?.value;
  }
  return at;
}
