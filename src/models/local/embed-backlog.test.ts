import { expect, test } from "vitest";
import type { Vector } from "../../base/vector.ts";
import { throwIfAborted } from "../abort.ts";
import type { CallOptions } from "../model.ts";
import { builtInEmbedder } from "./built-in.ts";
import { type BacklogOptions, type BacklogProgress, embedBacklog } from "./embed-backlog.ts";
import { findModelPackage } from "./model-package.ts";
import { staticEmbedder } from "./static-embedder.ts";

const TEXTS = Array.from({ length: 10_000 }, (_, i) => `Memory number ${i}, 第 ${i} 条记忆`);

async function lengths(texts: readonly string[], { signal }: CallOptions): Promise<number[]> {
  throwIfAborted(signal, "The embedding");
  return texts.map((text) => text.length);
}

async function collect(options: BacklogOptions, into: number[] = []): Promise<number[]> {
  for await (const { from, vectors } of embedBacklog(TEXTS, lengths, options)) {
    expect(from).toBe(into.length);
    into.push(...vectors);
  }
  return into;
}

test("10,000 texts with progress", async () => {
  const told: BacklogProgress[] = [];
  const all = await collect({ chunk: 999, onProgress: (progress) => told.push(progress) });
  expect(all).toEqual(TEXTS.map((text) => text.length));
  expect(told[0]).toEqual({ done: 0, total: 10_000 });
  expect(told.at(-1)).toEqual({ done: 10_000, total: 10_000 });
  expect(told).toHaveLength(12);
});

test("stopped and resumed gives the same as never stopped", async () => {
  const controller = new AbortController();
  const kept: number[] = [];
  const onProgress = ({ done }: BacklogProgress) => {
    if (done >= 3_000) controller.abort();
  };
  const stopped = collect({ signal: controller.signal, onProgress }, kept);
  const error = await stopped.catch((reason) => reason);
  expect(error).toMatchObject({ code: "aborted", details: { done: kept.length, total: 10_000 } });
  expect(kept.length).toBeGreaterThanOrEqual(3_000);
  expect(kept.length).toBeLessThan(3_100);
  expect(await collect({ from: kept.length }, kept)).toEqual(TEXTS.map((text) => text.length));
});

test("stopped inside a chunk, what was not handed over is done again", async () => {
  const controller = new AbortController();
  const kept: number[] = [];
  const embed = async (texts: readonly string[], options: CallOptions): Promise<number[]> => {
    if (kept.length >= 64) controller.abort();
    return lengths(texts, options);
  };
  const run = async () => {
    for await (const { vectors } of embedBacklog(TEXTS, embed, { signal: controller.signal })) {
      kept.push(...vectors);
    }
  };
  await expect(run()).rejects.toMatchObject({ code: "aborted", details: { done: 64, total: 10_000 } });
  expect(kept).toHaveLength(64);
});

test("another failure passes through", async () => {
  const failing = embedBacklog(["a"], () => Promise.reject(new Error("out of memory")));
  await expect(failing.next()).rejects.toThrow("out of memory");
});

test("10,000 texts of both languages, some empty, through the built-in tables: progress, stop and resume", async () => {
  const texts = TEXTS.map((_, i) => {
    if (i % 2_500 === 1_234) return i < 5_000 ? "" : "\u200b";
    return i % 3 === 0 ? `第 ${i} 条记忆：周末去爬山` : `Memory number ${i}: a walk by the river`;
  });
  const set = await builtInEmbedder({ want: "static" });
  const controller = new AbortController();
  const kept: (Vector | undefined)[] = [];
  const told: number[] = [];
  const run = async (options: BacklogOptions) => {
    for await (const { from, vectors } of embedBacklog(texts, set.embedDocuments, options)) {
      expect(from).toBe(kept.length);
      kept.push(...vectors);
    }
  };
  const onProgress = ({ done }: BacklogProgress) => {
    told.push(done);
    if (done >= 6_000) controller.abort();
  };
  const error = await run({ signal: controller.signal, onProgress }).catch((reason) => reason);
  expect(error).toMatchObject({ code: "aborted", details: { done: kept.length, total: 10_000 } });
  expect(kept.length).toBeLessThan(6_100);
  await run({ from: kept.length, onProgress: ({ done }) => told.push(done) });
  expect(told.at(-1)).toBe(10_000);
  expect(told).toEqual([...told].sort((a, b) => a - b));
  expect(kept).toHaveLength(10_000);
  expect(kept.flatMap((vector, i) => (vector === undefined ? [i] : []))).toEqual([
    1_234, 3_734, 6_234, 8_734,
  ]);
  expect(kept[3]?.space).toBe("bge-small-zh-v1.5-static");
  expect(kept[4]?.space).toBe("bge-small-en-v1.5-static");
  for (const place of [0, 5_999, 6_235, 9_999]) {
    expect(await set.embedDocument(texts[place] ?? "")).toEqual(kept[place]);
  }
  await set.close();
});

test("with the built-in table", async () => {
  const model = findModelPackage("en");
  if (model === undefined) throw new Error("The package is not linked; run npm install.");
  const { embed, dimension } = staticEmbedder(model);
  let count = 0;
  for await (const { vectors } of embedBacklog(TEXTS.slice(0, 500), embed)) {
    count += vectors.length;
    expect(vectors[0]).toHaveLength(dimension);
  }
  expect(count).toBe(500);
});
