/**
 * What does each part of the flagship bring? The preset as it is and without each part, one run each, on the data sets in a
 * folder; differences are paired by question. With --save the table goes into docs/flagship.md.
 *
 *     npm run bench:flagship -- --data DIR [--kinds locomo,multihop] [--out DIR] [--save]
 */
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { cacheFolder } from "../../src/cli/cache-folder.ts";
import { findDatasets, openDataset, runJobs, runName } from "../../src/lab/index.ts";
import { compareRuns } from "../../src/lab/report/compare-runs.ts";
import { readRun } from "../../src/lab/report/read-runs.ts";
import type { Run } from "../../src/lab/report/run.ts";
import { saveSection } from "../report.ts";
import { PARTS, type Part } from "./parts.ts";

const PRESET = "neuromem";
const DOCS = new URL("../../docs/flagship.md", import.meta.url);
/** Data set's kind → what its column measures. */
const MEASURES: Readonly<Record<string, string>> = {
  locomo: "recall@10",
  longmemeval: "recall@10",
  multihop: "recall@5",
  factconsolidation: "newest@3",
  realmem: "recall@10",
};

const { values } = parseArgs({
  options: {
    data: { type: "string" },
    kinds: { type: "string", default: "locomo,multihop" },
    out: { type: "string", default: join(cacheFolder(process.env), "flagship") },
    cache: { type: "string", default: cacheFolder(process.env) },
    save: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help || values.data === undefined) {
  process.stdout.write(
    "npm run bench:flagship -- --data DIR [--kinds locomo,multihop] [--out DIR] [--cache DIR] [--save]\n",
  );
  process.exit(values.help ? 0 : 2);
}
const kinds = values.kinds.split(",");
const specs = (await findDatasets(resolve(values.data))).filter((spec) =>
  kinds.includes(spec.split("=", 1)[0] ?? ""),
);
const columns: { readonly title: string; readonly cells: readonly string[]; readonly base: string }[] = [];
for (const spec of specs) {
  const { kind, name } = await openDataset(spec);
  const measure = MEASURES[kind] ?? "recall@10";
  const job = (called: string, { without: overrides, file }: Partial<Part> = {}) => ({
    ...{ dataset: spec, name: called, preset: file === undefined ? PRESET : join(import.meta.dirname, file) },
    ...{ ks: [3, 5, 10, 20], points: 1, seed: 7 },
    ...{
      out: resolve(values.out),
      cache: resolve(values.cache),
      ...(overrides === undefined ? {} : { overrides }),
    },
  });
  const jobs = [
    job(runName(PRESET, name)),
    ...PARTS.map((part) => job(runName(`${PRESET}-${part.name}`, name), part)),
  ];
  const outcomes = await runJobs(jobs, { jobs: 2 });
  for (const outcome of outcomes) if ("error" in outcome) throw outcome.error;
  const [base, ...others] = await Promise.all(
    jobs.map(({ out, name: folder }) => readRun(join(out, folder))),
  );
  if (base === undefined) continue;
  const value = base.summary.overall[measure];
  columns.push({
    title: `${name}, ${measure}`,
    base: value === undefined ? "–" : `${percent(value.mean)} (${percent(value.low)}–${percent(value.high)})`,
    cells: others.map((other) => cell(base, other, measure)),
  });
}
const table = [
  `| without | ${columns.map(({ title }) => title).join(" | ")} |`,
  `| --- |${" ---: |".repeat(columns.length)}`,
  `| nothing: the preset as it is | ${columns.map(({ base }) => base).join(" | ")} |`,
  ...PARTS.map(
    ({ what }, place) => `| ${what} | ${columns.map(({ cells }) => cells[place] ?? "–").join(" | ")} |`,
  ),
].join("\n");
process.stdout.write(`${table}\n`);
if (values.save) await saveSection(DOCS, "ablation", table);

/** In points, with the interval; in bold where it leaves 0 out. */
function cell(base: Run, other: Run, measure: string): string {
  const { difference, isTold } = compareRuns(base, other, measure).overall;
  const text = `${signed(difference.mean)} (${signed(difference.low)} to ${signed(difference.high)})`;
  return isTold ? `**${text}**` : text;
}

function percent(share: number): string {
  return (100 * share).toFixed(1);
}

function signed(share: number): string {
  const points = percent(Math.abs(share));
  return share < 0 && Number(points) !== 0 ? `−${points}` : `+${points}`;
}
