/**
 * `npm start`: a tour of the engine in the terminal. Opens a memory file in a temporary folder, journals and indexes a
 * small English and Chinese sample, searches it, and shows for every hit what its score is made of.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, styleText } from "node:util";
import { ERROR_KINDS, MemoryError } from "../base/errors.ts";
import type { Hit } from "../base/hit.ts";
import { parseScope } from "../base/scope.ts";
import { CollectionManager } from "../collection/collection-manager.ts";
import { openSqlite } from "../storage/sqlite/sqlite-storage.ts";
import { SAMPLE_CONVERSATION } from "./sample-conversation.ts";

const SCOPE = parseScope("demo");
const QUESTIONS = [
  "Where did Mia find the violin teacher?",
  "Are almonds fine for Ben?",
  "王芳周末去了哪里吃火锅？",
  "谁要去北京出差？",
];

async function tour(json: boolean): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "neuromem-tour-"));
  const file = join(folder, "memory.db");
  const say = (line = ""): void => {
    if (!json) console.log(line);
  };
  try {
    const started = performance.now();
    const manager = new CollectionManager(await openSqlite(file));
    const notes = await manager.create({
      name: "tour",
      profile: "hybrid",
      indexes: [
        { name: "words", kind: "text_bm25", options: {} },
        { name: "recent", kind: "fifo", options: { capacity: 3 } },
      ],
    });
    say(styleText("bold", "NeuroMem: a memory that loses nothing and explains every recall\n"));
    say(`Opened ${file}`);
    await notes.insertMany(
      SCOPE,
      SAMPLE_CONVERSATION.map((turn) => ({
        content: `${turn.speaker}: ${turn.text}`,
        happenedAt: turn.happenedAt,
        turn,
      })),
    );
    const ms = (performance.now() - started).toFixed(0);
    say(
      `Journalled and indexed ${SAMPLE_CONVERSATION.length} turns in English and Chinese, durable on disk, in ${ms} ms.\nUnder each hit stands what its score is made of: the share of every word (in Chinese also of pairs of characters).\n`,
    );

    const answers: { question: string; hits: Hit[] }[] = [];
    for (const question of QUESTIONS) {
      const hits = await notes.retrieve(SCOPE, { index: "words", text: question, topK: 2 });
      answers.push({ question, hits });
      say(styleText("cyan", `? ${question}`));
      for (const hit of hits) sayHit(say, hit);
      say();
    }
    if (json) console.log(JSON.stringify({ turns: SAMPLE_CONVERSATION.length, answers }, null, 2));
    const stats = await openAgain(manager, file);
    say(
      `Closed and opened again: ${stats.turns} turns, ${stats.entries} entries, ${stats.events} events are there.`,
    );
    say(
      styleText(
        "dim",
        "\nNext: README.md for the library in ten lines, ARCHITECTURE.md for how it is built.",
      ),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function sayHit(say: (line: string) => void, hit: Hit): void {
  const day = new Date(hit.happenedAt).toISOString().slice(0, 10);
  const parts = Object.entries(hit.scoreParts)
    .sort(([, a], [, b]) => b - a)
    .map(([name, value]) => `${name.replace("term:", "")} ${value.toFixed(2)}`);
  say(`  ${styleText("green", hit.score.toFixed(2))}  ${hit.content}  ${styleText("dim", `(${day})`)}`);
  say(styleText("dim", `        = ${parts.join(" + ")}`));
}

async function openAgain(
  manager: CollectionManager,
  file: string,
): Promise<{ turns: number; entries: number; events: number }> {
  await manager.close();
  const storage = await openSqlite(file);
  const stats = await storage.stats();
  await storage.close();
  return stats;
}

try {
  const { values } = parseArgs({
    options: { json: { type: "boolean", default: false }, help: { type: "boolean", short: "h" } },
  });
  if (values.help)
    console.log(
      "npm start [-- --json]   a tour of the memory engine; --json prints the answers for programs",
    );
  else await tour(values.json);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = MemoryError.is(error) ? ERROR_KINDS[error.code].exit : 2;
}
