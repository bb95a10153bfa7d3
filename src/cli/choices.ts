/** Which design, scope and model where a command does not say? As `neuromem init` wrote it down beside the memory's file. */
import { readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { MemoryError } from "../base/errors.ts";
import { parseInput } from "../base/parse-input.ts";
import type { Given } from "./command.ts";

/** Never a key: those come from the environment. */
const schema = z.strictObject({
  preset: z.string().optional(),
  scope: z.string().optional(),
  model: z.string().optional(),
  base_url: z.string().optional(),
});
export type Choices = z.infer<typeof schema>;

export function choicesFile(file: string): string {
  return `${file}.json`;
}

/** Nothing is chosen where nothing was written down. */
export function readChoices(file: string): Choices {
  const path = choicesFile(file);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return {};
    throw new MemoryError("storage_io", `${path} could not be read. Valid: a file that you may read.`, {
      cause,
    });
  }
  try {
    return parseInput(schema, JSON.parse(text), path);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new MemoryError(
      "option_invalid",
      `${path} cannot be used: ${why} Valid: {"preset", "scope", "model", "base_url"}, or no such file.`,
      { cause },
    );
  }
}

export function writeChoices(file: string, choices: Choices): void {
  const path = choicesFile(file);
  try {
    writeFileSync(path, `${JSON.stringify(choices, null, 2)}\n`);
  } catch (cause) {
    throw new MemoryError("storage_io", `${path} could not be written. Valid: --db in a folder of yours.`, {
      cause,
    });
  }
}

/** What the command says goes before what was written down; the command's own default comes last. */
export function chosen(given: Given, { preset, scope, model, base_url }: Choices): Required<Chosen> {
  const pick = (option: string, written: string | undefined): string | undefined =>
    given.isSet(option) ? given.text(option) : (written ?? given.text(option));
  // Another model is not at the address of the one that was written down.
  const address = given.isSet("model") ? undefined : base_url;
  return {
    preset: pick("preset", preset) ?? "",
    scope: pick("scope", scope) ?? "",
    model: pick("model", model),
    baseUrl: pick("base-url", address),
  };
}

export interface Chosen {
  readonly preset: string;
  readonly scope: string;
  readonly model?: string | undefined;
  readonly baseUrl?: string | undefined;
}
