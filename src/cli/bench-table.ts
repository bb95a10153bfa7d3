/** What came of the runs, for a terminal: a table for each data set, never one over several. */
import { milliseconds, NOTHING, percentInterval } from "../lab/report/figures.ts";
import { comparedK, mainMeasure, numbersOf } from "../lab/report/measure-names.ts";
import type { RunSummary } from "../lab/result.ts";
import type { Terminal } from "./terminal.ts";
import { padEnd, widthOf } from "./text-width.ts";

/** Behind recall, those that were measured, so many columns in all: more do not fit beside each other. */
const BESIDE = ["newest", "turns", "mrr", "sessions", "contains"];
const COLUMNS = 6;

export function benchTables(summaries: readonly RunSummary[], terminal: Terminal): string[] {
  const groups = Map.groupBy(summaries, ({ dataset: { hash, cases } }) => `${hash} ${cases}`);
  return [...groups.values()].flatMap((runs) => [...tableOf(runs, terminal), ""]);
}

function tableOf(runs: readonly RunSummary[], { text, paint }: Terminal): string[] {
  const [first] = runs;
  if (first === undefined) return [];
  const { kind, name, cases, turns, questions } = first.dataset;
  const title = text({
    en: `${kind} ${name}: ${cases} cases, ${turns} turns, ${questions} questions`,
    zh: `${kind} ${name}：${cases} 个案例，${turns} 轮对话，${questions} 个问题`,
  });
  const measures = measuresOf(runs);
  const main = mainMeasure(measures) ?? measures[0] ?? "";
  const mean = ({ overall }: RunSummary): number => overall[main]?.mean ?? Number.NEGATIVE_INFINITY;
  const head = [
    text({ en: "preset", zh: "预设" }),
    ...measures,
    text({ en: "per question", zh: "每个问题" }),
    text({ en: "per turn", zh: "每轮对话" }),
  ];
  const rows = runs
    .toSorted((a, b) => mean(b) - mean(a))
    .map(({ preset, models, overall, cost }) => [
      models.chat === null ? preset.name : `${preset.name} + ${models.chat}`,
      ...measures.map((measure) => (overall[measure] ? percentInterval(overall[measure]) : NOTHING)),
      milliseconds(cost.queryMsP50),
      milliseconds(cost.msPerTurn),
    ]);
  const widths = head.map((_, place) =>
    Math.max(...[head, ...rows].map((cells) => widthOf(cells[place] ?? ""))),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, place) => padEnd(cell, widths[place] ?? 0))
      .join("  ")
      .trimEnd();
  return [paint("bold", title), paint("dim", line(head)), ...rows.map(line)];
}

function measuresOf(runs: readonly RunSummary[]): string[] {
  const names = [...new Set(runs.flatMap(({ overall }) => Object.keys(overall)))].filter((name) =>
    runs.some(({ overall }) => (overall[name]?.count ?? 0) > 0),
  );
  const k = comparedK(names);
  const recalls = numbersOf(names, "recall@").map((one) => `recall@${one}`);
  const beside = BESIDE.flatMap((name) => [`${name}@${k}`, name].find((one) => names.includes(one)) ?? []);
  return [...recalls, ...beside].slice(0, Math.max(COLUMNS, recalls.length));
}
