/** What did it cost, and how does it grow? Time, tokens, calls, money and room, each in its own unit, never mixed into one score. */
import type { ModelUse } from "../result.ts";
import { bytes, count, milliseconds, money, NOTHING, percentInterval } from "./figures.ts";
import type { Group, NamedRun } from "./group-runs.ts";
import { runColumn, tokensMeasure } from "./quality-tables.ts";
import { type Cell, type MeasureColumn, measureColumn, type Table, tableOf } from "./table.ts";

export function costTable({ runs, measures }: Group): Table {
  const tokens = tokensMeasure(measures);
  const plain = (head: string, cell: (run: NamedRun) => Cell): MeasureColumn => ({
    head,
    cells: runs.map(cell),
  });
  const cost = (head: string, of: (cost: NamedRun["summary"]["cost"]) => number, text: Write) =>
    plain(head, ({ summary }) => cellOf(of(summary.cost), text));
  return {
    title: "Cost",
    note: "Times are of this machine, a query's without any model's answer. Nothing here is bold: times have no interval over questions.",
    ...tableOf(runColumn(runs), [
      ...(measures.includes(tokens)
        ? [
            measureColumn(
              tokens,
              runs.map(({ summary }) => summary.overall[tokens]),
            ),
          ]
        : []),
      plain("tokens of the prompt's block", contextTokens),
      cost("build", ({ buildMs }) => buildMs, milliseconds),
      cost("build per turn", ({ msPerTurn }) => msPerTurn, milliseconds),
      cost("query p50", ({ queryMsP50 }) => queryMsP50, milliseconds),
      cost("query p95", ({ queryMsP95 }) => queryMsP95, milliseconds),
      cost("on disk", ({ bytesOnDisk }) => bytesOnDisk, bytes),
      cost(
        "peak memory",
        ({ peakMemoryMb }) => peakMemoryMb,
        (value) => `${count(value)} MB`,
      ),
      cost("entries", ({ entries }) => entries, count),
      ...modelColumns("build", ({ summary }) => summary.cost.build, runs),
      ...modelColumns("query", ({ summary }) => summary.cost.query, runs),
    ]),
  };
}

/** Where the time went, by stage. */
export function stageTable({ runs }: Group): Table | undefined {
  const stages = [...new Set(runs.flatMap(({ summary }) => Object.keys(summary.cost.stagesMs)))];
  if (stages.length === 0) return undefined;
  return {
    title: "Time by stage",
    note: "On average: of stages that write, for one turn; of stages that read, for one question.",
    isFolded: true,
    ...tableOf(
      runColumn(runs),
      stages.map((stage) => ({
        head: stage,
        cells: runs.map(({ summary }) => {
          const spent = summary.cost.stagesMs[stage];
          return spent === undefined ? { text: NOTHING } : cellOf(spent, milliseconds);
        }),
      })),
    ),
  };
}

/** One row for every point of every stream. */
export function growthTable({ runs, main }: Group): Table | undefined {
  if (!runs.some(hasGrowth)) return undefined;
  return {
    title: "Growth",
    note: "The questions whose evidence has been said are asked again at every point of the stream, so their number grows with it.",
    isFolded: true,
    head: ["preset", "point", "turns", main ?? "measure", "questions", "entries", "on disk", "query p50"],
    rows: runs.filter(hasGrowth).flatMap(({ label, colour, summary }) =>
      summary.byPoint.map((at): Cell[] => {
        const estimate = main === undefined ? undefined : at.overall[main];
        return [
          { text: label, colour },
          cellOf(at.point, count),
          cellOf(at.turns, count),
          estimate === undefined
            ? { text: NOTHING }
            : { text: percentInterval(estimate), value: estimate.mean },
          estimate === undefined ? { text: NOTHING } : cellOf(estimate.count, count),
          cellOf(at.entries, count),
          cellOf(at.bytes, bytes),
          cellOf(at.queryMsP50, milliseconds),
        ];
      }),
    ),
  };
}

export function hasGrowth({ summary }: NamedRun): boolean {
  return summary.byPoint.length > 1;
}

type Write = (value: number) => string;

function cellOf(value: number, write: Write): Cell {
  return { text: write(value), value };
}

/** The mean over the questions for which the design writes a block. */
function contextTokens({ questions }: NamedRun): Cell {
  const known = questions.map((line) => line.contextTokens).filter((tokens) => tokens !== null);
  if (known.length === 0) return { text: NOTHING };
  return cellOf(known.reduce((sum, tokens) => sum + tokens, 0) / known.length, count);
}

/** No columns of noughts where no model was asked. */
function modelColumns(
  when: string,
  use: (run: NamedRun) => ModelUse,
  runs: readonly NamedRun[],
): MeasureColumn[] {
  const uses = runs.map(use);
  const calls = { head: `${when} calls`, cells: uses.map((one) => cellOf(one.calls, count)) };
  if (uses.every((one) => one.calls === 0)) return [calls];
  return [
    calls,
    { head: `${when} tokens in`, cells: uses.map((one) => cellOf(one.inputTokens, count)) },
    { head: `${when} tokens out`, cells: uses.map((one) => cellOf(one.outputTokens, count)) },
    { head: `${when} $`, cells: uses.map((one) => ({ text: money(one), value: one.usd ?? undefined })) },
  ];
}
