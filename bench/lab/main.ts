/**
 * `npm run bench:lab -- --data DIR`: how well do the designs remember, with no model? DIR (or NEUROMEM_DATA) holds the
 * evaluation data, which is no part of the project; data sets are found in it by their content. What was run is kept in --out,
 * so that the same command goes on where it was stopped, and makes the tables of finished runs without running anything again.
 *
 *   -- --only locomo,facts    some sections only: locomo, budget, longmemeval, musique, hotpotqa, facts, realmem, graph, time
 *   -- --presets mem0,biem    these designs in every section, in place of its own
 *   -- --limit-cases 1        a quick look: so many cases of each data set
 *   -- --jobs 2               runs at once; more than one makes the times of each longer
 *   -- --fresh                throws away what earlier runs of the same sections and designs left
 *   -- --out DIR --cache DIR  where runs and vectors are kept; else in the user's cache folder
 *   -- --json                 one JSON object on stdout, {"rows":[{"what","value","bar","met"}],"runs":[…]}
 *   -- --save                 rewrites what docs/benchmarks.md has of these sections; one of which a run failed stays as it was
 */
import { join } from "node:path";
import { onInterrupt } from "../../src/cli/interrupt.ts";
import { findDatasets } from "../../src/lab/datasets/find-datasets.ts";
import { count, milliseconds, percentInterval } from "../../src/lab/report/figures.ts";
import { dataKey } from "../../src/lab/report/group-runs.ts";
import { readRun } from "../../src/lab/report/read-runs.ts";
import { writeReport } from "../../src/lab/report/write-report.ts";
import type { RunSummary } from "../../src/lab/result.ts";
import type { Job } from "../../src/lab/run/job.ts";
import { type JobOutcome, runJobs } from "../../src/lab/run/run-jobs.ts";
import { listPresets } from "../../src/preset/load.ts";
import { isMet, type Row, saveSection, toJson } from "../report.ts";
import { barRows, type Ran } from "./bars.ts";
import { graphRows } from "./graph-check.ts";
import { type LabOptions, readOptions } from "./options.ts";
import { type LabPart, partText } from "./page-text.ts";
import { FLAGSHIP, jobsOf, SECTIONS, specsFor } from "./sections.ts";
import { wholeRunRow } from "./whole-run.ts";

const PAGE = new URL("../../docs/benchmarks.md", import.meta.url);
const SAID_EVERY_MS = 30_000;

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const packaged = await listPresets();
const { sections, choice, ...options } = optionsOrEnd();
const specs = await findDatasets(options.data);
const plans = SECTIONS.filter(({ name }) => sections.includes(name)).map((section) => ({
  section,
  jobs: jobsOf(section, specs, choice),
}));
const missing = plans.filter(({ jobs }) => jobs.length === 0).map(({ section }) => section.title);
if (missing.length > 0) say(`Left out, for there is no data: ${missing.join(", ")}.`);
const timed = sections.includes("time") ? timedJobs() : [];

const interrupt = onInterrupt(() => undefined);
const outcomes = await run([...plans.flatMap(({ jobs }) => jobs), ...timed]);
const summaries = new Map(
  outcomes.flatMap((one) => ("summary" in one ? [[folderOf(one.job), one.summary] as const] : [])),
);
const failed = outcomes.length - summaries.size;
const ran = ranRuns();
const bars = (name: string): Row[] => barRows(ran.filter(({ section }) => section === name));
const parts: LabPart[] = [...(await sectionParts()), ...(interrupt.signal.aborted ? [] : await otherParts())];
interrupt.end();

for (const folder of new Set(outcomes.flatMap((one) => ("summary" in one ? one.job.out : []))))
  say(`Report: ${(await writeReport(folder)).html}`);
const rows = parts.flatMap((part) => part.rows);
const missed = rows.filter((row) => !isMet(row)).length;
say(`${rows.length} rows, ${missed === 0 ? "all bars met" : `${missed} missed`}; ${failed} runs failed`);
const data = { ...JSON.parse(toJson(rows)), runs: [...summaries.values()] };
process.stdout.write(`${options.json ? JSON.stringify(data) : parts.map(partText).join("\n\n")}\n`);
if (failed > 0) process.exitCode = 1;
for (const part of options.save ? parts : []) {
  if (part.isWhole) await saveSection(PAGE, `laboratory-${part.name}`, partText(part));
  else say(`${part.name} is not saved: its tables would not be whole.`);
}

async function run(jobs: readonly Job[]): Promise<JobOutcome[]> {
  // Two sections may want the same run.
  const once = [...new Map(jobs.map((job) => [folderOf(job), job])).values()];
  say(`${once.length} runs, kept in ${choice.out}`);
  let [done, saidAt] = [0, performance.now()];
  return await runJobs(once, {
    ...{ jobs: options.jobs, signal: interrupt.signal },
    onProgress({ done: steps, total, left }) {
      if (performance.now() - saidAt < SAID_EVERY_MS) return;
      saidAt = performance.now();
      const rest = left === undefined ? "" : `, ${milliseconds(left)} left`;
      say(`  ${count(steps)} of ${count(total)} turns and questions${rest}`);
    },
    onEnd: (outcome) => say(`${++done}/${once.length} ${outcomeText(outcome)}`),
  });
}

function outcomeText(outcome: JobOutcome): string {
  const { name, ks } = outcome.job;
  if ("error" in outcome) return `${name} failed: ${outcome.error.message}`;
  const { overall, cost } = outcome.summary;
  const measure = `recall@${ks.includes(10) ? 10 : Math.max(...ks)}`;
  const value = overall[measure];
  const figure = value === undefined ? "" : `${measure} ${percentInterval(value)}, `;
  return `${name}: ${figure}${milliseconds(cost.msPerTurn)} a turn, ${milliseconds(cost.queryMsP50)} a question`;
}

/** By section and data set. */
function ranRuns(): Ran[] {
  return plans.flatMap(({ section, jobs }) => {
    const finished = jobs.flatMap((job): RunSummary[] => {
      const summary = summaries.get(folderOf(job));
      return summary === undefined ? [] : [summary];
    });
    const groups = Map.groupBy(finished, ({ dataset }) => dataKey(dataset)).values();
    return [...groups].map((same) => ({ section: section.name, summaries: same }));
  });
}

async function sectionParts(): Promise<LabPart[]> {
  const made: LabPart[] = [];
  for (const { section, jobs } of plans) {
    const finished = jobs.map(folderOf).filter((folder) => summaries.has(folder));
    const runs = await Promise.all(finished.map(readRun));
    const isWhole = jobs.length > 0 && finished.length === jobs.length;
    made.push({ name: section.name, rows: bars(section.name), section: { section, runs }, isWhole });
  }
  return made;
}

function timedJobs(): Job[] {
  const [locomo] = SECTIONS;
  return locomo === undefined ? [] : jobsOf(locomo, specs, { ...choice, presets: [FLAGSHIP] });
}

/** What no summary tells. */
async function otherParts(): Promise<LabPart[]> {
  const made: LabPart[] = [];
  const musique = SECTIONS.filter(({ name }) => name === "musique").flatMap((one) => specsFor(one, specs));
  if (sections.includes("graph")) {
    const graph: Row[] = [];
    say("the graph on recorded triples …");
    for (const spec of musique) graph.push(...(await graphRows(spec, choice)));
    made.push({ name: "graph", rows: graph, isWhole: graph.length > 0 });
  }
  if (sections.includes("time")) {
    const times: Row[] = [];
    for (const job of timed) {
      const summary = summaries.get(folderOf(job));
      if (summary === undefined) continue;
      say(`${job.name} with cached vectors …`);
      times.push(await wholeRunRow(job, summary, { signal: interrupt.signal }));
    }
    made.push({ name: "time", rows: times, isWhole: times.length > 0 && times.length === timed.length });
  }
  return made;
}

function folderOf({ out, name }: Job): string {
  return join(out, name);
}

function optionsOrEnd(): LabOptions {
  try {
    return readOptions(process.argv.slice(2), process.env, packaged);
  } catch (error) {
    return end(error instanceof Error ? error.message : String(error));
  }
}

function end(message: string): never {
  say(message);
  process.exit(2);
}
