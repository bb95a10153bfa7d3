/** What every benchmark of several sections does once it knows which: run them, print the table or JSON, save it to the page. */
import { isMet, machineClass, type Row, saveSection, toJson, toTable } from "./report.ts";

const PAGE = new URL("../docs/benchmarks.md", import.meta.url);

export interface SectionsRun {
  /** As in `npm run bench:NAME`, and as the marks of the page have it. */
  readonly name: string;
  readonly sections: Readonly<Record<string, () => Promise<Row[]>>>;
  readonly chosen: readonly string[];
  readonly json: boolean;
  readonly save: boolean;
  readonly say: (line: string) => void;
}

export async function runSections({ name, sections, chosen, json, save, say }: SectionsRun): Promise<void> {
  const start = performance.now();
  const rows: Row[] = [];
  for (const section of chosen) {
    say(`${section} …`);
    rows.push(...((await sections[section]?.()) ?? []));
  }
  const seconds = Math.round((performance.now() - start) / 1000);
  const missed = rows.filter((row) => !isMet(row)).length;
  say(`${rows.length} rows in ${seconds} s, ${missed === 0 ? "all bars met" : `${missed} missed`}`);
  process.stdout.write(`${json ? toJson(rows) : toTable(rows)}\n`);
  if (!save) return;
  const text = `\`npm run bench:${name} -- --save\` wrote this in ${seconds} s on ${machineClass()}.\n\n${toTable(rows)}`;
  await saveSection(PAGE, name, text);
}
