/**
 * `npm run bench:presets -- --data DIR`: how good are the published designs as presets, with no model? DIR (or NEUROMEM_DATA)
 * holds the evaluation data, which is no part of the project.
 *
 *   -- --json               one JSON object on stdout, {"rows":[{"what","value","bar","met"}],"locomo":[…]}
 *   -- --only mem0,biem     some presets only, on LoCoMo and the consolidation of facts
 *   -- --sections locomo    some of: musique, locomo, facts
 *   -- --conversations 1    a quick look: so many of LoCoMo's conversations
 *   -- --save               rewrites the presets' section of docs/benchmarks.md
 */
import { parseArgs } from "node:util";
import { listPresets } from "../../src/preset/load.ts";
import { atLeast, atMost, isMet, machineClass, type Row, saveSection, toJson, toTable } from "../report.ts";
import { type FactScores, factConsolidation } from "./fact-consolidation.ts";
import type { LocomoScores } from "./locomo.ts";
import { locomo, locomoTable } from "./locomo-all.ts";
import { musique } from "./musique.ts";

const PAGE = new URL("../../docs/benchmarks.md", import.meta.url);
const SECTIONS = ["musique", "locomo", "facts"];
/** Those that the bar is for, and what they are held against. */
const FACT_PRESETS = ["mem0", "biem", "dense"];
const ALL_CONVERSATIONS = 5;

const { values: options } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    save: { type: "boolean", default: false },
    data: { type: "string" },
    only: { type: "string" },
    sections: { type: "string", default: SECTIONS.join(",") },
    conversations: { type: "string", default: String(ALL_CONVERSATIONS) },
  },
});
const say = (line: string): void => void process.stderr.write(`${line}\n`);
const data =
  options.data ??
  process.env.NEUROMEM_DATA ??
  fail("Where is the data? Valid: --data DIR, or NEUROMEM_DATA.");
const sections = options.sections.split(",");
const presets = await chosenPresets();
const conversations = Number(options.conversations);
checkOptions();

const start = performance.now();
const rows: Row[] = [];
let scores: LocomoScores[] = [];
if (sections.includes("musique")) rows.push(...(await musiqueRows(data)));
if (sections.includes("locomo")) {
  say(`LoCoMo, ${conversations} conversations, ${presets.length} presets …`);
  scores = await locomo({ data, conversations, presets }, say);
  rows.push({
    what: "LoCoMo dev, no model: presets in the table",
    value: scores.length,
    bar: atLeast(presets.length, ""),
    measured: `the best within ten turns has ${Math.max(...scores.map(({ inTenTurns }) => inTenTurns)).toFixed(1)} %`,
  });
}
if (sections.includes("facts")) rows.push(...(await factRows(data)));
const seconds = Math.round((performance.now() - start) / 1000);
const missed = rows.filter((row) => !isMet(row)).length;
say(`${rows.length} rows in ${seconds} s, ${missed === 0 ? "all bars met" : `${missed} missed`}`);
const text = [toTable(rows), ...(scores.length > 0 ? [locomoTable(scores)] : [])].join("\n\n");
process.stdout.write(
  options.json ? `${JSON.stringify({ ...JSON.parse(toJson(rows)), locomo: scores })}\n` : `${text}\n`,
);
if (options.save) {
  const head = `\`npm run bench:presets -- --save\` wrote this in ${seconds} s on ${machineClass()}.`;
  await saveSection(PAGE, "presets", `${head}\n\n${text}`);
}

/** All designs and baselines; rows of the table and variants only where they are named. */
async function chosenPresets(): Promise<string[]> {
  const names = await listPresets();
  if (options.only === undefined) return names.filter((name) => !name.includes("/"));
  const chosen = options.only.split(",");
  const unknown = chosen.find((name) => !names.includes(name));
  return unknown === undefined ? chosen : fail(`Unknown preset "${unknown}". Valid: ${names.join(", ")}.`);
}

function checkOptions(): void {
  const unknown = sections.find((name) => !SECTIONS.includes(name));
  if (unknown !== undefined) fail(`Unknown section "${unknown}". Valid: ${SECTIONS.join(", ")}.`);
  if (!(conversations >= 1 && conversations <= ALL_CONVERSATIONS))
    fail(`--conversations is "${options.conversations}". Valid: 1 to ${ALL_CONVERSATIONS}.`);
  const isWhole =
    options.only === undefined && conversations === ALL_CONVERSATIONS && sections.length === SECTIONS.length;
  if (options.save && !isWhole) fail("--save needs the whole benchmark: only --data and --json beside it.");
}

async function musiqueRows(folder: string): Promise<Row[]> {
  say("MuSiQue …");
  const { bm25, dense, mix, hipporag, hipporag2, lead, graph, synonyms } = await musique(folder, say);
  const shown = { hipporag2, hipporag, bm25, dense, mix };
  const figures = Object.entries(shown).map(
    ([name, { r2, r5 }]) => `${name} ${r2.toFixed(1)} / ${r5.toFixed(1)}`,
  );
  const { passages, phrases, facts, context, pairs } = graph.stored;
  const expected = new Map(Object.entries(graph.expected));
  const differing = Object.entries(graph.stored).filter(([name, size]) => expected.get(name) !== size).length;
  return [
    {
      what: "MuSiQue-train, recorded triples, built-in embedder: hipporag2 above the best of BM25, dense and their mix, R@5",
      value: lead,
      bar: atLeast(3, "points"),
      measured: `R@2 / R@5: ${figures.join(", ")}`,
    },
    {
      what: "its graph: sizes that are not those of the paper's rules, and synonyms of sampled names that are missing or too many",
      value: differing + synonyms.missing + synonyms.beyond,
      bar: atMost(0, "differences"),
      measured: `${passages} passages, ${phrases} phrases, ${facts} facts, ${context} edges to phrases, ${pairs} pairs; ${synonyms.expected} synonyms of ${synonyms.checked} names`,
    },
  ];
}

async function factRows(folder: string): Promise<Row[]> {
  say("fact consolidation …");
  const wanted = options.only === undefined ? FACT_PRESETS : presets;
  const found = await factConsolidation(folder, wanted, say);
  // Plain vectors are what the others are held against: a figure beside theirs, with no bar of its own.
  const plain = found.find(({ preset }) => preset === "dense");
  const beside = plain === undefined ? "" : `; dense ${plain.first.toFixed(0)} %`;
  return found.flatMap((one) =>
    one === plain
      ? []
      : {
          what: `fact consolidation, 6k, single hop, no model: newest value recalled first, ${one.preset}`,
          value: one.first,
          bar: atLeast(90, "%"),
          measured: `${factFigures(one)}${beside}`,
        },
  );
}

function factFigures({ order, firstOfChanged, changed, questions, facts, superseded }: FactScores): string {
  return `${questions} questions over ${facts} facts, ${superseded} out of recall at the end; newest before older ${order.toFixed(1)} %; of the ${changed} whose value changed ${firstOfChanged.toFixed(1)} % first`;
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
