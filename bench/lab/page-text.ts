/**
 * The laboratory's parts of docs/benchmarks.md: of each section its bars, then for each data set the tables that it names. The cells
 * are those of the report (`report.md` beside the runs), so that the two cannot tell different things; here are fewer of them.
 */
import { costTable } from "../../src/lab/report/cost-tables.ts";
import { datasetText } from "../../src/lab/report/dataset-tables.ts";
import { type Group, groupRuns } from "../../src/lab/report/group-runs.ts";
import { tableMarkdown } from "../../src/lab/report/markdown.ts";
import {
  abstainTable,
  categoryTable,
  correctedTable,
  runColumn,
} from "../../src/lab/report/quality-tables.ts";
import type { Run } from "../../src/lab/report/run.ts";
import { BEST_RULE, measureColumn, type Table, tableOf } from "../../src/lab/report/table.ts";
import { type Row, toTable } from "../report.ts";
import { belowBm25 } from "./below-bm25.ts";
import type { Section } from "./sections.ts";

/** What stands between one pair of marks of the page, and is written anew by itself. */
export interface LabPart {
  readonly name: string;
  /** Its bars. */
  readonly rows: readonly Row[];
  /** Absent where there are only bars. */
  readonly section?: SectionRuns | undefined;
  /** Whether all of its runs are there. */
  readonly isWhole: boolean;
}

export interface SectionRuns {
  readonly section: Section;
  readonly runs: readonly Run[];
}

/** Where it is from, its bars, its tables. */
export function partText({ name, rows, section }: LabPart): string {
  const command = `\`npm run bench:lab -- --data DIR --only ${name} --save\``;
  if (section === undefined) return [`${command} wrote this.`, toTable(rows)].join("\n\n");
  return [
    `### ${section.section.title}`,
    `${command} wrote this from ${runsText(section.runs)}.`,
    ...(rows.length === 0 ? [] : [toTable(rows)]),
    BEST_RULE,
    ...groupRuns(section.runs).flatMap((group) => groupText(section.section, group)),
  ].join("\n\n");
}

function runsText(runs: readonly Run[]): string {
  const distinct = (read: (run: Run) => string): string => [...new Set(runs.map(read))].join("; ");
  const versions = distinct(({ summary }) => summary.version);
  const machines = distinct(({ summary: { machine } }) => {
    const { cpus, memoryGb, node, platform } = machine;
    return `${cpus} cores, ${Math.round(memoryGb)} GB of memory, Node ${node} on ${platform}`;
  });
  return `${runs.length} ${runs.length === 1 ? "run" : "runs"} of neuromem ${versions} on ${machines}`;
}

function groupText(section: Section, given: Group): string[] {
  const group = sortedBy(section.main, given);
  const { measures, byCategory, corrected, isWhole } = section;
  const tables = [
    chosenTable(group, measures),
    ...byCategory.map((main) => categoryTable({ ...group, main })),
    ...(corrected.length === 0 ? [] : [correctedTable({ ...group, measures: corrected })]),
    ...(isWhole ? [abstainTable(group), costTable({ ...group, measures: ["tokens@10"] })] : []),
  ].filter((table) => table !== undefined);
  // Where every design is run, it is told how they stand to the plainest one.
  const summaries = group.runs.map(({ summary }) => summary);
  const told = section.presets === "every" ? belowBm25(summaries, section.main) : undefined;
  const data = `\`${group.dataset.name}\`: ${datasetText(group)}`;
  return [data, ...(told === undefined ? [] : [told]), ...tables.flatMap(tableText)];
}

function tableText(table: Table): string[] {
  const filled = withoutEmptyColumns(table);
  return [`#### ${table.title}`, ...(table.note === undefined ? [] : [table.note]), tableMarkdown(filled)];
}

function chosenTable({ runs, main }: Group, measures: readonly string[]): Table {
  const columns = measures.map((name) =>
    measureColumn(
      name,
      runs.map(({ summary }) => summary.overall[name]),
    ),
  );
  return { title: `Sorted by ${main}`, ...tableOf(runColumn(runs), columns) };
}

function sortedBy(main: string, group: Group): Group {
  const value = ({ summary }: Run): number => summary.overall[main]?.mean ?? Number.NEGATIVE_INFINITY;
  const byValue = (a: Run, b: Run): number => (value(a) === value(b) ? 0 : value(b) - value(a));
  return { ...group, main, runs: group.runs.toSorted(byValue) };
}

/** A category of which a measure tells nothing has no column. */
function withoutEmptyColumns({ head, rows }: Table): Pick<Table, "head" | "rows"> {
  const isFilled = head.map(
    (_, place) => place === 0 || rows.some((cells) => cells[place]?.value !== undefined),
  );
  const keep = <T>(cells: readonly T[]): T[] => cells.filter((_, place) => isFilled[place]);
  return { head: keep(head), rows: rows.map(keep) };
}
