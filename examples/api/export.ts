import assert from "node:assert/strict";
import { createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Memory } from "neuromem/runtime";

const memory = await Memory.open({ path: "export.db", scope: "mia" });
await memory.remember({ speaker: "Mia", text: "I moved to Rome.", happenedAt: Date.UTC(2023, 4, 8) });
const lines = Readable.from(memory.export()).map((line: string) => `${line}\n`);
await pipeline(lines, createWriteStream("mia.jsonl"));
await memory.close();
assert.match(await readFile("mia.jsonl", "utf8"), /I moved to Rome\./);
