/** How well was remembered? One data set's tables of measures: in front, by category, apart, corrected, and all of them. */
import type { Estimate } from "../result.ts";
import type { Group, NamedRun } from "./group-runs.ts";
import { byName, comparedK, frontMeasures, inOrder } from "./measure-names.ts";
import { BEST_RULE, type MeasureColumn, measureColumn, type Table, tableOf } from "./table.ts";

export function frontTable(group: Group): Table {
  return {
    title: "Quality",
    note: `Over the questions that expect an answer, in per cent, sorted by ${group.main ?? "name"}. ${BEST_RULE}`,
    ...tableOf(runColumn(group.runs), columns(group.runs, frontMeasures(group.measures), overall)),
  };
}

/** A row for each measure: there are more of them than runs. */
export function allMeasuresTable({ runs, measures }: Group): Table {
  return {
    title: "All measures",
    isFolded: true,
    head: ["measure", ...runs.map(({ label }) => label)],
    rows: measures.map((name) => {
      const { head, cells } = measureColumn(name, runs.map(overall(name)));
      return [{ text: head }, ...cells];
    }),
  };
}

/** The main measure, a column for each category whose questions expect an answer. */
export function categoryTable(group: Group): Table | undefined {
  const { main, runs } = group;
  const { answered } = categoriesOf(group);
  if (main === undefined || answered.length < 2) return undefined;
  const cells = answered.map((category) => {
    const { head, cells: inside } = measureColumn(
      category,
      runs.map(({ summary }) => summary.byCategory[category]?.[main]),
    );
    return { head: `category ${head}`, cells: inside };
  });
  return { title: `${main} by category`, ...tableOf(runColumn(runs), cells) };
}

/** Questions whose right answer is that the memory does not tell: how well confidence knows them, and what was found for them. */
export function abstainTable(group: Group): Table | undefined {
  const { main, runs } = group;
  const { apart } = categoriesOf(group);
  const asked = Math.max(
    0,
    ...runs.map(({ questions }) => questions.filter(({ expects }) => expects === "abstain").length),
  );
  if (asked === 0) return undefined;
  const told = measureColumn(
    "told apart by confidence",
    runs.map(({ summary }) => summary.abstention ?? undefined),
  );
  const found = apart.flatMap((category) => {
    if (main === undefined) return [];
    const column = measureColumn(
      main,
      runs.map(({ summary }) => summary.byCategory[category]?.[main]),
    );
    return [{ ...column, head: `category ${category}: ${column.head}` }];
  });
  return {
    title: "Questions that cannot be answered",
    note: `${asked} questions, counted nowhere else. Told apart by confidence: the area under the ROC curve between questions that can be answered and those that cannot; 50 is chance, 100 never wrong.`,
    ...tableOf(runColumn(runs), [told, ...found.filter(({ cells }) => cells.some(isMeasured))]),
  };
}

/** The measures by the audit's labels, each beside the same one by the original labels. */
export function correctedTable({ runs, measures }: Group): Table | undefined {
  const corrected = runs.map(({ summary }) => summary.corrected ?? {});
  const front = frontMeasures(measures).filter((name) =>
    corrected.some(
      (one, place) => one[name] !== undefined && one[name].mean !== runs[place]?.summary.overall[name]?.mean,
    ),
  );
  if (front.length === 0) return undefined;
  const beside = front.flatMap((name) => {
    const original = measureColumn(name, runs.map(overall(name)));
    const mended = measureColumn(
      name,
      corrected.map((one) => one[name]),
    );
    return [original, { ...mended, head: `corrected ${mended.head}` }];
  });
  return {
    title: "With corrected labels",
    note: "An audit found labels of this data set wrong. Each measure that this changes, by the original labels and by the corrected ones.",
    ...tableOf(runColumn(runs), beside),
  };
}

/** Where all questions of a category expect abstention, it stands apart from the others. */
export function categoriesOf({ runs }: Group): {
  readonly answered: readonly string[];
  readonly apart: readonly string[];
} {
  const names = inOrder(runs.flatMap(({ summary }) => Object.keys(summary.byCategory))).sort(byName);
  const answerable = new Set(
    runs.flatMap(({ questions }) =>
      questions.filter(({ expects }) => expects === "answer").map(({ category }) => category),
    ),
  );
  return {
    answered: names.filter((name) => answerable.has(name)),
    apart: names.filter((name) => !answerable.has(name)),
  };
}

export function runColumn(runs: readonly NamedRun[]): MeasureColumn {
  return { head: "preset", cells: runs.map(({ label, colour }) => ({ text: label, colour })) };
}

/** Tokens of the hits that readers compare by. */
export function tokensMeasure(measures: readonly string[]): string {
  return `tokens@${comparedK(measures)}`;
}

function columns(
  runs: readonly NamedRun[],
  names: readonly string[],
  of: (name: string) => (run: NamedRun) => Estimate | undefined,
): MeasureColumn[] {
  return names.map((name) => measureColumn(name, runs.map(of(name))));
}

function overall(name: string): (run: NamedRun) => Estimate | undefined {
  return ({ summary }) => summary.overall[name];
}

function isMeasured({ value }: { readonly value?: number | undefined }): boolean {
  return value !== undefined;
}
