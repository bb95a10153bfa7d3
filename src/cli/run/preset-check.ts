/** Is a file of my own a preset? Everything that is wrong with it, with its line and what would be valid. */
import { ERROR_KINDS, MemoryError } from "../../base/errors.ts";
import { loadPreset } from "../../preset/load.ts";
import type { Given } from "../command.ts";
import type { Terminal } from "../terminal.ts";

export async function checkPreset(given: Given, terminal: Terminal): Promise<number> {
  const file = given.argument("FILE");
  // A name without an ending is a preset of the package; here only files are meant.
  const path = /\.ya?ml$/.test(file) || file.startsWith("/") ? file : `./${file}.yaml`;
  try {
    const { name, summary } = await loadPreset(path);
    terminal.give({ file, valid: true, name, problems: [] });
    terminal.say(
      `${terminal.paint("green", "✓")} ${terminal.text({ en: "valid", zh: "有效" })}: ${name}. ${summary}`,
    );
    return 0;
  } catch (error) {
    if (!MemoryError.is(error) || error.code !== "preset_invalid") throw error;
    const { problems = [{ message: error.message }] } = error.details;
    terminal.give({ file, valid: false, problems });
    if (!terminal.isJson) terminal.note(error.message);
    return ERROR_KINDS.preset_invalid.exit;
  }
}
