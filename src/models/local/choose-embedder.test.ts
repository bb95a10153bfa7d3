import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { MemoryError } from "../../base/errors.ts";
import type { TraceEvent } from "../../base/trace.ts";
import { builtInEmbedder } from "./built-in.ts";
import { type ChooseDeps, chooseEmbedder, describeEmbedder } from "./choose-embedder.ts";
import { findModelPackage, type ModelPackage } from "./model-package.ts";
import { loadOnnxRuntime, type OpenEncoder } from "./onnx-encoder.ts";

function world(missing: { readonly runtime?: boolean; readonly packages?: boolean } = {}) {
  const events: TraceEvent[] = [];
  const openEncoder: OpenEncoder = async () => ({
    firstState: async () => new Float32Array(384).fill(1),
    close: async () => undefined,
  });
  const deps: ChooseDeps = {
    trace: (event) => events.push(event),
    loadRuntime: async () => {
      if (missing.runtime) throw new MemoryError("missing_dependency", "No runtime.");
      return openEncoder;
    },
    ...(missing.packages ? { findPackage: () => undefined } : {}),
  };
  return { events, deps };
}

test("the encoder, where everything is there", async () => {
  const { events, deps } = world();
  const choice = await chooseEmbedder("en", {}, deps);
  expect(choice).toMatchObject({ active: "onnx", embedder: { id: "bge-small-en-v1.5", kind: "onnx" } });
  expect(await choice.embedder?.embed(["text"])).toHaveLength(1);
  expect(events).toMatchObject([
    { type: "embedder-choose", language: "en", active: "onnx", why: choice.why },
    { type: "embed-call", model: "bge-small-en-v1.5", texts: 1, cached: 0 },
  ]);
});

test("the static table without the runtime, and it says so (C-29)", async () => {
  const { events, deps } = world({ runtime: true });
  const choice = await chooseEmbedder("zh", {}, deps);
  expect(choice).toMatchObject({ active: "static", embedder: { kind: "static" } });
  expect(choice.why).toContain("No runtime.");
  expect(events).toEqual([
    { type: "embedder-choose", language: "zh", active: "static", why: choice.why },
    { type: "warning-raise", code: "missing_dependency", message: choice.why },
  ]);
  expect(await choice.embedder?.embed(["文字"])).toHaveLength(1);
});

test("none without the package, and it says what to install", async () => {
  const { events, deps } = world({ packages: true });
  const choice = await chooseEmbedder("en", {}, deps);
  expect(choice).toMatchObject({ active: "none" });
  expect(choice.embedder).toBeUndefined();
  expect(choice.why).toContain("npm install @neuromem/embed-en");
  expect(events).toMatchObject([
    { type: "embedder-choose", active: "none" },
    { type: "warning-raise", message: choice.why },
  ]);
});

test("none without the files, and every reason is told once", async () => {
  const { deps } = world();
  const model = findModelPackage("en");
  const findPackage = () => model && { ...model, directory: "nowhere" };
  const choice = await chooseEmbedder("en", {}, { ...deps, findPackage });
  expect(choice).toMatchObject({ active: "none", embedder: undefined });
  expect(choice.why).toMatch(/no model\.onnx.*no static\.bin/);
});

test("what was asked for by name and is missing is an error, not a lesser one", async () => {
  for (const [want, missing] of [
    ["onnx", { runtime: true }],
    ["onnx", { packages: true }],
    ["static", { packages: true }],
  ] as const) {
    const refused = chooseEmbedder("en", { want }, world(missing).deps);
    await expect(refused).rejects.toMatchObject({ code: "missing_dependency" });
  }
});

test("static or none can be asked for without a warning", async () => {
  const { events, deps } = world();
  expect(await chooseEmbedder("en", { want: "static" }, deps)).toMatchObject({ active: "static" });
  expect(await chooseEmbedder("zh", { want: "none" }, deps)).toMatchObject({ active: "none" });
  expect(events).toMatchObject([
    { type: "embedder-choose", language: "en", active: "static" },
    { type: "embedder-choose", language: "zh", active: "none" },
  ]);
});

test("a runtime that fails for another reason is not hidden", async () => {
  const deps = {
    loadRuntime: async () => {
      throw new MemoryError("model_unavailable", "Broken.");
    },
  };
  await expect(chooseEmbedder("en", {}, deps)).rejects.toMatchObject({ code: "model_unavailable" });
});

test("the built-in embedder tells what runs for each language, and embeds both", async () => {
  const { deps, events } = world({ runtime: true });
  const builtIn = await builtInEmbedder({}, deps);
  expect(builtIn.choices.map(({ language, active }) => [language, active])).toEqual([
    ["en", "static"],
    ["zh", "static"],
  ]);
  const vectors = await builtIn.embedDocuments(["好久不见", "long time no see"]);
  expect(vectors.map((vector) => vector?.space)).toEqual([
    "bge-small-zh-v1.5-static",
    "bge-small-en-v1.5-static",
  ]);
  expect(describeEmbedder(builtIn.choices)).toBe(
    'English (static): The static table runs: "bge-small-en-v1.5-static". No runtime. Chinese (static): The static table runs: "bge-small-zh-v1.5-static". No runtime.',
  );
  expect(events.filter(({ type }) => type === "embed-call")).toMatchObject([
    { model: "bge-small-en-v1.5-static", texts: 1 },
    { model: "bge-small-zh-v1.5-static", texts: 1 },
  ]);
  await builtIn.close();
});

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** The English package with some files replaced. */
function damaged(files: Readonly<Record<string, string>>): ModelPackage {
  const model = findModelPackage("en");
  if (model === undefined) throw new Error("The package is not linked; run npm install.");
  const directory = mkdtempSync(join(tmpdir(), "neuromem-damaged-"));
  folders.push(directory);
  for (const name of ["model.onnx", "static.bin", "vocab.txt"]) {
    const content = files[name];
    if (content === undefined) copyFileSync(join(model.directory, name), join(directory, name));
    else writeFileSync(join(directory, name), content);
  }
  return { ...model, directory };
}

const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${"0".repeat(64)}\nsize 34014426\n`;

const runs = await loadOnnxRuntime().then(
  () => true,
  () => false,
);

test.skipIf(!runs)("weights that cannot be loaded leave the table, and it says so (C-29)", async () => {
  const model = damaged({ "model.onnx": POINTER });
  const events: TraceEvent[] = [];
  const deps: ChooseDeps = { trace: (event) => events.push(event), findPackage: () => model };
  const choice = await chooseEmbedder("en", {}, deps);
  expect(choice).toMatchObject({ active: "static", embedder: { kind: "static" } });
  expect(choice.why).toMatch(/"bge-small-en-v1\.5" are there but cannot be used \(.+\)\. Valid: /);
  expect(events.map(({ type }) => type)).toEqual(["embedder-choose", "warning-raise"]);
  expect(await choice.embedder?.embed(["text"])).toHaveLength(1);
  const byName = chooseEmbedder("en", { want: "onnx" }, deps);
  await expect(byName).rejects.toMatchObject({ code: "missing_dependency" });
});

test.skipIf(!runs)("the real encoder runs when it is said to", async () => {
  const choice = await chooseEmbedder("en");
  expect(choice).toMatchObject({ active: "onnx", why: 'The encoder runs: "bge-small-en-v1.5".' });
  await choice.embedder?.close();
});

test("an encoder that loads and then fails is not chosen, and is closed", async () => {
  let closed = 0;
  const failing: OpenEncoder = async () => ({
    firstState: () => Promise.reject(new Error("Invalid input name:\n token_type_ids")),
    close: async () => void closed++,
  });
  const choice = await chooseEmbedder("en", {}, { loadRuntime: async () => failing });
  expect(choice.active).toBe("static");
  expect(choice.why).toContain("Invalid input name: token_type_ids");
  expect(closed).toBe(1);
});

test("a damaged table is not chosen either", async () => {
  const model = damaged({ "model.onnx": POINTER, "static.bin": POINTER });
  const { deps, events } = world({ runtime: true });
  const choice = await chooseEmbedder("en", {}, { ...deps, findPackage: () => model });
  expect(choice).toMatchObject({ active: "none", embedder: undefined });
  expect(choice.why).toContain("not a static table");
  expect(events[0]).toMatchObject({ type: "embedder-choose", active: "none" });
});
