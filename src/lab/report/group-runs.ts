/**
 * Which runs may stand in one table? Those of the same data, to the byte and to the number of cases; never others, and nothing is
 * ever averaged over two groups. A run is called by its preset where that tells it apart, and keeps its colour on the whole page.
 */
import { byName, inOrder, mainMeasure } from "./measure-names.ts";
import type { Run } from "./run.ts";

export interface NamedRun extends Run {
  /** Its preset and model; its own name where two runs of a group share those. */
  readonly label: string;
  /** Counts from 0; runs with the same label have the same one in all groups. */
  readonly colour: number;
}

export interface Group {
  /** Unique on a page: "data-1". */
  readonly id: string;
  readonly dataset: Run["summary"]["dataset"];
  /** All that were measured by any of its runs. */
  readonly measures: readonly string[];
  /** What its runs are sorted by, best first. */
  readonly main: string | undefined;
  readonly runs: readonly NamedRun[];
}

export function groupRuns(runs: readonly Run[]): Group[] {
  const groups = [...Map.groupBy(runs, ({ summary: { dataset } }) => dataKey(dataset)).values()];
  const labels = groups.map(labelsOf);
  const colours = new Map([...new Set(labels.flat())].sort(byName).map((label, place) => [label, place]));
  return groups
    .map((members, place): Omit<Group, "id"> | undefined => {
      const [first] = members;
      if (first === undefined) return undefined;
      const measures = inOrder(members.flatMap(({ summary }) => Object.keys(summary.overall)));
      const main = mainMeasure(measures);
      const named = members.map((run, at): NamedRun => {
        const label = labels[place]?.[at] ?? run.summary.run;
        return { ...run, label, colour: colours.get(label) ?? 0 };
      });
      return { dataset: first.summary.dataset, measures, main, runs: named.sort(bestFirst(main)) };
    })
    .filter((group) => group !== undefined)
    .sort((a, b) => byName(a.dataset.name, b.dataset.name))
    .map((group, place) => ({ id: `data-${place + 1}`, ...group }));
}

/** The first cases of a data set are other data than all of them. */
export function dataKey({ hash, cases, questions }: Run["summary"]["dataset"]): string {
  return JSON.stringify([hash, cases, questions]);
}

function labelsOf(members: readonly Run[]): string[] {
  const short = members.map(({ summary: { preset, models } }) =>
    models.chat === null ? preset.name : `${preset.name} + ${models.chat}`,
  );
  return members.map(({ summary }, place) => {
    const label = short[place] ?? summary.run;
    return short.filter((one) => one === label).length > 1 ? summary.run : label;
  });
}

function bestFirst(main: string | undefined): (a: NamedRun, b: NamedRun) => number {
  const value = ({ summary }: NamedRun): number =>
    (main === undefined ? undefined : summary.overall[main]?.mean) ?? Number.NEGATIVE_INFINITY;
  return (a, b) => {
    const [left, right] = [value(a), value(b)];
    return left === right ? byName(a.label, b.label) : right - left;
  };
}
