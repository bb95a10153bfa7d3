import { expect, test } from "vitest";
import { estimated, labSummary } from "../../src/testing/lab-runs.ts";
import { belowBm25 } from "./below-bm25.ts";

const run = (preset: string, mean: number, low: number, high: number) =>
  labSummary(preset, { overall: { "turns@10": estimated(mean, low, high) } });

test("a design lies below BM25 where all of its interval does, and above likewise; the others cannot be told apart", () => {
  const summaries = [
    run("bm25", 60, 55, 65),
    run("tim", 45, 40, 50),
    run("scm", 37, 33, 41),
    // Touching is not below.
    run("a_mem", 50, 45, 55),
    run("mem0", 70, 65, 75),
    run("secom", 80, 66, 90),
    // Not published as memories, wherever they lie.
    ...["dense", "hybrid", "full_context", "neuromem", "neuromem_llm"].map((name) => run(name, 5, 1, 9)),
  ];
  expect(belowBm25(summaries, "turns@10")).toBe(
    "BM25 over the turns as they were said has 60.0 (55.0–65.0) by turns@10. Of 5 published designs, run without a model: " +
      "below it with their whole interval, 2: tim 45.0 (40.0–50.0), scm 37.0 (33.0–41.0); " +
      "not to be told from it, 2: mem0 70.0 (65.0–75.0), a_mem 50.0 (45.0–55.0); " +
      "above it with their whole interval, 1: secom 80.0 (66.0–90.0).",
  );
});

test("where none lies below, that is said", () => {
  expect(belowBm25([run("bm25", 60, 55, 65), run("mem0", 61, 56, 66)], "turns@10")).toContain(
    "Of 1 published design, run without a model: below it with their whole interval, none; not to be told from it, 1: mem0",
  );
});

test("without BM25, without designs, or without the measure nothing is said", () => {
  expect(belowBm25([run("mem0", 61, 56, 66)], "turns@10")).toBeUndefined();
  expect(belowBm25([run("bm25", 60, 55, 65), run("dense", 40, 35, 45)], "turns@10")).toBeUndefined();
  expect(belowBm25([run("bm25", 60, 55, 65), run("mem0", 61, 56, 66)], "recall@10")).toBeUndefined();
});
