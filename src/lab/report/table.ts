/**
 * What is a table before it is a page? Cells with what they say, what they are sorted by and whether they are the best. The
 * Markdown and the page are written from the same cells, so they cannot tell different things.
 */
import type { Estimate } from "../result.ts";
import { countInterval, NOTHING, percentInterval } from "./figures.ts";
import { isCount } from "./measure-names.ts";

export interface Cell {
  readonly text: string;
  /** What a reader's sorting goes by; unsaid: the text. */
  readonly value?: number | undefined;
  readonly isBest?: boolean | undefined;
  /** The colour of the run that the row is of. */
  readonly colour?: number | undefined;
}

export interface Table {
  readonly title: string;
  readonly note?: string | undefined;
  /** Details that few need: the page folds it. */
  readonly isFolded?: boolean | undefined;
  readonly head: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

export interface MeasureColumn {
  readonly head: string;
  readonly cells: readonly Cell[];
}

/** Of fewer questions an interval is no more than a hint: where all have the same value, it has no width at all. */
const FEWEST = 20;

export const BEST_RULE = `In brackets: the interval that holds the value in 95 of 100 draws of the questions; n: how many questions. Bold: the best of its measure, where its interval overlaps with no other's and n is at least ${FEWEST}; no bold means that the data cannot tell them apart.`;

/** One measure over the rows of a table. How many questions it was measured on is said once if that is one number. */
export function measureColumn(name: string, estimates: readonly (Estimate | undefined)[]): MeasureColumn {
  const counts = new Set(estimates.flatMap((one) => one?.count ?? []));
  const [shared] = counts.size === 1 ? counts : [];
  const best = isCount(name) ? -1 : bestOf(estimates);
  return {
    head: shared === undefined ? name : `${name}, n ${shared}`,
    cells: estimates.map((estimate, row) => {
      if (estimate === undefined) return { text: NOTHING };
      const text = isCount(name) ? countInterval(estimate) : percentInterval(estimate);
      return {
        text: shared === undefined ? `${text}, n ${estimate.count}` : text,
        value: estimate.mean,
        isBest: row === best,
      };
    }),
  };
}

/** The place of the one whose interval lies above all others'; −1 where there is none, or nothing to be better than. */
export function bestOf(estimates: readonly (Estimate | undefined)[]): number {
  const known = estimates.filter((one) => one !== undefined);
  if (known.length < 2 || known.some(({ count }) => count < FEWEST)) return -1;
  return estimates.findIndex(
    (one) => one !== undefined && known.every((other) => other === one || one.low > other.high),
  );
}

/** Columns beside each other, behind the names of the rows. */
export function tableOf(
  first: MeasureColumn,
  columns: readonly MeasureColumn[],
): Pick<Table, "head" | "rows"> {
  return {
    head: [first.head, ...columns.map(({ head }) => head)],
    rows: first.cells.map((cell, row) => [
      cell,
      ...columns.map(({ cells }) => cells[row] ?? { text: NOTHING }),
    ]),
  };
}

/** Numbers stand to the right, names to the left. */
export function isNumeric(rows: Table["rows"], place: number): boolean {
  return rows.some((cells) => cells[place]?.value !== undefined);
}
