import { expect, test } from "vitest";
import { throwIfAborted } from "../abort.ts";
import type { CallOptions } from "../model.ts";
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
