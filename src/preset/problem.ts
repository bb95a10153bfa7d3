/** Everything that is wrong with a preset, each with its line and what would be valid, told together. */
import type { z } from "zod";
import { MemoryError } from "../base/errors.ts";
import type { Json } from "../base/json.ts";
import { validNames } from "../base/nearest-name.ts";
import type { Path, YamlFile } from "./yaml-file.ts";

export interface Problem {
  readonly path: Path;
  readonly message: string;
}

export function refuse(file: YamlFile, problems: readonly Problem[]): never {
  const told = problems.map(({ path, message }) => ({
    path: path.join("."),
    line: file.lineOf(path),
    message,
  }));
  const lines = told.map(
    ({ path, line, message }) => `${file.file}:${line}:${path === "" ? "" : ` ${path}:`} ${message}`,
  );
  throw new MemoryError("preset_invalid", lines.join("\n"), { details: { file: file.file, problems: told } });
}

/** What a schema found wrong with a value, in words that name what is valid. `keys` gives the keys of a place in it. */
export function problemsOf(
  error: z.ZodError,
  base: Path,
  value: Json,
  keys: (path: Path) => readonly string[],
): Problem[] {
  return error.issues.flatMap((issue) => {
    const inside = issue.path.map((step) => (typeof step === "symbol" ? String(step) : step));
    const path = [...base, ...inside];
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => {
        const names = keys(inside);
        const valid = names.length === 0 ? "Valid: to leave it out." : validNames(key, names);
        return { path: [...path, key], message: `is not a key here. ${valid}` };
      });
    }
    if (valueAt(value, inside) === undefined) {
      return [{ path, message: `is missing. ${issue.message}.` }];
    }
    return [{ path, message: `${issue.message}.` }];
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
