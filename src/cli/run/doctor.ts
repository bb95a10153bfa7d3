/** Is everything all right? Each look by itself, so that one that fails hides no other. */
import { existsSync } from "node:fs";
import { silent } from "../../base/trace.ts";
import { loadPreset } from "../../preset/load.ts";
import type { Preset } from "../../preset/preset.ts";
import { chosen, readChoices } from "../choices.ts";
import { chosenModel } from "../chosen-model.ts";
import type { Given } from "../command.ts";
import { type Finding, look, same } from "../doctor/finding.ts";
import { lookAtFile, lookAtFolder, lookAtNode } from "../doctor/machine.ts";
import { lookAtEmbedder, lookAtModel } from "../doctor/minds.ts";
import { memoryFile } from "../memory-file.ts";
import { LACKING } from "../status-text.ts";
import type { Terminal } from "../terminal.ts";
import { padEnd } from "../text-width.ts";
import { withMemory } from "../with-memory.ts";

const SIGNS = { ok: ["green", "✓"], warn: ["yellow", "!"], fail: ["red", "✗"] } as const;
const NAME_WIDTH = 12;

export async function examine(given: Given, terminal: Terminal): Promise<number> {
  const findings: Finding[] = [];
  const tell = (...found: readonly Finding[]): void => {
    findings.push(...found);
    for (const finding of found) sayFinding(finding, terminal);
  };
  const file = memoryFile(given.text("db"), terminal.env);
  tell(await lookAtNode(), await lookAtFolder(file), await lookAtFile(file));
  const { preset, finding } = await lookAtDesign(given, file);
  tell(finding);
  if (preset !== undefined) {
    tell(...(await lookAtEmbedder(preset, terminal.env)));
    tell(await lookAtThinker(given, file, preset, terminal));
  }
  const isSound = findings.every(({ state }) => state !== "fail");
  if (isSound && existsSync(file)) tell(await lookAtWork(given, terminal));
  const isWell = findings.every(({ state }) => state !== "fail");
  terminal.give({
    isWell,
    findings: findings.map(({ name, state, found, remedy }) => ({
      ...{ name, state, found: terminal.text(found) },
      remedy: remedy === undefined ? null : terminal.text(remedy),
    })),
  });
  return isWell ? 0 : 1;
}

function sayFinding({ name, state, found, remedy }: Finding, { say, paint, text }: Terminal): void {
  const [colour, sign] = SIGNS[state];
  say(`${paint(colour, sign)} ${padEnd(name, NAME_WIDTH)} ${text(found)}`);
  if (remedy !== undefined) say(paint("dim", `  ${padEnd("", NAME_WIDTH)} → ${text(remedy)}`));
}

async function lookAtDesign(given: Given, file: string): Promise<{ preset?: Preset; finding: Finding }> {
  let preset: Preset | undefined;
  const remedy = {
    en: "neuromem preset list names the designs; neuromem preset check FILE reads one of your own.",
    zh: "neuromem preset list 列出设计；neuromem preset check FILE 检查你自己的文件。",
  };
  const finding = await look("preset", remedy, async () => {
    preset = await loadPreset(chosen(given, readChoices(file)).preset);
    return { name: "preset", state: "ok", found: same(preset.name) };
  });
  return preset === undefined ? { finding } : { preset, finding };
}

function lookAtThinker(given: Given, file: string, preset: Preset, terminal: Terminal): Promise<Finding> {
  const remedy = {
    en: "--model names a model, as openai:gpt-4.1-mini; its key comes from the environment.",
    zh: "用 --model 指定模型，如 openai:gpt-4.1-mini；密钥取自环境变量。",
  };
  return look("model", remedy, () =>
    lookAtModel(chosenModel(chosen(given, readChoices(file)), preset, terminal.env, silent)),
  );
}

function lookAtWork(given: Given, terminal: Terminal): Promise<Finding> {
  const remedy = {
    en: "neuromem import … --finish or neuromem rebuild takes up what waits; neuromem status says more.",
    zh: "neuromem import … --finish 或 neuromem rebuild 会处理等待的内容；详见 neuromem status。",
  };
  // What it says when it cannot be opened says what would be valid.
  const other = {
    en: "Name another file with --db, or restore a copy.",
    zh: "用 --db 指定其他文件，或用备份恢复。",
  };
  return look("work", other, async () => {
    let finding: Finding = {
      name: "work",
      state: "ok",
      found: { en: "nothing waits", zh: "没有等待的工作" },
    };
    await withMemory(given, terminal, { isNew: false, isQuiet: true }, async ({ memory }) => {
      const { waiting, work, embedder } = await memory.status();
      if (waiting === 0 && embedder?.isLacking === true)
        finding = { name: "work", state: "warn", found: LACKING };
      if (waiting === 0) return 0;
      const why = work?.lastError ?? "";
      const found = {
        en: `${waiting} turns wait to be taken up. ${why}`.trim(),
        zh: `${waiting} 轮对话等待处理。${why}`,
      };
      finding = { name: "work", state: "warn", found, remedy };
      return 0;
    });
    return finding;
  });
}
