/**
 * How does a benchmark say what it found? One row per claim: what was measured, the value, the bar it had to reach, and
 * whether it did. `--json` prints the rows alone; a table for people adds the figures each value was made of.
 */
import { readFile, writeFile } from "node:fs/promises";
import { availableParallelism, totalmem } from "node:os";

export interface Row {
  readonly what: string;
  readonly value: number;
  readonly bar: Bar;
  /** The figures behind the value. */
  readonly measured: string;
}

export interface Bar {
  readonly sense: "≥" | "≤";
  readonly limit: number;
  /** As "×", "ms" or "MB"; "" for a plain number. */
  readonly unit: string;
}

export function atLeast(limit: number, unit: string): Bar {
  return { sense: "≥", limit, unit };
}

export function atMost(limit: number, unit: string): Bar {
  return { sense: "≤", limit, unit };
}

export function isMet({ value, bar }: Row): boolean {
  return bar.sense === "≥" ? value >= bar.limit : value <= bar.limit;
}

/** One JSON object: {"rows":[{"what","value","bar","met"}]}. */
export function toJson(rows: readonly Row[]): string {
  return JSON.stringify({
    rows: rows.map((row) => ({
      what: row.what,
      value: Number(row.value.toPrecision(4)),
      bar: barText(row.bar),
      met: isMet(row),
    })),
  });
}

/** A Markdown table, readable in a terminal as well. */
export function toTable(rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    const met = isMet(row) ? "yes" : "**no**";
    return [row.what, withUnit(row.value, row.bar.unit), barText(row.bar), met, row.measured];
  });
  return [["what", "value", "bar", "met", "measured"], Array(5).fill("---"), ...lines]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

/** The class of machine, not which machine. */
export function machineClass(): string {
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return `${availableParallelism()} cores, ${gigabytes} GB of memory, Node ${process.versions.node} on ${process.platform}-${process.arch}`;
}

/** Puts the text between the markers `<!-- name:start -->` and `<!-- name:end -->` of a Markdown file. */
export async function saveSection(file: URL, name: string, text: string): Promise<void> {
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
  const page = await readFile(file, "utf8");
  const from = page.indexOf(start);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`The page has no section between ${start} and ${end}.`);
  await writeFile(file, `${page.slice(0, from + start.length)}\n${text}\n${page.slice(to)}`);
}

/** Three significant digits, large numbers with thin groups: 0.0123, 4.57, 152, 61 300. */
export function figure(value: number): string {
  if (Math.abs(value) >= 1000) {
    return String(Number(value.toPrecision(3))).replace(/\B(?=(\d{3})+$)/g, " ");
  }
  return Number.isInteger(value) ? String(value) : value.toPrecision(3);
}

function withUnit(value: number, unit: string): string {
  return unit === "" ? figure(value) : `${figure(value)} ${unit}`;
}

function barText({ sense, limit, unit }: Bar): string {
  return `${sense} ${withUnit(limit, unit)}`;
}
