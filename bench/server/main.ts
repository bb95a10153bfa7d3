/**
 * `npm run bench:server`: what do the doors cost? HTTP, MCP, the proxy, and a minute of two hundred clients.
 *
 *   -- --json             one JSON object on stdout, {"rows":[{"what","value","bar","met"}]}; progress goes to stderr
 *   -- --only recall      some sections only: recall, mcp, proxy, load
 *   -- --save             rewrites the servers' section of docs/benchmarks.md
 */
import { parseArgs } from "node:util";
import type { Row } from "../report.ts";
import { runSections } from "../run-sections.ts";
import { benchLoad } from "./load.ts";
import { benchMcpStart } from "./mcp-start.ts";
import { benchProxy } from "./proxy.ts";
import { benchHttpRecall } from "./recall.ts";

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const RUN: Readonly<Record<string, () => Promise<Row[]>>> = {
  recall: benchHttpRecall,
  mcp: benchMcpStart,
  proxy: benchProxy,
  load: benchLoad,
};

const { values: options } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    save: { type: "boolean", default: false },
    only: { type: "string" },
  },
});
const sections = Object.keys(RUN);
const chosen = options.only?.split(",") ?? sections;
const unknown = chosen.find((name) => !sections.includes(name));
if (unknown !== undefined) fail(`Unknown section "${unknown}". Valid: ${sections.join(", ")}.`);
if (options.save && options.only !== undefined) fail("--save needs the whole benchmark: no --only.");

const { json, save } = options;
await runSections({ name: "server", sections: RUN, chosen, json, save, say });

function fail(message: string): never {
  say(message);
  process.exit(2);
}
