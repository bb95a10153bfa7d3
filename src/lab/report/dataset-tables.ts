/** Which tables does a data set get, and in which order? One list, for the page and for the Markdown. */
import { answersTable } from "./answers-table.ts";
import { costTable, growthTable, stageTable } from "./cost-tables.ts";
import { count, shortHash } from "./figures.ts";
import type { Group } from "./group-runs.ts";
import {
  abstainTable,
  allMeasuresTable,
  categoryTable,
  correctedTable,
  frontTable,
} from "./quality-tables.ts";
import type { Table } from "./table.ts";

export function datasetTables(group: Group): Table[] {
  return [
    frontTable(group),
    categoryTable(group),
    abstainTable(group),
    correctedTable(group),
    answersTable(group),
    costTable(group),
    growthTable(group),
    stageTable(group),
    allMeasuresTable(group),
  ].filter((table) => table !== undefined);
}

/** In a sentence: what it is, how large, and what was left out of it. */
export function datasetText({ dataset }: Group): string {
  const { kind, hash, cases, turns, questions, leftOut } = dataset;
  const reasons = Object.entries(leftOut).map(([reason, number]) => `${reason}: ${count(number)}`);
  const left = reasons.length === 0 ? "Nothing was left out." : `Left out: ${reasons.join("; ")}.`;
  return `Kind ${kind}, SHA-256 ${shortHash(hash)}…, ${count(cases)} ${cases === 1 ? "case" : "cases"}, ${count(turns)} turns, ${count(questions)} questions. ${left}`;
}
