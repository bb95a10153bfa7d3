/** Options by their paths, what they may be, and presets with other values: on presets of the package. */
import { describe, expect, test } from "vitest";
import { presetDiff } from "../../preset/diff.ts";
import { listPresets, loadPreset } from "../../preset/load.ts";
import { optionPlaces } from "./option-paths.ts";
import { overridePreset } from "./override-preset.ts";
import { parseVaries, parseVary } from "./parse-vary.ts";
import { presetHash, writingHash } from "./preset-hash.ts";

/** All presets are read, and the machine may be busy. */
const SLOW = 120_000;

describe("what --vary means", () => {
  test("a range, a range by factors, whole numbers where the option takes no others, a few values", async () => {
    const preset = await loadPreset("ld_agent");
    const recency = "stages.post_retrieval.rerank.weights.recency";
    expect(parseVary(`${recency}=0..1`, preset)).toEqual({
      ...{ kind: "range", path: recency, low: 0, high: 1, isLog: false, isWhole: false },
    });
    expect(parseVary("stages.memory_retrieval.candidates.pool=10..200:log", preset)).toMatchObject({
      ...{ low: 10, high: 200, isLog: true, isWhole: true },
    });
    expect(parseVary("stages.post_retrieval.filter#2.k=1..5", preset)).toMatchObject({ isWhole: true });
    expect(parseVary("input.with_speaker=true, false", preset)).toMatchObject({ values: [true, false] });
    expect(parseVary(`${recency}=-1.5e0,.5,null`, preset)).toMatchObject({ values: [-1.5, 0.5, null] });
    expect(parseVary("service.collection_name=记忆,b", preset)).toMatchObject({ values: ["记忆", "b"] });
  });

  test.each([
    ["stages.post_retrieval.rerank.weights.recency", "does not say what is varied"],
    ["stages.post_retrieval.rerank.weights.recency=1..1", "LOW < HIGH"],
    ["stages.post_retrieval.rerank.weights.recency=0..1:log", "LOW > 0"],
    ["stages.post_retrieval.rerank.weights.recency=a..b", "is no range of numbers"],
    ["stages.post_retrieval.rerank.weights.recency=0..1:lgo", "is no range of numbers"],
    ["stages.post_retrieval.rerank.weights.recency=1", "does not give different values"],
    ["stages.post_retrieval.rerank.weights.recency=1,1", "does not give different values"],
    ["stages.post_retrieval.rerank.weights.recency=1,,2", "does not give different values"],
    ["stages.memory_retrieval.candidates.pool=1..2.5", "takes whole numbers"],
    [
      "stages.post_retrieval.rerank.weights.recencey=0..1",
      'Did you mean "stages.post_retrieval.rerank.weights.recency"',
    ],
    ["stages.post_retrieval.rerank.weights=0..1", "Valid below stages.post_retrieval.rerank: "],
    ["最近=0..1", "neuromem preset show"],
  ])("%s is refused", async (text, why) => {
    const preset = await loadPreset("ld_agent");
    expect(() => parseVary(text, preset)).toThrow(why);
  });

  test("every option once, and one at least", async () => {
    const preset = await loadPreset("hybrid");
    expect(() => parseVaries(["service.rrf_k=1..9", "service.rrf_k=2,3"], preset)).toThrow("varied twice");
    expect(() => parseVaries([], preset)).toThrow("There is nothing to vary.");
  });
});

describe("a preset with other values", () => {
  test(
    "of every preset: its own values change nothing, wherever they stand",
    async () => {
      for (const name of await listPresets()) {
        const preset = await loadPreset(name);
        const own = Object.fromEntries([...optionPlaces(preset)].map(([path, { value }]) => [path, value]));
        expect(Object.keys(own).length, name).toBeGreaterThan(3);
        expect(presetHash(overridePreset(preset, own)), name).toBe(presetHash(preset));
      }
    },
    SLOW,
  );

  test("differs where it was said to and nowhere else, in the second action of a name, too", async () => {
    const preset = await loadPreset("ld_agent");
    const made = overridePreset(preset, { "stages.post_retrieval.filter#2.k": 7 });
    expect(presetDiff(preset, made)).toEqual([{ part: "post_retrieval", path: "filter#2.k", a: 1, b: 7 }]);
  });

  test("what only reads leaves the writing part as it is; service and input do not", async () => {
    const preset = await loadPreset("ld_agent");
    const writes = (setting: Record<string, number | boolean>): boolean =>
      writingHash(overridePreset(preset, setting)) !== writingHash(preset);
    expect(writes({ "stages.post_retrieval.rerank.weights.recency": 0.1 })).toBe(false);
    expect(writes({ "stages.memory_retrieval.candidates.pool": 30 })).toBe(false);
    expect(writes({ "stages.pre_retrieval.optimize.max_keywords": 3 })).toBe(false);
    expect(writes({ "input.with_speaker": !preset.input.with_speaker })).toBe(true);
  });

  test("a value that cannot be is refused with the loader's reason, and so is what does not fit together", async () => {
    const preset = await loadPreset("hybrid");
    expect(() => overridePreset(preset, { "service.rrf_k": -3 })).toThrow("service.rrf_k: Too small");
    expect(() => overridePreset(preset, { "service.fusion_strategy": "rrff" })).toThrow(
      'Did you mean "rrf"?',
    );
    expect(() => overridePreset(preset, { "input.with_speaker": "maybe" })).toThrow("input.with_speaker: ");
    const dense = await loadPreset("dense");
    const strange = { "stages.memory_retrieval.default.top_k": 0 };
    expect(() => overridePreset(dense, strange)).toThrow(
      "The preset dense cannot have stages.memory_retrieval",
    );
  });
});
