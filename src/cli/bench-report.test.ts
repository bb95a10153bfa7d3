/** What `bench report` and `bench diff` print and how they end, on runs in real folders. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { estimated, labQuestion, labSummary, writeLabRun } from "../testing/lab-runs.ts";
import { COMMANDS } from "./commands/index.ts";
import { route } from "./router.ts";

let out: string;
beforeEach(() => {
  out = mkdtempSync(join(tmpdir(), "neuromem-bench-"));
});
afterEach(() => rmSync(out, { recursive: true, force: true }));

async function run(...words: readonly string[]) {
  const [said, noted]: [string[], string[]] = [[], []];
  const surroundings = {
    env: {},
    stdout: { write: (text: string) => said.push(text) },
    stderr: { write: (text: string) => noted.push(text) },
  };
  const status = await route(words, COMMANDS, surroundings, "1.2.3");
  return { status, stdout: said.join(""), stderr: noted.join("") };
}

/** `better` of 40 questions have a value of 1, the others 0. */
function written(preset: string, better: number): string {
  const lines = Array.from({ length: 40 }, (_, place) =>
    labQuestion(`q${place}`, {
      category: String(1 + (place % 2)),
      text: place === 0 ? "王芳周末\n去了\u001b[31m哪里？" : `Where is ${place}?`,
      measures: { "recall@10": place < better ? 1 : 0, "tokens@10": 100 + better },
    }),
  );
  const overall = { "recall@10": estimated((100 * better) / 40, 0, 100, 40) };
  return writeLabRun(out, labSummary(preset, { overall }), lines);
}

describe("neuromem bench report", () => {
  test("writes the page and the Markdown into the folder, and says where", async () => {
    written("bm25", 10);
    mkdirSync(join(out, "half"));
    writeFileSync(join(out, "half", "results.jsonl"), "");
    const { status, stdout, stderr } = await run("bench", "report", out);
    expect(status).toBe(0);
    expect(stdout).toContain(`The report of 1 run: ${join(out, "report.html")}`);
    expect(stderr).toContain("Not finished, and not in it: half.");
    expect(existsSync(join(out, "report.html"))).toBe(true);
    expect(existsSync(join(out, "report.md"))).toBe(true);
    expect((await run("bench", "report", out, "--lang", "zh")).stdout).toContain("1 次运行的报告");
    expect(JSON.parse((await run("bench", "report", out, "--json")).stdout)).toMatchObject({
      runs: 1,
      unfinished: ["half"],
    });
  });

  test("refuses a folder without runs", async () => {
    const { status, stderr } = await run("bench", "report", out);
    expect(status).toBe(2);
    expect(stderr).toContain("There is no finished run in");
  });
});

describe("neuromem bench diff", () => {
  test("tells a difference with its interval, by category, and the questions that changed", async () => {
    const { status, stdout } = await run("bench", "diff", written("bm25", 0), written("hybrid", 30));
    expect(status).toBe(0);
    expect(stdout).toMatch(/A {6}0\.0 \(0\.0–0\.0\)/);
    expect(stdout).toMatch(/B − A {2}\+75\.0 \(\+\d\d\.\d to \+\d\d\.\d\) {2}the interval leaves out 0/);
    expect(stdout).toContain("30 better, 0 worse, 10 the same");
    expect(stdout).toContain("0.0 → 100.0     王芳周末 去了 [31m哪里？  1 · q0");
    expect(stdout).toContain("… and 20 more, by --json");
  });

  test("says so when it cannot be told from chance, in Chinese too", async () => {
    const [a, b] = [written("bm25", 20), written("dense", 21)];
    expect((await run("bench", "diff", a, b)).stdout).toContain("cannot be told from chance");
    expect((await run("bench", "diff", a, b, "--lang", "zh")).stdout).toContain("无法与偶然区分");
  });

  test("counts are no per cent, and --json holds everything", async () => {
    const [a, b] = [written("bm25", 0), written("dense", 5)];
    const { stdout } = await run("bench", "diff", a, b, "--measure", "tokens@10");
    expect(stdout).toContain("B − A  +5 (+5 to +5)");
    // More tokens are no better.
    expect(stdout).toContain("40 with more, 0 with fewer, 0 the same");
    expect(stdout).not.toContain("better");
    const data = JSON.parse((await run("bench", "diff", a, b, "--json")).stdout);
    expect(data).toMatchObject({ a: "bm25__talks", b: "dense__talks", measure: "recall@10" });
    expect(data.overall).toMatchObject({
      gains: 5,
      losses: 0,
      same: 35,
      difference: { mean: 0.125, count: 40 },
    });
    expect(data.changed).toHaveLength(5);
  });

  test("refuses two runs of different data sets, an unknown measure, and a folder that is no run", async () => {
    const a = written("bm25", 0);
    const { dataset } = labSummary("x");
    const other = labSummary("dense", { run: "dense__other", dataset: { ...dataset, hash: "ff" } });
    const b = writeLabRun(out, other, [labQuestion("q0")]);
    expect(await run("bench", "diff", a, b)).toMatchObject({
      ...{ status: 2, stdout: "", stderr: expect.stringContaining("different data sets") },
    });
    expect(await run("bench", "diff", a, a, "--measure", "recal@10")).toMatchObject({
      ...{ status: 2, stderr: expect.stringContaining('Did you mean "recall@10"?') },
    });
    expect(await run("bench", "diff", a, out)).toMatchObject({
      ...{ status: 2, stderr: expect.stringContaining("holds no finished run") },
    });
  });
});
