/**
 * `npm run bench:runtime -- --data DIR`: how fast is what a user calls? DIR (or NEUROMEM_DATA) holds the evaluation data,
 * which is no part of the project; without it the conversation of LoCoMo is left out.
 *
 *   -- --json             one JSON object on stdout, {"rows":[{"what","value","bar","met"}]}; progress goes to stderr
 *   -- --only recall      some sections only
 *   -- --save             rewrites the runtime's section of docs/benchmarks.md
 */
import { parseArgs } from "node:util";
import type { Row } from "../report.ts";
import { runSections } from "../run-sections.ts";
import { benchLocomoIngest } from "./locomo-ingest.ts";
import { benchRecall } from "./recall.ts";
import { benchRemember } from "./remember.ts";
import { benchRestatements } from "./restatements.ts";
import { simpleMemory } from "./simple-memory.ts";

const say = (line: string): void => void process.stderr.write(`${line}\n`);

const { values: options } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    save: { type: "boolean", default: false },
    data: { type: "string" },
    only: { type: "string" },
  },
});
const data = options.data ?? process.env.NEUROMEM_DATA;
const RUN: Readonly<Record<string, () => Promise<Row[]>>> = {
  remember: benchRemember,
  recall: benchRecall,
  simple_memory: simpleMemory,
  restatements: () => benchRestatements(data),
  ...(data === undefined ? {} : { locomo: () => benchLocomoIngest(data, say) }),
};
const sections = Object.keys(RUN);
const chosen = options.only?.split(",") ?? sections;
const unknown = chosen.find((name) => !sections.includes(name));
if (unknown !== undefined)
  fail(`Unknown section "${unknown}". Valid: ${sections.join(", ")}; locomo with --data DIR.`);
if (options.save && chosen.length !== 5) fail("--save needs the whole benchmark: --data, and no --only.");
if (data === undefined) say("No --data: the conversation of LoCoMo is left out.");

const { json, save } = options;
await runSections({ name: "runtime", sections: RUN, chosen, json, save, say });

function fail(message: string): never {
  say(message);
  process.exit(2);
}
