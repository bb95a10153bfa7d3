/**
 * What came of a run? The lines of its questions, drawn together: means with intervals, over questions that can be compared.
 * Questions that expect an answer make up `overall`; those where saying nothing is right stand apart, in their category and
 * in `abstention`. Each question counts once, as it was asked last: when everything had been said.
 */
import type { Estimate, QuestionLine, ResultLine, RunSummary } from "../result.ts";
import { abstention } from "./abstention.ts";
import { estimateAll } from "./bootstrap.ts";
import { costOf, medianMs, sizeAt } from "./run-cost.ts";

/** What is known before the run. */
export type SummaryHead = Omit<
  RunSummary,
  "overall" | "byCategory" | "corrected" | "abstention" | "byPoint" | "cost"
>;

type Estimates = Readonly<Record<string, Estimate>>;
type Measures = QuestionLine["measures"];

export function summarize(
  head: SummaryHead,
  lines: readonly ResultLine[],
  process: { readonly peakMemoryMb: number },
): RunSummary {
  const { questions, builds } = separate(lines);
  const last = [...new Map(questions.map((line) => [keyOf(line), line])).values()];
  const means = (some: readonly Measures[]): Estimates => estimateAll(columnsOf(some), head.seed);
  const answered = last.filter(({ expects }) => expects === "answer");
  const isCorrected = answered.some(({ corrected }) => corrected !== undefined);
  const points = [...new Set([...questions, ...builds].map(({ point }) => point.number))];
  return {
    ...head,
    overall: means(answered.map(({ measures }) => measures)),
    byCategory: Object.fromEntries(
      categoriesOf(last).map(([name, some]) => [name, means(some.map(({ measures }) => measures))]),
    ),
    // All questions, those too that the audit left as they were: comparable with `overall`.
    corrected: isCorrected
      ? means(answered.map(({ measures, corrected }) => ({ ...measures, ...corrected })))
      : null,
    abstention: abstention(last, head.seed),
    byPoint: points
      .sort((a, b) => a - b)
      .map((point) => {
        const here = questions.filter((line) => line.point.number === point);
        const asked = here.filter(({ expects }) => expects === "answer");
        return {
          point,
          ...sizeAt(point, builds),
          overall: means(asked.map(({ measures }) => measures)),
          queryMsP50: medianMs(here),
        };
      }),
    cost: { ...costOf(last, builds), peakMemoryMb: process.peakMemoryMb },
  };
}

/**
 * In the order of the stream, whatever the order of the lines: what is drawn must not depend on it. Each once, for a run that
 * was stopped and went on may have lived the same stretch twice.
 */
function separate(lines: readonly ResultLine[]) {
  const named = lines.map((line) => ({ line, name: keyOf(line) }));
  named.sort(
    (a, b) =>
      a.line.point.number - b.line.point.number ||
      a.line.point.turns - b.line.point.turns ||
      Number(a.name > b.name) - Number(a.name < b.name),
  );
  const once = new Map(
    named.map(({ line, name }) => [`${line.point.number} ${line.point.turns} ${name}`, line]),
  );
  const inOrder = [...once.values()];
  return {
    questions: inOrder.filter((line) => line.type === "question"),
    builds: inOrder.filter((line) => line.type === "build"),
  };
}

function keyOf(line: ResultLine): string {
  return JSON.stringify(line.type === "question" ? [line.case, line.question] : [line.case]);
}

/**
 * By the data set's own categories, in the order of their names. Where one holds both kinds of questions (LongMemEval), those
 * that expect no answer stand under a name of their own: a mean over both would say nothing of either.
 */
export function categoriesOf(lines: readonly QuestionLine[]): [string, readonly QuestionLine[]][] {
  const answering = new Set(lines.flatMap((line) => (line.expects === "answer" ? [line.category] : [])));
  const groups = Map.groupBy(lines, ({ category, expects }) =>
    expects === "abstain" && answering.has(category) ? `${category} (abstain)` : category,
  );
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** What was measured, by measure: a question counts where it could be measured, and nowhere else. */
function columnsOf(some: readonly Measures[]): Map<string, number[]> {
  const columns = new Map<string, number[]>();
  for (const measures of some) {
    for (const [name, value] of Object.entries(measures)) {
      const column = columns.get(name) ?? [];
      if (value !== null) column.push(value);
      columns.set(name, column);
    }
  }
  return columns;
}
