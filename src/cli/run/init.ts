/** Makes the memory's file and writes down what was chosen for it. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type Choices, choicesFile, chosen, readChoices, writeChoices } from "../choices.ts";
import type { Given } from "../command.ts";
import { memoryFile } from "../memory-file.ts";
import type { Terminal } from "../terminal.ts";
import { withMemory } from "../with-memory.ts";

export async function initMemory(given: Given, terminal: Terminal): Promise<number> {
  const file = memoryFile(given.text("db"), terminal.env);
  const isKnown = existsSync(file);
  // Opening it shows that everything chosen is valid; only then is it written down.
  return withMemory(given, terminal, { isNew: true }, async ({ memory, model }) => {
    const { preset, scope, model: named, baseUrl } = chosen(given, readChoices(file));
    const choices: Choices = {
      preset: /\.ya?ml$/.test(preset) ? resolve(preset) : preset,
      scope,
      ...(named === undefined ? {} : { model: named }),
      ...(baseUrl === undefined ? {} : { base_url: baseUrl }),
    };
    writeChoices(file, choices);
    terminal.give({ db: file, isNew: !isKnown, choices: choicesFile(file), ...choices });
    const { text, say, paint } = terminal;
    const made = isKnown ? { en: "Kept", zh: "已有" } : { en: "Made", zh: "已建立" };
    say(`${text(made)} ${file}`);
    const who = model?.id ?? text({ en: "rules, no model", zh: "本地规则，无模型" });
    say(`${text({ en: "Design", zh: "设计" })}: ${memory.preset} · ${scope} · ${who}`);
    say(paint("dim", text({ en: "Next:", zh: "接下来：" })));
    const where = given.isSet("db") ? ` --db "${given.text("db")}"` : "";
    const next: readonly (readonly [string, { en: string; zh: string }])[] = [
      ["neuromem remember", { en: '"I moved to Rome."', zh: '"我搬到成都了。"' }],
      ["neuromem ask", { en: '"Where do I live?"', zh: '"我住在哪里？"' }],
      ["neuromem import", { en: "chats.txt", zh: "聊天记录.txt" }],
      ["neuromem chat", { en: "", zh: "" }],
    ];
    for (const [words, rest] of next) say(paint("dim", `  ${[words, text(rest)].join(" ").trim()}${where}`));
    return 0;
  });
}
