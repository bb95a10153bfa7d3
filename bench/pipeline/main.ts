/**
 * `npm run bench:pipeline`: what do the pipeline and the sweeps of its services cost? Every row is measured in this one run.
 *
 *   -- --json              one JSON object on stdout, {"rows":[{"what","value","bar","met"}]}; progress goes to stderr
 *   -- --only overhead     some sections only
 *   -- --save              rewrites the pipeline's section of docs/benchmarks.md
 */
import { parseArgs } from "node:util";
import { isMet, machineClass, type Row, saveSection, toJson, toTable } from "../report.ts";
import { benchDecaySweep } from "./decay-sweep.ts";
import { benchOverhead } from "./overhead.ts";
import { benchSynonymEdges } from "./synonym-edges.ts";

const PAGE = new URL("../../docs/benchmarks.md", import.meta.url);

const RUN = { overhead: benchOverhead, synonyms: benchSynonymEdges, sweep: benchDecaySweep };
const SECTIONS = Object.keys(RUN);

const { values: options } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    save: { type: "boolean", default: false },
    only: { type: "string", default: SECTIONS.join(",") },
  },
});
const chosen = options.only.split(",");
const unknown = chosen.find((name) => !SECTIONS.includes(name));
if (unknown !== undefined) fail(`Unknown section "${unknown}". Valid: ${SECTIONS.join(", ")}.`);
if (options.save && chosen.length !== SECTIONS.length)
  fail("--save needs the whole benchmark: leave --only out.");

const start = performance.now();
const rows: Row[] = [];
for (const [name, run] of Object.entries(RUN)) {
  if (!chosen.includes(name)) continue;
  process.stderr.write(`${name} …\n`);
  rows.push(...(await run()));
}
const seconds = Math.round((performance.now() - start) / 1000);
const missed = rows.filter((row) => !isMet(row)).length;
process.stderr.write(
  `${rows.length} rows in ${seconds} s, ${missed === 0 ? "all bars met" : `${missed} missed`}\n`,
);
process.stdout.write(`${options.json ? toJson(rows) : toTable(rows)}\n`);
if (options.save) {
  const text = `\`npm run bench:pipeline -- --save\` wrote this in ${seconds} s on ${machineClass()}.\n\n${toTable(rows)}`;
  await saveSection(PAGE, "pipeline", text);
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
