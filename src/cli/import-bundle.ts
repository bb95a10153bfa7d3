/** A bundle of a file into the memory; what its design had not taken up, or another design has to, with progress. */
import { createReadStream } from "node:fs";
import { MemoryError } from "../base/errors.ts";
import { flushOperation } from "../operations/rows/flush.ts";
import { importOperation } from "../operations/rows/import.ts";
import { textLines } from "../runtime/bundle/text-lines.ts";
import type { Imported } from "../runtime/import.ts";
import type { Memory } from "../runtime/memory.ts";
import type { Given } from "./command.ts";
import type { Progress } from "./progress.ts";
import type { Terminal } from "./terminal.ts";
import { stoppable, TURNS, type Underway, underway } from "./underway.ts";
import { withMemory } from "./with-memory.ts";

const LINES = { en: "lines", zh: "行" };
const STOPPED = {
  en: "Stopped. What came so far is kept; the same command goes on from here.",
  zh: "已停止。已导入的内容会保留；用同一命令即可继续。",
};

export async function importBundleFile(file: string, given: Given, terminal: Terminal): Promise<number> {
  let way: Underway | undefined;
  const opening = { isNew: true, onWindow: (_: unknown, done: Windowed) => way?.done(done.turns.length) };
  return withMemory(given, terminal, opening, async ({ memory, file: db, model }) => {
    const imported = await takeIn(file, memory, terminal);
    const { waiting } = await memory.status();
    const derived = await underway(terminal, TURNS, async (one) => {
      way = one;
      if (waiting > 0) one.begin(waiting);
      const { signal } = one;
      if (waiting === 0) return NOTHING;
      return flushOperation.run(memory, { finish: given.isSet("finish") }, { signal });
    });
    const { memories: entries } = (await memory.status()).counts;
    const { preset, scope } = memory;
    terminal.give({
      ...{ file, format: "bundle", db, scope, preset, model: model?.id ?? null },
      ...{ added: imported.turns, known: imported.known, path: imported.path },
      ...{ restored: imported.entries, edges: imported.edges, ...derived, entries },
    });
    terminal.say(terminal.text(resultText(imported, preset, entries, db)));
    return 0;
  });
}

interface Windowed {
  readonly turns: readonly unknown[];
}

const NOTHING = { windows: 0, turns: 0, waiting: 0 };

/** Ctrl-C ends it at once. */
async function takeIn(file: string, memory: Memory, terminal: Terminal): Promise<Imported> {
  let progress: Progress | undefined;
  let told = 0;
  const onProgress = (done: number, total: number): void => {
    progress ??= terminal.progress(total, LINES);
    progress.add(done - told);
    told = done;
  };
  const lines = textLines(createReadStream(file, { encoding: "utf8" }));
  try {
    const call = { wait: "journal" };
    return await stoppable((signal) => importOperation.run(memory, call, lines, { onProgress, signal }));
  } catch (error) {
    if (MemoryError.is(error) && error.code === "aborted")
      throw new MemoryError("aborted", terminal.text(STOPPED), { cause: error });
    throw error;
  } finally {
    progress?.end();
  }
}

function resultText(
  { turns, entries: restored, known, path }: Imported,
  preset: string,
  entries: number,
  db: string,
): { readonly en: string; readonly zh: string } {
  const how =
    path === "restored"
      ? { en: `${restored} memories restored as they were`, zh: `原样恢复 ${restored} 条记忆` }
      : { en: `memories made by ${preset}`, zh: `由 ${preset} 重新生成记忆` };
  return {
    en: `${turns} turns added, ${known} things known before; ${how.en}: ${entries} memories. ${db}`,
    zh: `新增 ${turns} 轮，已有 ${known} 项；${how.zh}：共 ${entries} 条记忆。${db}`,
  };
}
