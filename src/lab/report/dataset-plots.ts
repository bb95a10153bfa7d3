/** Which plots does a data set get? Recall for what it shows, quality for what it costs, kinds of questions, and growth. */
import type { Estimate } from "../result.ts";
import { drawCategories } from "./category-plot.ts";
import { hasGrowth } from "./cost-tables.ts";
import { bytes, count, milliseconds, percent, percentInterval } from "./figures.ts";
import type { Group, NamedRun } from "./group-runs.ts";
import { isCount, numbersOf } from "./measure-names.ts";
import { drawPlot, type PlotPoint, type PlotScale } from "./plot.ts";
import { categoriesOf, tokensMeasure } from "./quality-tables.ts";

/** More than these cannot be told apart in one plot; the tables have them all. */
export const MOST_DRAWN = 8;

/** Its best runs, drawn; what there is nothing to draw of is left out. */
export function datasetPlots(group: Group): string[] {
  const { main } = group;
  const runs = group.runs.slice(0, MOST_DRAWN);
  return [
    curve("Recall in a budget", "recall_in_", "tokens", group, runs),
    curve("Recall by number of hits", "recall@", "hits (K)", group, runs),
    ...(main === undefined || isCount(main) ? [] : costPlots(main, group, runs)),
    main === undefined ? "" : drawCategories(main, categoriesOf(group).answered, runs),
    ...(main === undefined ? [] : growthPlots(main, runs)),
  ].filter((plot) => plot !== "");
}

function curve(
  title: string,
  before: string,
  label: string,
  group: Group,
  runs: readonly NamedRun[],
): string {
  const numbers = numbersOf(group.measures, before);
  if (numbers.length < 2) return "";
  return drawPlot({
    title,
    x: { label, write: count, scale: "log", ticks: numbers },
    y: { label: `${before === "recall@" ? "recall@K" : "recall_in_N"}, per cent`, ...shares },
    hasLines: true,
    series: runs.map(({ summary, label: run, colour }) => ({
      colour,
      points: numbers.flatMap((x) => pointAt(x, summary.overall[`${before}${x}`], `${run}, ${before}${x}`)),
    })),
  });
}

/** What has no price, or costs nothing, has no place on a scale of ratios. */
function costPlots(main: string, { measures }: Group, runs: readonly NamedRun[]): string[] {
  const tokens = tokensMeasure(measures);
  const costs: readonly Cost[] = [
    {
      label: `tokens of the hits (${tokens})`,
      of: ({ summary }) => summary.overall[tokens]?.mean,
      write: count,
    },
    { label: "query, median", of: ({ summary }) => summary.cost.queryMsP50, write: milliseconds },
    { label: "build, per turn", of: ({ summary }) => summary.cost.msPerTurn, write: milliseconds },
    {
      label: "money, build and queries",
      of: ({ summary: { cost } }) =>
        cost.build.usd === null || cost.query.usd === null ? undefined : cost.build.usd + cost.query.usd,
      write: (value) => `$${Number(value.toPrecision(2))}`,
    },
  ];
  // One point alone compares nothing.
  const compared = costs.filter(({ of }) => runs.filter((run) => (of(run) ?? 0) > 0).length > 1);
  return compared.map(({ label, of, write }) =>
    drawPlot({
      title: "Quality for its cost",
      x: { label, write, scale: "log" },
      y: { label: `${main}, per cent`, ...shares },
      hasLines: false,
      series: runs.map((run) => {
        const [x, estimate] = [of(run), run.summary.overall[main]];
        const isDrawn = x !== undefined && x > 0;
        return {
          colour: run.colour,
          points: isDrawn ? pointAt(x, estimate, `${run.label}, ${write(x)}, ${main}`) : [],
        };
      }),
    }),
  );
}

interface Cost {
  readonly label: string;
  readonly of: (run: NamedRun) => number | undefined;
  readonly write: (value: number) => string;
}

function growthPlots(main: string, runs: readonly NamedRun[]): string[] {
  const growing = runs.filter(hasGrowth);
  const drawn = (label: string, scale: Omit<PlotScale, "label">, point: Drawn): string =>
    drawPlot({
      title: "Growth",
      x: { label: "turns said", write: count, scale: "zero" },
      y: { label, ...scale },
      hasLines: true,
      series: growing.map((run) => ({
        colour: run.colour,
        points: run.summary.byPoint.flatMap((at) => point(at, run.label)),
      })),
    });
  const plain = (label: string, write: (value: number) => string, of: (at: AtPoint) => number): string =>
    drawn(label, { write, scale: "zero" }, (at, run) => {
      const y = of(at);
      return [{ x: at.turns, y, says: `${run}, after ${count(at.turns)} turns: ${write(y)}` }];
    });
  return [
    drawn(`${main}, per cent`, shares, (at, run) =>
      pointAt(at.turns, at.overall[main], `${run}, after ${count(at.turns)} turns, ${main}`),
    ),
    plain("entries", count, ({ entries }) => entries),
    plain("on disk", bytes, (at) => at.bytes),
    plain("query, median", milliseconds, ({ queryMsP50 }) => queryMsP50),
  ];
}

type AtPoint = NamedRun["summary"]["byPoint"][number];
type Drawn = (at: AtPoint, run: string) => PlotPoint[];

const shares: Omit<PlotScale, "label"> = {
  write: (share) => percent(share).replace(/\.0$/, ""),
  scale: "near",
};

function pointAt(x: number, estimate: Estimate | undefined, says: string): PlotPoint[] {
  if (estimate === undefined) return [];
  const { mean, low, high } = estimate;
  return [{ x, y: mean, low, high, says: `${says}: ${percentInterval(estimate)}, n ${estimate.count}` }];
}
