/**
 * A fresh process opens a memory and asks one question by words and one by vector. Everything counts from the first line
 * of code after Node's own start: loading our modules (types are stripped on the way), opening the file, filling both
 * indexes, answering. One line of JSON tells how it went.
 */
import { setTimeout as sleep } from "node:timers/promises";

export interface Question {
  readonly file: string;
  readonly text: string;
  readonly space: string;
  readonly values: readonly number[];
}

export interface Opening {
  /** Milliseconds from the first line to both answers. */
  readonly ms: number;
  /** Of those, loading our modules. */
  readonly loadMs: number;
  readonly hits: number;
  /** Resident memory of the whole process when the garbage is collected. */
  readonly megabytes: number;
}

const start = performance.now();
const { PUBLIC } = await import("../../src/base/scope.ts");
const { CollectionManager } = await import("../../src/collection/collection-manager.ts");
const { openSqlite } = await import("../../src/storage/sqlite/sqlite-storage.ts");
const loaded = performance.now();

const question: Question = JSON.parse(process.argv[2] ?? "");
const { file, text, space, values } = question;
const collection = await new CollectionManager(await openSqlite(file)).get("bench");
const byText = await collection.retrieve(PUBLIC, { index: "text", text });
const vector = { space, values: Float32Array.from(values) };
const byVector = await collection.retrieve(PUBLIC, { index: "vector", vector });
const answered = performance.now();

// The first collection finds the garbage, but large buffers are given back in the background.
for (let i = 0; i < 3; i++) {
  globalThis.gc?.();
  await sleep(100);
}
const opening: Opening = {
  ms: answered - start,
  loadMs: loaded - start,
  hits: byText.length + byVector.length,
  megabytes: process.memoryUsage().rss / 1e6,
};
process.stdout.write(JSON.stringify(opening));
