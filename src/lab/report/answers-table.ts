/** What came of a model's answers? Who answered and who judged, how often a judge lets a wrong answer pass, and what it cost. */
import type { ModelUse } from "../result.ts";
import { count, money, NOTHING } from "./figures.ts";
import type { Group, NamedRun } from "./group-runs.ts";
import { inOrder } from "./measure-names.ts";
import { runColumn } from "./quality-tables.ts";
import { type Cell, type MeasureColumn, measureColumn, type Table, tableOf } from "./table.ts";

export function answersTable({ runs }: Group): Table | undefined {
  const judged = runs.filter((run) => run.judged !== undefined);
  if (judged.length === 0) return undefined;
  const said = (head: string, text: (one: Judged) => string): MeasureColumn => ({
    head,
    cells: judged.map((run) => ({ text: run.judged === undefined ? NOTHING : text(run.judged) })),
  });
  const abstaining = inOrder(judged.flatMap((run) => Object.keys(run.judged?.abstain ?? {})));
  const judges = inOrder(judged.flatMap((run) => Object.keys(run.judged?.falsePositives ?? {})));
  return {
    title: "Answers by a model",
    note: "Lets pass: of wrong answers that were planted, the share that a judge held for right; a judge that lets many pass says little. Where the right answer is that nothing is told, its measures stand under “cannot be answered”.",
    ...tableOf(runColumn(judged), [
      said("answered by", ({ models }) => models.answer),
      said("judged by", ({ models }) => models.judge),
      ...abstaining.map((name) =>
        column(`cannot be answered: ${name}`, judged, (one) => one.abstain[name], true),
      ),
      ...judges.map((name) =>
        column(`${name} lets pass`, judged, (one) => one.falsePositives[name]?.all, false),
      ),
      said("failed", ({ failed }) => count(Object.values(failed).reduce((sum, number) => sum + number, 0))),
      ...(["answers", "judges", "planted"] as const).map((part) => ({
        head: `${part}: calls, tokens, $`,
        cells: judged.map((run) => useCell(run.judged?.cost[part])),
      })),
    ]),
  };
}

type Judged = NonNullable<NamedRun["judged"]>;

/** What lets fewest pass is not found by the highest value: nothing is bold there. */
function column(
  head: string,
  runs: readonly NamedRun[],
  of: (one: Judged) => Parameters<typeof measureColumn>[1][number],
  hasBest: boolean,
): MeasureColumn {
  const made = measureColumn(
    head,
    runs.map(({ judged }) => (judged === undefined ? undefined : of(judged))),
  );
  return hasBest ? made : { ...made, cells: made.cells.map((cell) => ({ ...cell, isBest: false })) };
}

function useCell(use: ModelUse | undefined): Cell {
  if (use === undefined) return { text: NOTHING };
  const { calls, inputTokens, outputTokens } = use;
  return {
    text: `${count(calls)}, ${count(inputTokens)} in + ${count(outputTokens)} out, ${money(use)}`,
    value: inputTokens + outputTokens,
  };
}
