import { expect, test } from "vitest";
import { estimated, labQuestion, labSummary } from "../../src/testing/lab-runs.ts";
import { atLeast } from "../report.ts";
import { partText } from "./page-text.ts";
import { SECTIONS } from "./sections.ts";

function ran(preset: string, turns: number, recall: number) {
  const overall = {
    "turns@10": estimated(turns, turns - 2, turns + 2),
    "recall@10": estimated(recall, recall - 2, recall + 2),
    "tokens@10": estimated(40_000, 39_000, 41_000),
  };
  const corrected = { ...overall, "turns@10": estimated(turns + 1, turns - 1, turns + 3) };
  const byCategory = { "1": overall, "2": { "recall@10": estimated(1, 0, 2) }, "5": overall };
  const more = { overall, corrected, byCategory, abstention: estimated(70, 60, 80) };
  const questions = [
    labQuestion("q1"),
    labQuestion("q2", { category: "2" }),
    labQuestion("q3", { category: "5", expects: "abstain" }),
  ];
  return { summary: labSummary(preset, more), questions };
}

function tableBelow(text: string, title: string): string[] {
  const lines = text.split(`#### ${title}\n`)[1]?.split("\n") ?? [];
  const from = lines.findIndex((line) => line.startsWith("|"));
  const to = lines.findIndex((line, place) => place > from && !line.startsWith("|"));
  return lines.slice(from, to < 0 ? undefined : to);
}

// Long hits find more with as many hits, and no more with as many turns.
const runs = [ran("memgpt", 3, 90), ran("bm25", 60, 62), ran("neuromem", 84, 84)];
const [section] = SECTIONS.filter(({ name }) => name === "locomo").map((one) => ({ section: one, runs }));
const row = { what: "R@10", value: 84.2, bar: atLeast(84, "%"), measured: "of talks" };
const text = partText({ name: "locomo", rows: [row], section, isWhole: true });

test("bars come first, with how many runs of what and where", () => {
  const [title, head, bars = ""] = text.split("\n\n");
  expect(title).toBe("### LoCoMo");
  expect(head).toBe(
    "`npm run bench:lab -- --data DIR --only locomo --save` wrote this from 3 runs of neuromem 0.1.0 on 2 cores, 4 GB of memory, Node 24.0.0 on linux-x64.",
  );
  expect(bars).toContain("| R@10 | 84.2 % | ≥ 84 % | yes | of talks |");
});

test("LoCoMo goes by distinct turns, and says who lies below BM25", () => {
  expect(text).toContain("`talks`: ");
  expect(text).toContain("below it with their whole interval, 1: memgpt 3.0 (1.0–5.0);");
  expect(tableBelow(text, "Sorted by turns@10")).toEqual([
    "| preset | turns@10, n 100 | recall@10, n 100 |",
    "| --- | ---: | ---: |",
    "| neuromem | **84.0 (82.0–86.0)** | 84.0 (82.0–86.0) |",
    "| bm25 | 60.0 (58.0–62.0) | 62.0 (60.0–64.0) |",
    "| memgpt | 3.0 (1.0–5.0) | **90.0 (88.0–92.0)** |",
  ]);
});

test("categories without the measure have no column, category 5 stands apart, corrected labels beside the original", () => {
  expect(tableBelow(text, "turns@10 by category")[0]).toBe("| preset | category 1, n 100 |");
  expect(tableBelow(text, "Questions that cannot be answered")[0]).toBe(
    "| preset | told apart by confidence, n 100 | category 5: turns@10, n 100 |",
  );
  expect(tableBelow(text, "With corrected labels")[0]).toBe(
    "| preset | turns@10, n 100 | corrected turns@10, n 100 |",
  );
  expect(tableBelow(text, "Cost")[0]).toContain("| preset | tokens@10, n 100 |");
});

test("bars alone have no tables, and tables without bars no bars", () => {
  const bars = partText({ name: "time", rows: [row], isWhole: true });
  expect(bars).toContain("--only time --save` wrote this.\n\n| what |");
  expect(bars).not.toContain("###");
  expect(partText({ name: "locomo", rows: [], section, isWhole: true })).not.toContain("| what |");
});
