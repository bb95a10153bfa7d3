import { expect, test } from "vitest";
import { MemoryError } from "../../base/errors.ts";
import type { TraceEvent } from "../../base/trace.ts";
import { builtInEmbedder } from "./built-in.ts";
import { type ChooseDeps, chooseEmbedder } from "./choose-embedder.ts";
import { findModelPackage } from "./model-package.ts";
import type { OpenEncoder } from "./onnx-encoder.ts";

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
  expect(events).toEqual([]);
});

test("the static table without the runtime, and it says so (C-29)", async () => {
  const { events, deps } = world({ runtime: true });
  const choice = await chooseEmbedder("zh", {}, deps);
  expect(choice).toMatchObject({ active: "static", embedder: { kind: "static" } });
  expect(choice.why).toContain("No runtime.");
  expect(events).toMatchObject([{ type: "warning-raise", code: "missing_dependency", message: choice.why }]);
  expect(await choice.embedder?.embed(["文字"])).toHaveLength(1);
});

test("none without the package, and it says what to install", async () => {
  const { events, deps } = world({ packages: true });
  const choice = await chooseEmbedder("en", {}, deps);
  expect(choice).toMatchObject({ active: "none" });
  expect(choice.embedder).toBeUndefined();
  expect(choice.why).toContain("npm install @neuromem/embed-en");
  expect(events).toHaveLength(1);
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
  expect(await chooseEmbedder("en", { want: "none" }, deps)).toMatchObject({ active: "none" });
  expect(events).toEqual([]);
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
  const { deps } = world({ runtime: true });
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
  await builtIn.close();
});
