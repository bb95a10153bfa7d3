/** Designs over evaluation data: which runs are meant, each in a process of its own, and what came of them. */
import { resolve } from "node:path";
import { ERROR_KINDS, MemoryError } from "../../base/errors.ts";
import { findDatasets } from "../../lab/datasets/find-datasets.ts";
import { openDataset } from "../../lab/datasets/open-dataset.ts";
import { writeReport } from "../../lab/report/write-report.ts";
import type { RunSummary } from "../../lab/result.ts";
import { type Job, runName } from "../../lab/run/job.ts";
import { type JobOutcome, runJobs } from "../../lab/run/run-jobs.ts";
import { openNamedModel } from "../../models/named-model.ts";
import { listPresets, loadPreset } from "../../preset/load.ts";
import { benchTables } from "../bench-table.ts";
import { cacheFolder } from "../cache-folder.ts";
import type { Given } from "../command.ts";
import { onInterrupt } from "../interrupt.ts";
import { hitCounts, wholeFromZero, wholeNumber } from "../option-values.ts";
import type { Progress } from "../progress.ts";
import type { Terminal } from "../terminal.ts";

const USUAL_PRESETS = ["neuromem", "hybrid", "bm25", "dense"];
const STEPS = { en: "turns and questions", zh: "轮对话和问题" };
const STOPPING = {
  en: "Stopping; what was asked is written down, and the same command goes on from there. Ctrl-C again: at once.",
  zh: "正在停止；已问的都已写下，再次运行同一命令即继续。再按 Ctrl-C 立即停止。",
};

export async function runBench(given: Given, terminal: Terminal): Promise<number> {
  const jobs = await jobsOf(given, terminal);
  const out = jobs[0]?.out ?? "";
  const outcomes = await underway(jobs, wholeNumber(given, "jobs") ?? 1, terminal);
  const summaries = outcomes.flatMap((one) => ("summary" in one ? [one.summary] : []));
  const failed = outcomes.flatMap((one) => ("error" in one ? [one] : []));
  const report = summaries.length === 0 ? null : await writeReport(out);
  terminal.give({
    out,
    report: report === null ? null : { html: report.html, markdown: report.markdown },
    runs: summaries,
    failed: failed.map(({ job, error: { code, message, details } }) => ({
      run: job.name,
      code,
      message,
      details,
    })),
  });
  tell(summaries, out, report?.html, terminal);
  tellReused(
    outcomes.flatMap((one) => ("summary" in one && one.isReused ? [one.job.name] : [])),
    terminal,
  );
  return exitCode(failed.map(({ error }) => error));
}

/** Everything that can be wrong with the arguments is told before the first run begins. */
async function jobsOf(given: Given, { env }: Terminal): Promise<Job[]> {
  const presets = await presetsOf(given);
  for (const preset of presets) await loadPreset(preset);
  const models = namesOf(given, "model");
  const baseUrl = given.text("base-url");
  if (baseUrl !== undefined && models.length !== 1)
    throw new MemoryError("option_invalid", "--base-url is one server's. Valid: one --model with it.");
  for (const model of models) openNamedModel(model, { env, baseUrl });
  const common = {
    ...{
      ks: hitCounts(given),
      points: wholeNumber(given, "points") ?? 1,
      seed: wholeFromZero(given, "seed") ?? 0,
    },
    out: resolve(folderOf(given, "out") ?? ""),
    cache: resolve(folderOf(given, "cache") ?? cacheFolder(env)),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(given.isSet("limit-cases") ? { limit: { cases: wholeNumber(given, "limit-cases") } } : {}),
    ...(given.isSet("fresh") ? { fresh: true } : {}),
  };
  const jobs: Job[] = [];
  for (const dataset of await datasetsOf(given)) {
    const { name } = await openDataset(dataset);
    for (const preset of presets) {
      for (const model of models.length === 0 ? [undefined] : models) {
        const run = { ...common, dataset, preset, name: runName(preset, name, model) };
        jobs.push(model === undefined ? run : { ...run, model });
      }
    }
  }
  return jobs;
}

async function presetsOf(given: Given): Promise<string[]> {
  const named = namesOf(given, "preset");
  if (named.length > 0) return named;
  const known = await listPresets();
  return USUAL_PRESETS.filter((name) => known.includes(name));
}

async function datasetsOf(given: Given): Promise<string[]> {
  const folder = folderOf(given, "data");
  const named = [
    ...given.texts("dataset"),
    ...(folder === undefined ? [] : await findDatasets(resolve(folder))),
  ];
  if (named.length > 0) return [...new Set(named)];
  throw new MemoryError(
    "input_invalid",
    "There is no data set to run on. Valid: --dataset KIND=PATH, as --dataset locomo=locomo10.json, or --data FOLDER.",
  );
}

/** "a,b", each once; who writes the option and names nothing did not mean what holds without it. */
function namesOf(given: Given, option: string): string[] {
  const names = [...new Set(given.texts(option).flatMap(parts))];
  if (names.length > 0 || given.texts(option).length === 0) return names;
  throw new MemoryError("option_invalid", `--${option} names nothing. Valid: a name, or several as A,B.`);
}

/** An empty name would be the folder one happens to be in. */
function folderOf(given: Given, option: string): string | undefined {
  const folder = given.text(option);
  if (folder?.trim() !== "") return folder;
  throw new MemoryError("option_invalid", `--${option} names nothing. Valid: the path of a folder.`);
}

function parts(text: string): string[] {
  return text
    .split(/[,，、\s]/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

async function underway(jobs: readonly Job[], atOnce: number, terminal: Terminal): Promise<JobOutcome[]> {
  const interrupt = onInterrupt(() => undefined);
  interrupt.signal.addEventListener("abort", () => terminal.note(terminal.text(STOPPING)));
  let progress: Progress | undefined;
  try {
    return await runJobs(jobs, {
      ...{ jobs: atOnce, signal: interrupt.signal, env: terminal.env },
      onProgress({ done, total, left }) {
        progress ??= terminal.progress(total, STEPS);
        progress.reach(done, total, left);
      },
      onEnd(outcome) {
        if ("summary" in outcome) return;
        const { job, error } = outcome;
        const sentence = { en: `${job.name} failed: `, zh: `${job.name} 失败：` };
        if (error.code !== "aborted")
          terminal.note(terminal.paint("red", terminal.text(sentence)) + error.message);
      },
    });
  } finally {
    progress?.end();
    interrupt.end();
  }
}

function tell(
  summaries: readonly RunSummary[],
  out: string,
  report: string | undefined,
  terminal: Terminal,
): void {
  for (const line of benchTables(summaries, terminal)) terminal.say(line);
  if (report === undefined) return;
  terminal.say(terminal.text({ en: `Results: ${out}`, zh: `结果：${out}` }));
  terminal.say(
    terminal.text({
      en: `Report:  ${report}, tables beside it in report.md`,
      zh: `报告：${report}，表格另见 report.md`,
    }),
  );
}

/** The program may have changed since, which a run does not look at. */
function tellReused(names: readonly string[], terminal: Terminal): void {
  if (names.length === 0) return;
  const all = names.join(", ");
  terminal.note(
    terminal.text({
      en: `Not run again, for it was there: ${all}. --fresh runs it by the program as it is now.`,
      zh: `已有结果，未重新运行：${all}。加 --fresh 用当前程序重新运行。`,
    }),
  );
}

/** Of the first that failed; who was stopped ends as who was stopped. */
function exitCode(errors: readonly MemoryError[]): number {
  const first = errors.find(({ code }) => code === "aborted") ?? errors[0];
  return first === undefined ? 0 : ERROR_KINDS[first.code].exit;
}
