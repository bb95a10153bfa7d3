/** Which memory, which design and which model do the options mean? Known before anything is opened or made. */
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { MemoryError } from "../base/errors.ts";
import { parseScope, type Scope } from "../base/scope.ts";
import type { Trace } from "../base/trace.ts";
import type { ChatModel } from "../models/model.ts";
import { loadPreset } from "../preset/load.ts";
import type { Preset } from "../preset/preset.ts";
import { chosen, readChoices } from "./choices.ts";
import { chosenModel } from "./chosen-model.ts";
import type { Given } from "./command.ts";
import { makeFolder, memoryFile } from "./memory-file.ts";
import type { Terminal } from "./terminal.ts";
import { openWarnings, type Warnings } from "./warnings.ts";

export interface MeantMemory {
  readonly file: string;
  readonly scope: Scope;
  readonly preset: Preset;
  /** Who thinks; undefined: rules. */
  readonly model: ChatModel | undefined;
  readonly trace: Trace;
  readonly warnings: Warnings;
}

export interface Meaning {
  /** A file that is not there will be made. */
  readonly isNew: boolean;
  /** Who else hears what happens. @default nobody */
  readonly traced?: ((trace: Trace) => Trace) | undefined;
}

export async function meantMemory(
  given: Given,
  terminal: Terminal,
  { isNew, traced = (trace) => trace }: Meaning,
): Promise<MeantMemory> {
  const file = memoryFile(given.text("db"), terminal.env);
  const choices = chosen(given, readChoices(file));
  const scope = parseScope(choices.scope);
  const preset = await loadPreset(choices.preset);
  if (!isNew && !existsSync(file)) {
    throw new MemoryError(
      "input_invalid",
      `There is no memory ${file}. Valid: --db with the file of one; neuromem init, remember or import makes one.`,
    );
  }
  const warnings = openWarnings(terminal);
  const trace = traced((event) => {
    if (event.type === "warning-raise") warnings.tell(event.code, event.message);
  });
  const model = chosenModel(choices, preset, terminal.env, trace);
  if (isNew) makeFolder(dirname(file));
  return { file, scope, preset, model, trace, warnings };
}

const NO_MODEL = {
  en: "No model: everything is done here, by rules. --model names one.",
  zh: "没有模型：全部在本机按规则完成。用 --model 指定模型。",
};

/** Said where a design would ask a model and there is none. */
export function tellIfNobodyThinks({ preset, model }: MeantMemory, terminal: Terminal): void {
  const { about } = preset;
  const couldThink = about === null || about.calls.write !== "0" || about.calls.read !== "0";
  if (model === undefined && couldThink) terminal.note(terminal.text(NO_MODEL));
}
