/** Runs on real files, with real memories and real child processes that are really killed. */
import { fork } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { writeSmallLocomo } from "../../../test/fixtures/small-locomo.ts";
import { startModelServer } from "../../testing/model-server.ts";
import type { QuestionLine, ResultLine } from "../result.ts";
import { type Job, runName } from "./job.ts";
import { runJob } from "./run-job.ts";
import { runJobs } from "./run-jobs.ts";
import type { RunProgress } from "./time-left.ts";

const SLOW = 120_000;
let folder: string;
let job: Job;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "neuromem-run-"));
  const dataset = `locomo=${writeSmallLocomo(folder)}`;
  const [out, cache] = [join(folder, "out"), join(folder, "cache")];
  job = { dataset, preset: "bm25", name: "bm25__small", ks: [1, 5], points: 1, seed: 7, out, cache };
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

function lines(of: Job): ResultLine[] {
  const text = readFileSync(join(of.out, of.name, "results.jsonl"), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** Times are the only thing in which two runs of one seed may differ. */
function timeless(of: Job): unknown[] {
  return lines(of).map(({ times: _, ...line }) => line);
}

function question(of: Job, id: RegExp): QuestionLine {
  const found = lines(of).find((line) => line.type === "question" && id.test(line.text));
  if (found?.type !== "question") throw new Error(`No question ${id}`);
  return found;
}

describe("what a run leaves", () => {
  test("a line for each question and stretch, and a summary that tells what was run", async () => {
    const told: RunProgress[] = [];
    const summary = await runJob(job, { onProgress: (progress) => told.push(progress) });
    const kinds = Map.groupBy(lines(job), ({ type }) => type);
    expect(kinds.get("question")).toHaveLength(12 * 3 + 12);
    expect(kinds.get("build")).toMatchObject([
      { case: "talk-en", point: { number: 1, of: 1, turns: 36 }, entries: 36 },
      { case: "talk-zh", entries: 36, storage: { turns: 36 } },
    ]);
    expect(summary).toMatchObject({
      run: "bm25__small",
      preset: { name: "bm25", hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      dataset: { kind: "locomo", name: "small", cases: 2, turns: 72, questions: 48 },
      ...{ embedder: null, models: { chat: null }, seed: 7 },
      git: { commit: expect.stringMatching(/^[0-9a-f]{40}$/) },
      machine: { node: process.versions.node },
      cost: { entries: 72 },
    });
    expect(summary.cost.peakMemoryMb).toBeGreaterThan(20);
    expect(JSON.parse(readFileSync(join(job.out, job.name, "summary.json"), "utf8"))).toEqual(summary);
    expect(told.at(-1)).toMatchObject({
      done: { turns: 72, questions: 48 },
      total: { turns: 72, questions: 48 },
    });

    const kite = question(job, /buy the kite/);
    expect(kite).toMatchObject({
      ...{ case: "talk-en", category: "4", expects: "answer", evidence: ["1:1"], answers: ["Rome"] },
      measures: { "recall@5": 1, "contains@5": 1 },
    });
    const hit = kite.hits.find(({ refs }) => refs.includes("1:1"));
    expect(hit).toMatchObject({ refs: ["1:1"], at: Date.UTC(2023, 4, 1, 13, 10) });
    expect(hit?.text).toContain("I went to Rome");
    expect(kite.hits.length).toBeLessThanOrEqual(5);
    expect(question(job, /台灯/)).toMatchObject({ case: "talk-zh", measures: { "recall@5": 1 } });
    expect(summary.byCategory["5"]?.["recall@5"]?.count).toBe(12);
    expect(summary.overall["recall@5"]?.count).toBe(36);
  });

  test("at several points everything that can be told by then is asked, of all that was said by then", async () => {
    const summary = await runJob({ ...job, points: 3, limit: { cases: 1 } });
    const asked = Map.groupBy(
      lines(job),
      (line) => `${line.point.number}/${line.point.of} ${line.point.turns}`,
    );
    expect([...asked].map(([point, some]) => [point, some.length])).toEqual([
      ["1/3 12", 1 + 12],
      ["2/3 24", 1 + 24],
      ["3/3 36", 1 + 36],
    ]);
    expect(summary.byPoint.map(({ turns, entries }) => [turns, entries])).toEqual([
      [12, 12],
      [24, 24],
      [36, 36],
    ]);
    expect(summary.byPoint[0]?.overall["recall@5"]?.mean).toBe(1);
  });

  test("a design that hands over everything is not cut to the hits that are looked at", async () => {
    await runJob({ ...job, preset: "full_context", limit: { cases: 1 } });
    expect(question(job, /buy the kite/)).toMatchObject({
      hits: { length: 36 },
      measures: { "recall@5": 1 },
      contextTokens: expect.any(Number),
    });
  });

  test(
    "a model is counted, by what it was asked while memories were made",
    async () => {
      const server = await startModelServer({ chat: '{"importance": 5}' });
      try {
        const with_ = {
          ...job,
          preset: "generative_agents",
          model: "mine:m",
          baseUrl: server.url,
          limit: { cases: 1 },
        };
        const summary = await runJob(with_, { env: { MINE_API_KEY: "k" } });
        expect(summary.models.chat).toBe("mine:m");
        expect(summary.cost.build.calls).toBeGreaterThan(0);
        expect(server.requests.length).toBeGreaterThanOrEqual(summary.cost.build.calls);
        expect(
          JSON.stringify([lines(job), readFileSync(join(job.out, job.name, "run.json"), "utf8")]),
        ).not.toContain("Bearer");
      } finally {
        await server.close();
      }
    },
    SLOW,
  );
});

describe("stopped and gone on with", () => {
  test.each(["bm25", "hybrid"])(
    "the same seed twice gives the same lines: %s",
    async (preset) => {
      const [first, second] = [
        { ...job, preset, name: "first" },
        { ...job, preset, name: "second" },
      ];
      await runJob(first);
      await runJob(second);
      expect(timeless(second)).toEqual(timeless(first));
    },
    SLOW,
  );

  test(
    "killed half-way, twice, it ends with the results of a run that nothing stopped",
    async () => {
      const whole = { ...job, name: "whole", points: 2 };
      await runJob(whole);
      const cut = { ...job, name: "cut", points: 2 };
      const file = join(cut.out, cut.name, "results.jsonl");
      const count = () => (existsSync(file) ? readFileSync(file, "utf8").split("\n").length - 1 : 0);
      const total = lines(whole).length;
      for (const upTo of [5, 40]) {
        const child = fork(resolve(import.meta.dirname, "run-child.ts"), { stdio: "ignore" });
        const ended = new Promise((done) => child.once("close", done));
        child.send({ job: cut, env: {} });
        while (count() < upTo) await sleep(1);
        child.kill("SIGKILL");
        await ended;
        expect(count()).toBeGreaterThanOrEqual(upTo);
        expect(count()).toBeLessThan(total);
        expect(existsSync(join(cut.out, cut.name, "summary.json"))).toBe(false);
        // What a kill in the middle of a line leaves.
        appendFileSync(file, '{"type":"question","case":"talk-en","text":"Where did 王');
      }
      const summary = await runJob(cut);
      expect(timeless(cut)).toEqual(timeless(whole));
      const reference = JSON.parse(readFileSync(join(whole.out, "whole", "summary.json"), "utf8"));
      expect(summary.overall).toEqual(reference.overall);
      expect(summary.byCategory).toEqual(reference.byCategory);
      // And once more: there is nothing left to do.
      const again = readFileSync(file, "utf8");
      // Where it ran and what it took stays what it was when it ran, not what reading it again took.
      const elsewhere = { ...summary, version: "0.0.1", cost: { ...summary.cost, peakMemoryMb: 12_345.6 } };
      writeFileSync(join(cut.out, cut.name, "summary.json"), JSON.stringify(elsewhere));
      expect(await runJob(cut)).toEqual(elsewhere);
      expect(readFileSync(file, "utf8")).toBe(again);
    },
    SLOW,
  );

  test("a signal stops it between two questions, and leaves no memory behind", async () => {
    const temporary = join(folder, "temporary");
    mkdirSync(temporary);
    vi.stubEnv("TMPDIR", temporary);
    const stop = new AbortController();
    const onProgress = ({ done }: RunProgress) => {
      expect(readdirSync(temporary).length).toBeLessThanOrEqual(1);
      if (done.questions >= 10) stop.abort();
    };
    await expect(runJob(job, { signal: stop.signal, onProgress })).rejects.toMatchObject({ code: "aborted" });
    expect(lines(job).filter(({ type }) => type === "question")).toHaveLength(10);
    expect(readdirSync(temporary)).toEqual([]);
    await runJob(job);
    expect(lines(job)).toHaveLength(50);
  });

  test.each<[string, Partial<Job>, RegExp]>([
    ["seed", { seed: 8 }, /seed was 7, is 8/],
    ["hits", { ks: [10] }, /ks was \[1,5\], is \[10\]/],
    ["points", { points: 2 }, /points was 1, is 2/],
    ["cases", { limit: { cases: 1 } }, /cases was null, is 1/],
    ["options", { overrides: { "service.top_k": 3 } }, /preset was "[0-9a-f]{8}…", is "[0-9a-f]{8}…"/],
  ])("other arguments under the same name are refused: %s", async (_, more, says) => {
    await runJob(job);
    const before = timeless(job);
    const refusal = runJob({ ...job, ...more });
    await expect(refusal).rejects.toMatchObject({ code: "name_taken", message: expect.stringMatching(says) });
    await expect(refusal).rejects.toThrow("--fresh");
    expect(timeless(job)).toEqual(before);
    await runJob({ ...job, ...more, fresh: true });
    await runJob({ ...job, ...more });
    await expect(runJob(job)).rejects.toMatchObject({ code: "name_taken" });
  });

  test("other data under the same name is refused, too", async () => {
    await runJob(job);
    writeSmallLocomo(folder, 11);
    await expect(runJob(job)).rejects.toThrow(/dataset was "[0-9a-f]{8}…"/);
  });

  test("two processes do not write one run; one that died has let go", async () => {
    await runJob(job);
    const lock = join(job.out, job.name, "run.lock");
    expect(existsSync(lock)).toBe(false);
    writeFileSync(lock, String(process.ppid));
    await expect(runJob(job)).rejects.toMatchObject({ code: "locked" });
    const before = timeless(job);
    await expect(runJob({ ...job, fresh: true })).rejects.toMatchObject({ code: "locked" });
    expect(timeless(job)).toEqual(before);
    writeFileSync(lock, "4194305");
    await runJob(job);
  });
});

test("a folder that cannot be written to is told as such, and so is a name that is none", async () => {
  const out = join(folder, "a file");
  writeFileSync(out, "");
  await expect(runJob({ ...job, out })).rejects.toMatchObject({
    code: "storage_io",
    message: expect.stringMatching(/a file.*cannot be written to.*--out/),
  });
  await expect(runJob({ ...job, name: "..", fresh: true })).rejects.toMatchObject({ code: "input_invalid" });
  expect(existsSync(out)).toBe(true);
});

describe("many runs", () => {
  test(
    "each in a process of its own; one that fails stops no other",
    async () => {
      const jobs = [
        { ...job, name: "a" },
        { ...job, name: "b", overrides: { "service.no_such": 1 } },
        { ...job, name: "c", limit: { cases: 1 } },
      ];
      const progress: number[] = [];
      const outcomes = await runJobs(jobs, { jobs: 2, onProgress: ({ done }) => progress.push(done) });
      expect(outcomes.map((one) => ("summary" in one ? one.summary.dataset.cases : one.error.code))).toEqual([
        2,
        expect.stringMatching(/unknown_name|option_invalid/),
        1,
      ]);
      await runJob({ ...job, name: "here" });
      expect(timeless({ ...job, name: "a" })).toEqual(timeless({ ...job, name: "here" }));
      expect(progress.at(-1)).toBe(72 + 48 + 36 + 36);
    },
    SLOW,
  );

  test(
    "stopped, they end; the same jobs go on",
    async () => {
      const stop = new AbortController();
      const jobs = ["a", "b"].map((name) => ({ ...job, name }));
      const outcomes = await runJobs(jobs, {
        signal: stop.signal,
        onProgress: ({ done }) => done > 0 && stop.abort(),
      });
      expect(outcomes.map((one) => ("error" in one ? one.error.code : "through"))).toEqual([
        "aborted",
        "aborted",
      ]);
      const again = await runJobs(jobs);
      expect(again.every((one) => "summary" in one)).toBe(true);
      expect(timeless({ ...job, name: "a" })).toEqual(timeless({ ...job, name: "b" }));
    },
    SLOW,
  );

  test("two runs of one name are refused before anything is run", async () => {
    await expect(runJobs([job, job])).rejects.toMatchObject({ code: "name_taken" });
    expect(existsSync(job.out)).toBe(false);
  });
});

test("a run is called by its preset, its data set and its model", () => {
  expect(runName("hybrid", "locomo10")).toBe("hybrid__locomo10");
  expect(runName("table/scm", "数据")).toBe("table-scm__数据");
  expect(runName("./mine/my design.yaml", "d", "openai:gpt-4.1-mini")).toBe(
    "my-design__d__openai-gpt-4.1-mini",
  );
});
