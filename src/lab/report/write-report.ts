/** Where does the report lie? Beside the runs it tells of: one page to look at, and the same tables as Markdown. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { groupRuns } from "./group-runs.ts";
import { reportMarkdown } from "./markdown.ts";
import { reportHtml } from "./page.ts";
import { readRuns } from "./read-runs.ts";
import { runFacts } from "./run-facts.ts";

export interface Report {
  /** Paths of the files. */
  readonly html: string;
  readonly markdown: string;
  readonly runs: number;
  /** Names of runs that left no summary, and are not in it. */
  readonly unfinished: readonly string[];
}

export async function writeReport(outFolder: string): Promise<Report> {
  const { runs, unfinished } = await readRuns(outFolder);
  const parts = { facts: runFacts(runs), groups: groupRuns(runs), unfinished };
  const html = join(outFolder, "report.html");
  const markdown = join(outFolder, "report.md");
  await writeFile(html, reportHtml(parts));
  await writeFile(markdown, reportMarkdown(parts));
  return { html, markdown, runs: runs.length, unfinished };
}
