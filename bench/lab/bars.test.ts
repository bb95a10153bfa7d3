import { describe, expect, test } from "vitest";
import type { RunSummary } from "../../src/lab/result.ts";
import { estimated, labSummary } from "../../src/testing/lab-runs.ts";
import { isMet, type Row } from "../report.ts";
import { barRows } from "./bars.ts";

function rowsOf(section: string, ...summaries: readonly RunSummary[]): Row[] {
  return barRows([{ section, summaries }]);
}

/** One measure over all questions; the interval is five points to each side. */
function run(preset: string, measure: string, mean: number, more: Partial<RunSummary> = {}): RunSummary {
  return labSummary(preset, { overall: { [measure]: estimated(mean, mean - 5, mean + 5, 40) }, ...more });
}

const of = (mean: number) => estimated(mean, mean - 5, mean + 5, 40);

describe("the flagship", () => {
  test("LoCoMo: all categories, and the one of several hops, with the rivals beside it", () => {
    const category = { "recall@10": of(57.9), "all@10": of(25) };
    const own = run("neuromem", "recall@10", 84.5, { byCategory: { "1": category } });
    const rows = rowsOf("locomo", own, run("bm25", "recall@10", 62), run("mem0", "recall@10", 99));
    expect(rows.map((row) => [row.what, Math.round(10 * row.value) / 10, isMet(row)])).toEqual([
      ["LoCoMo (talks), neuromem: evidence R@10, categories 1–4", 84.5, true],
      ["LoCoMo (talks), neuromem: multi-hop (category 1), evidence R@10", 57.9, false],
      ["LoCoMo (talks), neuromem: multi-hop (category 1), all evidence in 10 hits", 25, true],
    ]);
    expect(rows[0]?.measured).toBe("84.5 (79.5–89.5), 40 questions; bm25 62.0");
  });

  test.each([
    ["longmemeval", "recall@10", "evidence turns R@10", 88],
    ["longmemeval", "sessions@5", "evidence sessions R@5", 95],
    ["musique", "recall@5", "passages R@5, passages only", 64],
    ["hotpotqa", "recall@5", "passages R@5, passages only", 85],
    ["facts", "value@3", "single hop, the newest value within three hits", 92],
  ])("%s by %s", (section, measure, what, limit) => {
    const [met, ...more] = rowsOf(section, run("neuromem", measure, limit));
    expect(met?.what).toContain(`, neuromem: ${what}`);
    expect([more, met && isMet(met)]).toEqual([[], true]);
    expect(rowsOf(section, run("neuromem", measure, limit - 0.1)).map(isMet)).toEqual([false]);
  });

  test("what was not run, or not measured, has no row; nor has a data set without a bar", () => {
    expect(rowsOf("locomo", run("bm25", "recall@10", 90), run("neuromem", "mrr", 90))).toEqual([]);
    expect(rowsOf("realmem", run("neuromem", "recall@10", 90))).toEqual([]);
    expect(rowsOf("budget", run("neuromem", "recall@10", 90))).toEqual([]);
  });
});

test("values that changed: both ways of counting stand in one row, the bar is for presence alone", () => {
  const own = run("neuromem", "value@3", 93, {
    overall: { "value@3": of(93), "newest@3": of(80) },
    byCategory: { sh_6k: { "value@3": of(95) }, sh_32k: { "value@3": of(91) }, mh_6k: {} },
  });
  const changed = { byCategory: { sh_6k: { "newest@1": of(91), "newest@3": of(94) } } };
  const rows = rowsOf("facts", own, labSummary("mem0", changed), labSummary("dense", changed));
  expect(rows.map(({ what, measured }) => [what, measured])).toEqual([
    [
      "FactConsolidation (talks), neuromem: single hop, the newest value within three hits",
      "93.0 (88.0–98.0), 40 questions; before any older one 80.0, 6k 95.0, 32k 91.0",
    ],
    [
      "FactConsolidation (talks), mem0: 6k, single hop, the newest value first",
      "91.0 (86.0–96.0), 40 questions; within three hits 94.0; dense 91.0",
    ],
  ]);
});

describe("the graph of recorded triples", () => {
  const recorded = { models: { chat: "recorded", judges: [] } };
  const graph = run("hipporag2", "recall@5", 74, recorded);
  const rivals = [run("bm25", "recall@5", 50), run("dense", "recall@5", 67.1), run("hybrid", "recall@5", 60)];

  test("is held against the best of those without one", () => {
    const [row, ...more] = rowsOf("musique", graph, run("hipporag", "recall@5", 67, recorded), ...rivals);
    expect(more).toEqual([]);
    expect(row?.what).toBe(
      "MuSiQue (talks), recorded triples: hipporag2 above the best of BM25, dense and hybrid, passages R@5",
    );
    expect(row?.value).toBeCloseTo(6.9);
    expect(row?.measured).toBe("hipporag2 74.0, hipporag 67.0, hybrid 60.0, bm25 50.0, dense 67.1");
  });

  test("not without one of them, and not without the recording", () => {
    expect(rowsOf("musique", graph, ...rivals.slice(1))).toEqual([]);
    expect(rowsOf("musique", run("hipporag2", "recall@5", 74), ...rivals)).toEqual([]);
  });
});
