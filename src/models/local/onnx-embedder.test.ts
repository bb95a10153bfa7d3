import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { TraceEvent } from "../../base/trace.ts";
import { cosine } from "../../math/cosine.ts";
import { testEmbedder } from "../../testing/model-suite.ts";
import { type BuiltInLanguage, findModelPackage, type ModelPackage, openTokenizer } from "./model-package.ts";
import { onnxEmbedder } from "./onnx-embedder.ts";
import { loadOnnxRuntime, type OpenEncoder } from "./onnx-encoder.ts";

interface Reference {
  readonly language: BuiltInLanguage;
  readonly text: string;
  readonly vector: Float32Array;
}

const REFERENCES: readonly Reference[] = readFileSync(
  join(import.meta.dirname, "fixtures/reference-vectors.jsonl"),
  "utf8",
)
  .trim()
  .split("\n")
  .map((line) => {
    const { language, text, vector } = JSON.parse(line);
    const bytes = Buffer.from(vector, "base64");
    const values = Float32Array.from({ length: bytes.length / 2 }, (_, i) => bytes.readInt16LE(2 * i));
    return { language, text, vector: values };
  });

const runs = await loadOnnxRuntime().then(
  () => true,
  () => false,
);

function packageOf(language: BuiltInLanguage): ModelPackage {
  const model = findModelPackage(language);
  if (model === undefined) throw new Error(`The package of "${language}" is not linked; run npm install.`);
  return model;
}

describe.skipIf(!runs).each(["en", "zh"] as const)("the encoder of %s", (language) => {
  const embedder = onnxEmbedder(packageOf(language));
  afterAll(() => embedder.close());
  // Few windows: the suite's long text is about the law, not about the time it takes.
  const brief = onnxEmbedder(packageOf(language), { maxWindows: 2 });
  testEmbedder({ name: `onnx ${language}`, open: () => brief, close: () => brief.close(), tolerance: 0 });

  test("agrees with the unquantised upstream model (cosine ≥ 0.98)", async () => {
    const references = REFERENCES.filter((one) => one.language === language);
    const vectors = await embedder.embed(references.map(({ text }) => text));
    references.forEach(({ vector, text }, i) => {
      expect(cosine(vectors[i]!, vector), text).toBeGreaterThanOrEqual(0.98);
    });
  });

  test("a vector does not depend on its neighbours in the list", async () => {
    const texts = REFERENCES.map(({ text }) => text);
    const together = await embedder.embed(texts);
    for (const [i, text] of texts.entries()) {
      const [alone] = await embedder.embed([text]);
      expect(alone).toEqual(together[i]);
    }
  });

  test("8,000 tokens: near to its own parts, and unlike another text", async () => {
    const [about, other] =
      language === "en"
        ? ["The garden needs water, the roses need cutting. ", "The stock market fell sharply today."]
        : ["花园要浇水了，玫瑰也该修剪。", "今天股市大幅下跌。"];
    const [long, short, far] = await embedder.embed([about.repeat(900), about, other]);
    expect(openTokenizer(packageOf(language)).encode(about.repeat(900)).length).toBeGreaterThan(8_000);
    expect(cosine(long!, short!)).toBeGreaterThan(cosine(long!, far!) + 0.1);
  });

  test("what is empty or invisible is refused by its place, and nothing is a zero vector (C-22)", async () => {
    for (const text of ["", "  \n", "\u200b"]) {
      await expect(embedder.embed(["fine", text])).rejects.toMatchObject({
        code: "input_invalid",
        details: { index: 1 },
      });
    }
  });

  test("emoji and mixed script have vectors of their own", async () => {
    const [emoji, mixed, plain] = await embedder.embed(["🎉🎂", "我 love 吃 pizza 🍕", "love pizza"]);
    expect(Math.hypot(...emoji!)).toBeCloseTo(1, 5);
    expect(cosine(mixed!, plain!)).toBeGreaterThan(cosine(emoji!, plain!));
  });

  test("the instruction goes before queries only", async () => {
    const { queryInstruction } = packageOf(language);
    const text = REFERENCES[0]!.text;
    const [asQuery] = await embedder.embed([text], { as: "query" });
    const [asDocument] = await embedder.embed([text]);
    const [written] = await embedder.embed([queryInstruction + text]);
    expect(cosine(asQuery!, written!)).toBeGreaterThan(0.9999);
    expect(cosine(asQuery!, asDocument!)).toBeLessThan(0.99);
  });
});

describe("around the encoder", () => {
  const model = packageOf("en");
  /** An encoder that only writes down what it was given. */
  function scripted() {
    const seen: (readonly number[])[] = [];
    let opened = 0;
    const openEncoder: OpenEncoder = async () => {
      opened++;
      return {
        firstState: async (ids) => {
          seen.push(ids);
          return Float32Array.from({ length: model.dimension }, (_, i) => (i === seen.length ? 1 : 0.1));
        },
        close: async () => undefined,
      };
    };
    return { seen, openEncoder, opened: () => opened };
  }

  test("weights are loaded by the first call, once, and again after closing", async () => {
    const { openEncoder, opened } = scripted();
    const embedder = onnxEmbedder(model, {}, { openEncoder });
    expect(opened()).toBe(0);
    await Promise.all([embedder.embed(["a"]), embedder.embed(["b"])]);
    expect(opened()).toBe(1);
    await embedder.close();
    await embedder.close();
    await embedder.embed(["c"]);
    expect(opened()).toBe(2);
  });

  test("windows cover the whole text, each within the encoder's length", async () => {
    const { seen, openEncoder } = scripted();
    const embedder = onnxEmbedder(model, {}, { openEncoder });
    const text = Array.from({ length: 3_000 }, (_, i) => `word${i}`).join(" ");
    await embedder.embed([text], { as: "query" });
    const instruction = openTokenizer(model).encode(model.queryInstruction);
    expect(seen.every((ids) => ids.length <= model.maxTokens)).toBe(true);
    expect(seen.every((ids) => String(ids.slice(1, 1 + instruction.length)) === String(instruction))).toBe(
      true,
    );
    const inside = seen.flatMap((ids) => ids.slice(1 + instruction.length, -1));
    expect(inside).toEqual(openTokenizer(model).encode(text));
  });

  test("beyond the most windows it takes some from everywhere and warns", async () => {
    const { seen, openEncoder } = scripted();
    const events: TraceEvent[] = [];
    const trace = (event: TraceEvent) => events.push(event);
    const embedder = onnxEmbedder(model, { maxWindows: 3 }, { openEncoder, trace });
    await embedder.embed(["a ".repeat(510 * 3)]);
    expect(events).toEqual([]);
    seen.length = 0;
    await embedder.embed([`${"start ".repeat(900)}${"middle ".repeat(2_000)}${"end ".repeat(900)}`]);
    expect(seen).toHaveLength(3);
    expect(events).toMatchObject([{ type: "warning-raise", code: "text_too_large" }]);
  });

  test("can be stopped between two texts", async () => {
    const { seen, openEncoder } = scripted();
    const controller = new AbortController();
    const embedder = onnxEmbedder(
      model,
      {},
      {
        openEncoder: async (path, options) => {
          const encoder = await openEncoder(path, options);
          const firstState = (ids: readonly number[]) => {
            if (seen.length === 2) controller.abort();
            return encoder.firstState(ids);
          };
          return { ...encoder, firstState };
        },
      },
    );
    const stopped = embedder.embed(["a", "b", "c", "d", "e"], { signal: controller.signal });
    await expect(stopped).rejects.toMatchObject({ code: "aborted" });
    expect(seen).toHaveLength(3);
  });

  test("weights that cannot be loaded are `model_unavailable`, and the next call tries again", async () => {
    const { openEncoder } = scripted();
    let tries = 0;
    const embedder = onnxEmbedder(
      model,
      {},
      {
        openEncoder: async (path, options) => {
          if (++tries === 1) throw new Error("torn file");
          return openEncoder(path, options);
        },
      },
    );
    await expect(embedder.embed(["a"])).rejects.toMatchObject({ code: "model_unavailable" });
    expect(await embedder.embed(["a"])).toHaveLength(1);
  });

  test("a state without direction is refused, not stored", async () => {
    const openEncoder: OpenEncoder = async () => ({
      firstState: async () => new Float32Array(model.dimension),
      close: async () => undefined,
    });
    const zeros = onnxEmbedder(model, {}, { openEncoder }).embed(["a"]);
    await expect(zeros).rejects.toMatchObject({ code: "vector_invalid" });
  });
});
