/**
 * `npm start`: a tour in the terminal. Opens a memory file in a temporary folder, journals a small English and Chinese
 * conversation, runs it through a memory design (a preset), asks it questions, and shows for every hit what its score is
 * made of and what each stage took.
 */
import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, styleText } from "node:util";
import { ERROR_KINDS, MemoryError } from "../base/errors.ts";
import type { RetrieveResult } from "../pipeline/plan.ts";
import type { FoundHit } from "../pipeline/question.ts";
import { listPresets, loadPreset } from "../preset/load.ts";
import { Memory } from "../runtime/memory.ts";
import { openSqlite } from "../storage/sqlite/sqlite-storage.ts";
import { SAMPLE_CONVERSATION } from "./sample-conversation.ts";

const QUESTIONS = [
  "Where did Mia find the violin teacher?",
  "Are almonds fine for Ben?",
  "王芳周末去了哪里吃火锅？",
  "谁要去北京出差？",
];
const SHOWN_HITS = 2;
const SHOWN_PARTS = 6;

async function tour(name: string, json: boolean): Promise<void> {
  const preset = await loadPreset(name);
  const folder = await mkdtemp(join(tmpdir(), "neuromem-tour-"));
  cleanUpOnExit(folder);
  const file = join(folder, "memory.db");
  const say = (line = ""): void => {
    if (!json) console.log(line);
  };
  try {
    say(styleText("bold", "NeuroMem: a memory that loses nothing and explains every recall\n"));
    say(`Design: ${preset.name}. ${preset.summary}`);
    const storage = await openSqlite(file);
    let windows = 0;
    const onWindow = (): void => {
      windows++;
    };
    const memory = await Memory.open({ storage, preset, scope: "demo", env: process.env, onWindow });
    say(`Opened ${file}`);
    const started = performance.now();
    await memory.remember(SAMPLE_CONVERSATION);
    await memory.flush();
    const ms = (performance.now() - started).toFixed(0);
    say(
      `Journalled ${SAMPLE_CONVERSATION.length} turns in English and Chinese and took them up in ${windows} windows, durable on disk, in ${ms} ms.`,
    );
    say("Under each hit stands what its score is made of.\n");
    const answers = await ask(memory, say);
    await memory.close();
    if (json)
      console.log(JSON.stringify({ preset: name, turns: SAMPLE_CONVERSATION.length, answers }, null, 2));
    const { turns, entries, events } = await statsOf(file);
    say(`Closed and opened again: ${turns} turns, ${entries} entries, ${events} events are there.`);
    say(
      styleText(
        "dim",
        `\nOther designs: npm start -- --preset NAME, with one of ${(await listPresets()).join(", ")}.`,
      ),
    );
    say(
      styleText(
        "dim",
        "Next: README.md for the library in ten lines, docs/presets.md for the designs; npx neuromem --help.",
      ),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function ask(
  memory: Memory,
  say: (line?: string) => void,
): Promise<(Pick<RetrieveResult, "hits" | "stages"> & { readonly question: string })[]> {
  const answers = [];
  for (const question of QUESTIONS) {
    const { hits, stages } = await memory.recall(question, { limit: SHOWN_HITS });
    answers.push({ question, hits, stages });
    say(styleText("cyan", `? ${question}`));
    const shown = hits.filter(({ text }) => text !== "").slice(0, SHOWN_HITS);
    for (const hit of shown) sayHit(say, hit);
    if (shown.length === 0) say(styleText("dim", "  (nothing found)"));
    const took = stages.map(({ stage, action, ms }) => `${stage} ${action} ${ms.toFixed(1)} ms`);
    say(styleText("dim", `  ${took.join(" → ")}\n`));
  }
  return answers;
}

function sayHit(say: (line: string) => void, hit: FoundHit): void {
  const day = new Date(hit.happenedAt).toISOString().slice(0, 10);
  const parts = Object.entries(hit.scoreParts)
    .sort(([, a], [, b]) => b - a)
    .slice(0, SHOWN_PARTS)
    .map(([name, value]) => `${name.replace("term:", "")} ${value.toPrecision(3)}`);
  say(`  ${styleText("green", hit.score.toPrecision(3))}  ${hit.text}  ${styleText("dim", `(${day})`)}`);
  say(styleText("dim", `        ${parts.join(", ")}`));
}

/** Also on Ctrl-C, and when whoever reads our output has had enough. */
function cleanUpOnExit(folder: string): void {
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(130));
  process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 7));
}

async function statsOf(file: string): Promise<{ turns: number; entries: number; events: number }> {
  const storage = await openSqlite(file);
  const stats = await storage.stats();
  await storage.close();
  return stats;
}

try {
  const { values } = parseArgs({
    options: {
      json: { type: "boolean", default: false },
      preset: { type: "string", default: "hybrid" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help)
    console.log(
      "npm start [-- --preset NAME|FILE.yaml] [--json]   a tour of a memory design; --json prints the answers for programs",
    );
  else await tour(values.preset, values.json);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = MemoryError.is(error) ? ERROR_KINDS[error.code].exit : 2;
}
