/** One small journal for all designs: two people's talk with their assistants, English and Chinese, over several days. */
import { mkdtempSync, rmSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { manualClock } from "../../src/base/clock.ts";
import { parseScope } from "../../src/base/scope.ts";
import type { NewTurn } from "../../src/base/turn.ts";
import type { ChatModel } from "../../src/models/model.ts";
import { appendTurns } from "../../src/pipeline/journal.ts";
import { type OpenPreset, openPreset } from "../../src/preset/open.ts";
import type { Preset } from "../../src/preset/preset.ts";
import { openSqlite } from "../../src/storage/sqlite/sqlite-storage.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { hashEmbedder } from "../../src/testing/hash-embedder.ts";

export const ALICE = parseScope("alice");
export const BOB = parseScope("bob");
const START = Date.UTC(2026, 2, 2, 9);
const HOUR = 3_600_000;

const turn = (speaker: string, text: string, hours: number): NewTurn => ({
  speaker,
  text,
  role: speaker === "Assistant" ? "assistant" : "user",
  session: `day ${Math.floor(hours / 24) + 1}`,
  happenedAt: START + hours * HOUR,
});

export const OF_ALICE: readonly NewTurn[] = [
  turn("Mia", "I moved to Lisbon last week and I work for a ferry company there.", 0),
  turn("Assistant", "How do you like Lisbon so far?", 0.01),
  turn("Mia", "I love it. My sister Clara visits me in April, she is a vet in Porto.", 0.02),
  turn("Assistant", "A visit from Clara sounds lovely.", 0.03),
  turn("Mia", "I am allergic to peanuts, so remember that for restaurants.", 25),
  turn("Assistant", "Noted, no peanuts for you.", 25.01),
  turn("Mia", "By the way, I no longer live in Lisbon, I moved to Porto to be near Clara.", 73),
  turn("Assistant", "Porto it is.", 73.01),
];
export const OF_BOB: readonly NewTurn[] = [
  turn("王芳", "我昨天在成都吃了火锅，特别辣。", 0),
  turn("Assistant", "听起来很过瘾！", 0.01),
  turn("王芳", "我女儿小雨今年八岁，喜欢画画。", 0.02),
  turn("Assistant", "小雨真有才华。", 0.03),
  turn("王芳", "下周我要去北京出差三天。", 26),
  turn("Assistant", "祝您出差顺利。", 26.01),
];

export const FOLDER = mkdtempSync(join(tmpdir(), "neuromem-presets-"));
process.on("exit", () => rmSync(FOLDER, { recursive: true, force: true }));

let written: Promise<string> | undefined;
let copies = 0;

/** A memory file that holds the journal and nothing else; every call gives a file of its own with the same turns. */
export async function journalFile(): Promise<string> {
  written ??= writeJournal();
  const copy = join(FOLDER, `copy-${copies++}.db`);
  await copyFile(await written, copy);
  return copy;
}

async function writeJournal(): Promise<string> {
  const file = join(FOLDER, "journal.db");
  const clock = manualClock(START + 100 * HOUR);
  const storage = await openSqlite(file, { clock });
  await appendTurns(storage, ALICE, OF_ALICE, clock);
  await appendTurns(storage, BOB, OF_BOB, clock);
  await storage.close();
  return file;
}

export interface Opened {
  readonly storage: Storage;
  readonly memory: OpenPreset;
  close(): Promise<void>;
}

let openings = 0;

export async function open(file: string, preset: Preset, model?: ChatModel): Promise<Opened> {
  // Ids of two openings within one millisecond would have no order.
  const clock = manualClock(START + 101 * HOUR + 1000 * openings++);
  const storage = await openSqlite(file, { clock });
  const memory = await openPreset(preset, { storage, model, embedder: hashEmbedder(), clock });
  return {
    storage,
    memory,
    async close() {
      await memory.close();
      await storage.close();
    },
  };
}

/** What a design made in a scope, without ids and moments. */
export async function madeOf({ storage, memory }: Opened, scope: typeof ALICE): Promise<string[]> {
  const { collection } = memory.service;
  const entries = await storage.scan(scope, { collection, limit: 10_000, own: true });
  return entries
    .map(({ kind, content, tier, supersededBy, sources }) =>
      JSON.stringify([kind, content, tier, supersededBy === null, sources.length]),
    )
    .sort();
}
