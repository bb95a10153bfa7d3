/** The report as Markdown: the same tables as the page, for pull requests and notes. */
import { datasetTables, datasetText } from "./dataset-tables.ts";
import type { Group } from "./group-runs.ts";
import { MEANINGS } from "./measure-names.ts";
import type { RunFacts } from "./run-facts.ts";
import { type Cell, isNumeric, type Table } from "./table.ts";

export interface ReportParts {
  readonly facts: RunFacts;
  readonly groups: readonly Group[];
  readonly unfinished: readonly string[];
}

export function reportMarkdown({ facts, groups, unfinished }: ReportParts): string {
  const parts = [
    "# Benchmark report",
    "## What was run",
    facts.shared.map(([name, value]) => `- ${name}: ${escapeMarkdown(value)}`).join("\n"),
    tableMarkdown(facts.table),
    unfinished.length === 0
      ? ""
      : `Not finished, and not in here: ${unfinished.map(escapeMarkdown).join(", ")}.`,
    ...groups.flatMap((group) => [
      `## ${escapeMarkdown(group.dataset.name)}`,
      escapeMarkdown(datasetText(group)),
      ...datasetTables(group).flatMap((table) => [
        `### ${escapeMarkdown(table.title)}`,
        table.note === undefined ? "" : escapeMarkdown(table.note),
        tableMarkdown(table),
      ]),
    ]),
    "## What the measures mean",
    MEANINGS.map(([name, meaning]) => `- ${name}: ${meaning}`).join("\n"),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

export function tableMarkdown({ head, rows }: Pick<Table, "head" | "rows">): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [
    line(head.map(escapeMarkdown)),
    line(head.map((_, place) => (isNumeric(rows, place) ? "---:" : "---"))),
    ...rows.map((cells) => line(cells.map(cellMarkdown))),
  ].join("\n");
}

function cellMarkdown({ text, isBest }: Cell): string {
  return isBest === true ? `**${escapeMarkdown(text)}**` : escapeMarkdown(text);
}

/** A name from a file can neither end a cell nor become markup. Underscores within words are none. */
function escapeMarkdown(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(/[\\`*[\]|]/g, "\\$&")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}
