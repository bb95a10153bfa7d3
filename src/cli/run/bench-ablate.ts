/** One part of a design replaced at a time: the plan, then what each replacement changes, with its interval. */
import { join, resolve } from "node:path";
import { ERROR_KINDS, MemoryError } from "../../base/errors.ts";
import { validNames } from "../../base/nearest-name.ts";
import { type AblationPlan, planAblation } from "../../lab/ablation/plan-ablation.ts";
import { type Ablation, type AblationRow, runAblation } from "../../lab/ablation/run-ablation.ts";
import { DIMENSIONS, type Dimension } from "../../lab/ablation/run-name.ts";
import { openDataset } from "../../lab/datasets/open-dataset.ts";
import {
  countDifference,
  countInterval,
  milliseconds,
  percentInterval,
  pointsInterval,
} from "../../lab/report/figures.ts";
import { isCount } from "../../lab/report/measure-names.ts";
import { writeReport } from "../../lab/report/write-report.ts";
import { benchUnderway } from "../bench-underway.ts";
import { cacheFolder } from "../cache-folder.ts";
import type { Given } from "../command.ts";
import { hitCounts, list, wholeFromZero, wholeNumber } from "../option-values.ts";
import type { Terminal } from "../terminal.ts";
import { padEnd, widthOf } from "../text-width.ts";

const STEPS = { en: "turns and questions", zh: "轮对话与问题" };

export async function ablate(given: Given, terminal: Terminal): Promise<number> {
  const out = resolve(given.text("out") ?? "");
  const plan = await planAblation(given.text("preset") ?? "", {
    folder: join(out, "presets"),
    dimensions: dimensionsOf(given),
  });
  if (given.isSet("plan-only")) {
    terminal.give(planData(plan));
    sayPlan(plan, terminal);
    return 0;
  }
  const dataset = given.text("dataset");
  if (dataset === undefined)
    throw new MemoryError(
      "option_invalid",
      "--dataset is missing. Valid: --dataset KIND=PATH, as locomo=locomo10.json, or --plan-only.",
    );
  // A wrong file is told before anything is planned around it, and its name is part of the runs' names.
  const { name: datasetName } = await openDataset(dataset);
  const ablation = await benchUnderway(terminal, STEPS, ({ signal, reach }) =>
    runAblation(
      plan,
      {
        ...{
          dataset,
          datasetName,
          out,
          points: 1,
          ks: hitCounts(given),
          seed: wholeFromZero(given, "seed") ?? 0,
        },
        ...{ model: given.text("model"), baseUrl: given.text("base-url"), fresh: given.isSet("fresh") },
        cache: resolve(given.text("cache") ?? cacheFolder(terminal.env)),
        limit: { cases: wholeNumber(given, "limit-cases") },
      },
      {
        ...{ signal, env: terminal.env, measures: list(given, "measure"), jobs: wholeNumber(given, "jobs") },
        onProgress: ({ done, total, left }) => reach(done, total, left),
      },
    ),
  );
  const report = await writeReport(out);
  terminal.give({ ...planData(plan), ...ablationData(ablation), report });
  sayAblation(plan, ablation, terminal);
  terminal.say(terminal.paint("dim", report.html));
  const failed = ablation.rows.find(({ error }) => error !== null)?.error;
  return failed == null ? 0 : ERROR_KINDS[failed.code].exit;
}

function dimensionsOf(given: Given): Dimension[] | undefined {
  return list(given, "dimensions")?.map((name) => {
    const found = DIMENSIONS.find((one) => one === name);
    if (found !== undefined) return found;
    throw new MemoryError(
      "option_invalid",
      `--dimensions has "${name}", which is none. ${validNames(name, DIMENSIONS)}`,
    );
  });
}

function planData({ base, variants, misfits, same }: AblationPlan) {
  const run = ({ dimension, label, name, file }: AblationPlan["base"]) => ({ dimension, label, name, file });
  return { base: run(base), variants: variants.map(run), misfits, same };
}

function ablationData({ base, measures, rows }: Ablation) {
  return {
    baseSummary: base,
    measures,
    rows: rows.map(({ planned, run, error, differences, summary }) => ({
      ...{
        dimension: planned.dimension,
        label: planned.label,
        run,
        error: error?.message ?? null,
        differences,
      },
      queryMsP50: summary?.cost.queryMsP50 ?? null,
      msPerTurn: summary?.cost.msPerTurn ?? null,
    })),
  };
}

function sayPlan({ base, variants, misfits, same }: AblationPlan, terminal: Terminal): void {
  const { say, paint, text } = terminal;
  say(paint("bold", base.name));
  for (const dimension of DIMENSIONS) {
    const own = <T extends { readonly dimension: Dimension | null }>(all: readonly T[]) =>
      all.filter((one) => one.dimension === dimension);
    if (own([...variants, ...misfits, ...same]).length === 0) continue;
    say(`\n${paint("bold", dimension)}`);
    for (const { label } of own(same))
      say(paint("dim", `  = ${label} (${text({ en: "the base has it", zh: "基准已是如此" })})`));
    for (const { label } of own(variants)) say(`  ${paint("green", "+")} ${label}`);
    for (const { label, reason } of own(misfits)) say(`  ${paint("yellow", "–")} ${label}: ${reason}`);
  }
  say();
  say(
    text({
      en: `${variants.length} variants to run beside the base; ${misfits.length} do not fit.`,
      zh: `除基准外运行 ${variants.length} 个变体；${misfits.length} 个不适用。`,
    }),
  );
}

function sayAblation(plan: AblationPlan, { base, measures, rows }: Ablation, terminal: Terminal): void {
  const { say, paint, text } = terminal;
  say(paint("bold", `${base.run}  ${base.dataset.name}`));
  for (const name of measures) {
    const value = base.overall[name];
    if (value !== undefined) say(`  ${name} ${(isCount(name) ? countInterval : percentInterval)(value)}`);
  }
  const times = text({
    en: "Times behind the rows: of a question (median) · of a turn written.",
    zh: "行末耗时：每个问题（中位数）· 每写入一轮。",
  });
  say(paint("dim", `  ${times}`));
  const width = Math.max(0, ...rows.map(({ planned }) => widthOf(planned.label)));
  for (const [dimension, some] of Map.groupBy(rows, ({ planned }) => planned.dimension)) {
    say(`\n${paint("bold", String(dimension))}`);
    for (const row of some) sayRow(row, width, terminal);
  }
  for (const { dimension, label, reason } of plan.misfits)
    say(paint("dim", `  – ${dimension} ${label}: ${reason}`));
  const told = rows.filter(({ differences }) => differences.some(({ isTold }) => isTold)).length;
  say();
  say(
    text({
      en: `${told} of ${rows.length} variants differ from the base by more than the interval of some measure; about one comparison in twenty does so by chance.`,
      zh: `${rows.length} 个变体中有 ${told} 个在某项指标上与基准的差异超出区间；约二十次比较中有一次纯属偶然。`,
    }),
  );
}

function sayRow(
  { planned, error, differences, summary }: AblationRow,
  width: number,
  terminal: Terminal,
): void {
  const { say, paint } = terminal;
  if (error !== null || summary === null) {
    say(`  ${padEnd(planned.label, width)}  ${paint("red", error?.message ?? "")}`);
    return;
  }
  const parts = differences.map(({ measure, difference, isTold }) => {
    // More of what is counted is neither better nor worse.
    if (isCount(measure)) return `${measure} ${countDifference(difference)}`;
    const figure = pointsInterval(difference);
    return `${measure} ${isTold ? paint(difference.mean > 0 ? "green" : "red", figure) : figure}`;
  });
  const cost = paint(
    "dim",
    `${milliseconds(summary.cost.queryMsP50)} · ${milliseconds(summary.cost.msPerTurn)}`,
  );
  say(`  ${padEnd(planned.label, width)}  ${parts.join("  ")}  ${cost}`);
}
