/** What exactly is a design? Everything that is at work, whoever wrote it. */
import { loadPreset } from "../../preset/load.ts";
import { presetData } from "../../preset/preset.ts";
import type { Given } from "../command.ts";
import { presetYaml } from "../preset-yaml.ts";
import type { Terminal } from "../terminal.ts";

export async function showPreset(given: Given, terminal: Terminal): Promise<number> {
  const preset = await loadPreset(given.argument("NAME"));
  terminal.give(presetData(preset));
  terminal.say(presetYaml(preset).trimEnd());
  return 0;
}
