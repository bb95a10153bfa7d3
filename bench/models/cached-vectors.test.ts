import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { LocalEmbedder } from "../../src/models/local/local-embedder.ts";
import type { ModelPackage } from "../../src/models/local/model-package.ts";
import { cachedVectors } from "./cached-vectors.ts";

let directory: string;
let made: string[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "neuromem-cached-"));
  made = [];
  writeFileSync(join(directory, "model.onnx"), "weights");
  writeFileSync(join(directory, "vocab.txt"), "tokens");
});
afterEach(() => rmSync(directory, { recursive: true }));

/** As a new process opens it; `first` tells its weights apart from others'. */
function open(first: number, manifest: Partial<ModelPackage> = {}): LocalEmbedder {
  const model: ModelPackage = {
    format: 1,
    id: "small",
    language: "en",
    dimension: 2,
    maxTokens: 16,
    lowercase: true,
    queryInstruction: "",
    static: { id: "small-static", dimension: 2 },
    directory,
    ...manifest,
  };
  return {
    id: model.id,
    provider: "local",
    kind: "onnx",
    model,
    dimension: 2,
    maxBatch: 8,
    embed: async (texts) => {
      made.push(...texts);
      return texts.map((text) => Float32Array.of(first, text.length));
    },
    close: async () => undefined,
  };
}

const vectorsOf = (embedder: LocalEmbedder, as: "query" | "document" = "document") =>
  cachedVectors(embedder, ["one", "three"], { folder: join(directory, "kept"), as });

test("the same weights are asked once, whoever opens them", async () => {
  const vectors = await vectorsOf(open(1));
  expect(vectors).toEqual([Float32Array.of(1, 3), Float32Array.of(1, 5)]);
  expect(await vectorsOf(open(1))).toEqual(vectors);
  expect(made).toEqual(["one", "three"]);
  await vectorsOf(open(1), "query");
  expect(made).toHaveLength(4);
});

test.each(["model.onnx", "vocab.txt"])("another %s under the same name is asked anew", async (name) => {
  await vectorsOf(open(1));
  writeFileSync(join(directory, name), "changed");
  expect((await vectorsOf(open(2)))[0]).toEqual(Float32Array.of(2, 3));
});

test("and so are other settings of the package", async () => {
  await vectorsOf(open(1));
  expect((await vectorsOf(open(2, { queryInstruction: "Find: " })))[0]).toEqual(Float32Array.of(2, 3));
});
