/** What `neuromem bench run` prints and how it ends, on a small file of our own and with real child processes. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeSmallLocomo } from "../../test/fixtures/small-locomo.ts";
import { typed } from "../../test/fixtures/typed-command.ts";

const SLOW = 120_000;
let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "neuromem-bench-run-"));
  mkdirSync(join(folder, "data"));
  file = writeSmallLocomo(join(folder, "data"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (...words: string[]) =>
  typed("bench", "run", "--out", join(folder, "out"), "--cache", join(folder, "cache"), ...words);

test(
  "a table for the data set, with intervals, and where everything lies",
  async () => {
    const words = [
      "--dataset",
      `locomo=${file}`,
      "--preset",
      "bm25",
      "--preset",
      "simple_memory,full_context",
    ];
    const { status, stdout, stderr } = await run(...words, "--k", "3,10", "--jobs", "2");
    expect(status).toBe(0);
    expect(stdout).toContain("locomo small: 2 cases, 72 turns, 48 questions");
    expect(stdout).toMatch(/preset +recall@3 +recall@10 +turns@10 +mrr/);
    expect(stdout).toMatch(/\nbm25 +\d+\.\d \(\d+\.\d–\d+\.\d\) {2}/);
    expect(stdout).toMatch(/\nfull_context +\d/);
    expect(stdout).toContain(`Report:  ${join(folder, "out", "report.html")}`);
    expect(readFileSync(join(folder, "out", "report.html"), "utf8")).toContain("bm25");
    expect(existsSync(join(folder, "out", "bm25__small", "results.jsonl"))).toBe(true);
    expect(stderr).toContain("360/360 turns and questions");
    expect(stderr).not.toContain("Not run again");
    const again = await run(...words.slice(0, 4), "--k", "3,10", "--lang", "zh");
    expect(again.stdout).toContain("locomo small：2 个案例，72 轮对话，48 个问题");
    expect(again.stderr).toContain("已有结果，未重新运行：bm25__small。");
    const fresh = await run(...words.slice(0, 4), "--k", "3,10", "--fresh");
    expect(fresh.stderr).not.toContain("Not run again");
  },
  SLOW,
);

test(
  "summaries as JSON, for all data sets of a folder; a run that fails stops no other and is told",
  async () => {
    mkdirSync(join(folder, "out", "bm25__small"), { recursive: true });
    writeFileSync(join(folder, "out", "bm25__small", "run.json"), '{"seed":1}');
    const words = ["--data", join(folder, "data"), "--limit-cases", "1", "--json"];
    const { status, stdout, stderr } = await run(...words, "--preset", "bm25,simple_memory");
    expect(status).toBe(5);
    const given = JSON.parse(stdout);
    expect(given.runs).toMatchObject([{ run: "simple_memory__small", dataset: { cases: 1 }, seed: 7 }]);
    expect(given.failed).toMatchObject([{ run: "bm25__small", code: "name_taken" }]);
    expect(given.report.html).toBe(join(folder, "out", "report.html"));
    expect(stderr).toContain("bm25__small failed: ");
    expect((await run(...words, "--preset", "bm25", "--fresh")).status).toBe(0);
  },
  SLOW,
);

test.each<[string, string[], number, RegExp]>([
  ["no data set", [], 2, /--dataset KIND=PATH/],
  ["an unknown kind", ["--dataset", "lokomo=FILE"], 2, /lokomo.*locomo/s],
  ["no file", ["--dataset", "locomo=/nowhere/at-all.json"], 2, /at-all\.json/],
  ["another file", ["--dataset", "locomo=OTHER"], 2, /OTHER|other\.json/],
  ["an unknown preset", ["--dataset", "locomo=FILE", "--preset", "bm52"], 2, /bm52.*Did you mean "bm25"/s],
  ["no number", ["--dataset", "locomo=FILE", "--k", "5,many"], 2, /--k has "many"/],
  ["no hits", ["--dataset", "locomo=FILE", "--k", "0"], 2, /--k has "0"/],
  ["no k", ["--dataset", "locomo=FILE", "--k", ",，"], 2, /--k has ",，".*5,10,20/],
  ["an empty list of designs", ["--dataset", "locomo=FILE", "--preset", ","], 2, /--preset names nothing/],
  ["an empty list of models", ["--dataset", "locomo=FILE", "--model", ""], 2, /--model names nothing/],
  ["no name of a folder", ["--dataset", "locomo=FILE", "--out", ""], 2, /--out names nothing/],
  ["no seed", ["--dataset", "locomo=FILE", "--seed", "-1x"], 2, /--seed is "-1x"/],
  ["no model", ["--dataset", "locomo=FILE", "--model", "gpt"], 2, /ENDPOINT:MODEL/],
  [
    "one address for two",
    ["--dataset", "locomo=FILE", "--model", "a:b,c:d", "--base-url", "http://x"],
    2,
    /one --model/,
  ],
])("wrong words end at once, with what would be valid: %s", async (_, words, code, says) => {
  const other = join(folder, "other.json");
  writeFileSync(other, '{"王芳": "这不是数据集"}');
  const { status, stdout, stderr } = await run(
    ...words.map((word) => word.replace("FILE", file).replace("OTHER", other)),
  );
  expect({ status, stdout }).toEqual({ status: code, stdout: "" });
  expect(stderr).toMatch(says);
  expect(existsSync(join(folder, "out"))).toBe(false);
});

test.skipIf(process.platform === "win32")(
  "Ctrl-C ends the runs and loses nothing: the same command goes on",
  async () => {
    const words = ["--dataset", `locomo=${file}`, "--preset", "bm25", "--points", "12"];
    const main = resolve(import.meta.dirname, "main.ts");
    const places = ["--out", join(folder, "out"), "--cache", join(folder, "cache")];
    const child = spawn(process.execPath, [main, "bench", "run", ...places, ...words], { stdio: "ignore" });
    const ended = new Promise<number | null>((done) => child.once("close", done));
    const results = join(folder, "out", "bm25__small", "results.jsonl");
    const text = () => (existsSync(results) ? readFileSync(results, "utf8") : "");
    while (text().split("\n").length < 20) await sleep(2);
    child.kill("SIGINT");
    expect(await ended).toBe(130);
    const before = text();
    expect(before.endsWith("\n")).toBe(true);
    expect((await run(...words)).status).toBe(0);
    expect(text().startsWith(before)).toBe(true);
    expect(text().length).toBeGreaterThan(before.length);
  },
  SLOW,
);
