/** The whole command as it is typed, on small files of our own, with real runs and real child processes. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeSmallLocomo } from "../../test/fixtures/small-locomo.ts";

const SLOW = 240_000;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "neuromem-bench-lab-"));
  mkdirSync(join(folder, "data"));
  writeSmallLocomo(join(folder, "data"), 4);
  writeRecorded(join(folder, "data"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Two passages in MuSiQue's form, with what a model read out of them. */
function writeRecorded(into: string): void {
  const passages = [
    { title: "Lake Mirren", text: "The dam of Lake Mirren was built by Ida Brandt in 1931." },
    { title: "伊达·布兰特", text: "伊达·布兰特是来自奥斯陆的工程师。" },
  ];
  const triples = [
    [
      ["dam of Lake Mirren", "was built by", "Ida Brandt"],
      ["dam of Lake Mirren", "was built in", "1931"],
      ["not a triple", "of three"],
    ],
    [["伊达·布兰特", "来自", "奥斯陆"]],
  ];
  const question = {
    ...{ id: "2hop__1", question: "Who built the dam of Lake Mirren?", answer: "Ida Brandt" },
    paragraphs: passages.map(({ title, text }, place) => ({
      ...{ title, paragraph_text: text, is_supporting: place === 0 },
    })),
  };
  const docs = passages.map(({ title, text }, place) => ({
    ...{ passage: `${title}\n${text}`, extracted_entities: [title], extracted_triples: triples[place] },
  }));
  const write = (name: string, value: unknown): void =>
    writeFileSync(join(into, `${name}.json`), JSON.stringify(value));
  write("musique_small", [question]);
  write("musique_small_corpus", passages);
  write("openie_musique_small_results", { docs });
}

async function run(...words: readonly string[]) {
  const main = resolve(import.meta.dirname, "main.ts");
  const places = [
    "--data",
    join(folder, "data"),
    "--out",
    join(folder, "out"),
    "--cache",
    join(folder, "cache"),
  ];
  const args = ["--no-warnings", main, ...places, ...words];
  return await new Promise<{ status: number; stdout: string; stderr: string }>((done) => {
    execFile(process.execPath, args, { maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      done({ status: typeof error?.code === "number" ? error.code : 0, stdout, stderr }),
    );
  });
}

test(
  "runs what is asked for, and tells the same of finished runs without running again",
  async () => {
    const words = ["--only", "locomo,budget,graph,time,realmem", "--presets", "bm25"];
    const first = await run(...words, "--json");
    expect(first).toMatchObject({ status: 0, stderr: expect.stringContaining("no data: RealMem.") });
    const { rows, runs } = JSON.parse(first.stdout);
    expect(rows).toMatchObject([
      { what: expect.stringMatching(/^the graph of hipporag2/), value: 0, met: true },
      { what: "LoCoMo (small), neuromem: a whole run with cached vectors", bar: "≤ 60 s" },
    ]);
    // One run for two tables, and the one whose time is taken.
    expect(runs).toHaveLength(2);
    const results = ["bm25__small", "whole-run/neuromem__small"].map((name) =>
      join(folder, "out", name, "results.jsonl"),
    );
    const before = results.map((file) => statSync(file).mtimeMs);

    const { stdout: text } = await run(...words);
    expect(results.map((file) => statSync(file).mtimeMs)).toEqual(before);
    for (const { what } of rows) expect(text).toContain(`| ${what} |`);
    expect(text).toMatch(/#### Sorted by turns@10\n\n\| preset \| turns@10/);
    expect(text).toMatch(/#### Sorted by recall_in_1000\n\n\| preset \| recall_in_250/);
    expect(readFileSync(join(folder, "out", "report.md"), "utf8")).toContain("bm25");
  },
  SLOW,
);

test("what is wrong with the words is told before anything runs", async () => {
  const { status, stdout, stderr } = await run("--only", "lokomo");
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toContain('--only has "lokomo". Valid: locomo, budget,');
});
