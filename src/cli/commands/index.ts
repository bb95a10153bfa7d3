/** What can be typed? One line each; a new command is one file and one line here. */
import type { Command } from "../command.ts";
import { importCommand } from "./import.ts";
import { presetCheck } from "./preset-check.ts";
import { presetDiff } from "./preset-diff.ts";
import { presetList } from "./preset-list.ts";
import { presetNew } from "./preset-new.ts";
import { presetShow } from "./preset-show.ts";
import { rebuildCommand } from "./rebuild.ts";
import { recallCommand } from "./recall.ts";

export const COMMANDS: readonly Command[] = [
  importCommand,
  recallCommand,
  rebuildCommand,
  presetList,
  presetShow,
  presetDiff,
  presetCheck,
  presetNew,
];
