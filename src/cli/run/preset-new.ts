/** A design of my own: a file that extends another, with everything that could be changed in comments. */
import { writeFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { MemoryError } from "../../base/errors.ts";
import { loadPreset, parsePreset } from "../../preset/load.ts";
import type { Preset } from "../../preset/preset.ts";
import type { Given } from "../command.ts";
import { presetYaml } from "../preset-yaml.ts";
import type { Terminal } from "../terminal.ts";

export async function newPresetFile(given: Given, terminal: Terminal): Promise<number> {
  const file = given.argument("FILE");
  const from = given.text("from") ?? "";
  const path = /\.ya?ml$/.test(file) ? file : `${file}.yaml`;
  // A file of the caller's own is meant from here, whatever folder the new one is in.
  const parent = /\.ya?ml$/.test(from) ? resolve(from) : from;
  const text = newPreset(nameOf(path), parent, await loadPreset(parent));
  await parsePreset(text, resolve(path));
  await writeNew(path, text);
  terminal.give({ file: path, extends: parent });
  terminal.say(
    terminal.text({
      en: `Wrote ${path}. Try: neuromem preset check ${path}`,
      zh: `已写入 ${path}。试试：neuromem preset check ${path}`,
    }),
  );
  return 0;
}

function newPreset(name: string, parent: string, preset: Preset): string {
  const commented = presetYaml(preset)
    .split("\n")
    .filter((line) => !/^(name|summary):/.test(line))
    .map((line) => (line === "" ? "#" : `# ${line}`))
    .join("\n");
  return `# Everything of the preset ${parent}, except what is written here.
name: ${name}
summary: ${JSON.stringify(`Like ${preset.name}.`)}
extends: ${JSON.stringify(parent)}
service: { collection_name: ${name} }

# What ${parent} does. To change something, take it out of the comment with the keys above it; of \`service\`, \`models\`
# and \`input\` only the keys that change are needed, a stage of \`stages\` is written whole.
${commented}
`;
}

/** Lower-case letters, digits and _: what a preset may be called. */
function nameOf(path: string): string {
  const name = basename(path)
    .replace(/\.ya?ml$/, "")
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, "_");
  return /[a-z0-9]/.test(name) ? name : "my_preset";
}

async function writeNew(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: "wx" });
  } catch (cause) {
    const isThere = cause instanceof Error && "code" in cause && cause.code === "EEXIST";
    throw isThere
      ? new MemoryError("name_taken", `The file ${path} is there already. Valid: another name.`, { cause })
      : new MemoryError(
          "storage_io",
          `The file ${path} could not be written. Valid: a folder you may write to.`,
          {
            cause,
          },
        );
  }
}
