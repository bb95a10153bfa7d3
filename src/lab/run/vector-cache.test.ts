import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { oneSpace } from "../../models/local/embedder-set.ts";
import type { Embedder } from "../../models/model.ts";
import { cachedEmbedder } from "./vector-cache.ts";

let cache: string;
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), "neuromem-vectors-"));
});
afterEach(() => rmSync(cache, { recursive: true, force: true }));

/** Two numbers that tell the text and what it was embedded as, and what it was asked. */
function embedderOf(sign = 1) {
  const asked: string[] = [];
  const embedder: Embedder = {
    ...{ id: "our/own 嵌入", provider: "test", dimension: 2, maxBatch: 3 },
    async embed(texts, { as = "document" } = {}) {
      asked.push(...texts);
      return texts.map((text) => Float32Array.of(sign * text.length, as === "query" ? 1 : 0));
    },
  };
  return { embedder, asked };
}

const TEXTS = ["Rome", "火锅", "Rome", "a longer text", "第四个"];

test("what was embedded once is never embedded again, in no process, and queries are not documents", async () => {
  const { embedder, asked } = embedderOf();
  const first = cachedEmbedder(embedder, "h1", cache);
  const made = await first.embed(TEXTS);
  expect(asked).toEqual(["Rome", "火锅", "a longer text", "第四个"]);
  expect(await first.embed(["火锅"], { as: "query" })).toEqual([Float32Array.of(2, 1)]);
  first.close();

  const again = embedderOf();
  const second = cachedEmbedder(again.embedder, "h1", cache);
  const set = oneSpace(second);
  expect((await set.embedDocuments(TEXTS)).map((vector) => vector?.values)).toEqual(made);
  expect((await set.embedQuery("火锅")).map(({ values }) => values)).toEqual([Float32Array.of(2, 1)]);
  expect(again.asked).toEqual([]);
  second.close();
});

test("other weights under the same name get nothing of the old", async () => {
  await cachedEmbedder(embedderOf().embedder, "h1", cache).embed(["Rome"]);
  const other = embedderOf(-1);
  expect(await cachedEmbedder(other.embedder, "h2", cache).embed(["Rome"])).toEqual([Float32Array.of(-4, 0)]);
  expect(other.asked).toEqual(["Rome"]);
});

test("two at once: each finds what the other wrote meanwhile", async () => {
  const [a, b] = [embedderOf(), embedderOf()];
  const [left, right] = [cachedEmbedder(a.embedder, "h", cache), cachedEmbedder(b.embedder, "h", cache)];
  await left.embed(["one", "二"]);
  await right.embed(["二", "three"]);
  await left.embed(["three", "one", "二"]);
  expect([a.asked, b.asked]).toEqual([["one", "二"], ["three"]]);
});

test("a record that is cut short or broken is made again, and the others are still there", async () => {
  const first = cachedEmbedder(embedderOf().embedder, "h", cache);
  await first.embed(["one", "二", "three"]);
  first.close();
  const folder = join(cache, "vectors", readdirSync(join(cache, "vectors"))[0] ?? "");
  const file = join(folder, readdirSync(folder)[0] ?? "");
  const bytes = readFileSync(file);
  const size = bytes.length / 3;
  bytes.writeUInt8(bytes.readUInt8(2 * size - 1) ^ 1, 2 * size - 1);
  writeFileSync(file, bytes);
  appendFileSync(file, bytes.subarray(0, size - 1));
  const { embedder, asked } = embedderOf();
  const second = cachedEmbedder(embedder, "h", cache);
  expect(await second.embed(["one", "二", "three"])).toEqual([
    Float32Array.of(3, 0),
    Float32Array.of(1, 0),
    Float32Array.of(5, 0),
  ]);
  expect(asked).toEqual(["二"]);
  // The torn end belongs to the file of the process that died; what comes now is in one of its own.
  expect(await cachedEmbedder(embedder, "h", cache).embed(["二"])).toEqual([Float32Array.of(1, 0)]);
  expect(asked).toEqual(["二"]);
});
