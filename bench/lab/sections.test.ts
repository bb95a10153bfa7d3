import { describe, expect, test } from "vitest";
import { readOptions } from "./options.ts";
import { jobsOf, SECTIONS, type Section, specsFor } from "./sections.ts";

const SPECS = [
  "locomo=/data/locomo/locomo10.json",
  "longmemeval=/data/longmemeval_oracle.json",
  "longmemeval=/data/longmemeval_s.json.gz",
  "multihop=/data/musique.json",
  "multihop=/data/hotpotqa.json",
  "multihop=/data/2wikimultihopqa.json",
  "factconsolidation=/data/facts.json",
  "realmem=/data/realmem",
];
const PACKAGED = ["bm25", "mem0", "neuromem", "table/scm"];

function section(name: string): Section {
  const found = SECTIONS.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no section ${name}.`);
  return found;
}

function options(...words: readonly string[]) {
  return readOptions(["--data", "/data", "--cache", "/cache", ...words], {}, PACKAGED);
}

test("every section finds its own data and no other's", () => {
  expect(SECTIONS.map((one) => [one.name, ...specsFor(one, SPECS)])).toEqual([
    ["locomo", SPECS[0]],
    ["budget", SPECS[0]],
    ["longmemeval", SPECS[2]],
    ["musique", SPECS[3]],
    ["hotpotqa", SPECS[4]],
    ["facts", SPECS[6]],
    ["realmem", SPECS[7]],
  ]);
});

describe("runs", () => {
  test("LoCoMo has every design of the package, and its budgets are of the same runs", () => {
    const { choice } = options();
    const jobs = jobsOf(section("locomo"), SPECS, choice);
    expect(jobs.map(({ name }) => name)).toEqual(["bm25__locomo10", "mem0__locomo10", "neuromem__locomo10"]);
    expect(jobs[0]).toMatchObject({ out: "/cache/lab", cache: "/cache", ks: [5, 10, 20], dataset: SPECS[0] });
    expect(jobsOf(section("budget"), SPECS, choice)).toEqual(jobs);
  });

  test("named designs take the place of a section's own, and the first cases are runs of their own", () => {
    const { choice } = options("--presets", "mem0,table/scm", "--limit-cases", "2", "--fresh");
    const jobs = jobsOf(section("longmemeval"), SPECS, choice);
    expect(jobs).toMatchObject([
      { name: "mem0__longmemeval_s", out: "/cache/lab-first-2", limit: { cases: 2 }, fresh: true },
      { name: "table-scm__longmemeval_s" },
    ]);
  });
});

test.each([
  [["--only", "locomo,fact"], /--only has "fact"\. Valid: .*facts/],
  [["--presets", "mem1"], /--presets has "mem1"\. Valid: bm25, mem0/],
  [["--limit-cases", "0"], /--limit-cases is "0"/],
  [["--jobs", "many"], /--jobs is "many"/],
  [["--save", "--presets", "bm25"], /--save needs whole sections/],
  [["--save", "--limit-cases", "1"], /--save needs whole sections/],
])("refused: %j", (words, says) => {
  expect(() => options(...words)).toThrow(says);
});

test("data may come from the environment, and must come from somewhere", () => {
  expect(readOptions([], { NEUROMEM_DATA: "/there" }, PACKAGED).data).toBe("/there");
  expect(() => readOptions([], {}, PACKAGED)).toThrow(/--data DIR/);
});
