/**
 * `npm run bench:engine`: is the engine as fast as it claims? Every row is measured in this one run, beside its rival.
 *
 *   -- --json              one JSON object on stdout, {"rows":[{"what","value","bar","met"}]}; progress goes to stderr
 *   -- --only text,walk    some sections only
 *   -- --size 2000         smaller, to see whether it runs; the bars are meant for 100 000
 *   -- --save              rewrites the engine's section of docs/benchmarks.md and the growth curve
 */
import { mkdir, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { isMet, machineClass, type Row, saveSection, toJson, toTable } from "../report.ts";
import { type Bench, createBench } from "./bench.ts";
import { benchGrowth } from "./growth.ts";
import { plotGrowth } from "./growth-plot.ts";
import { benchOpening } from "./opening.ts";
import { benchText } from "./text.ts";
import { benchVectors } from "./vectors.ts";
import { benchWalk } from "./walk.ts";
import { benchWrites } from "./writes.ts";

const FULL_SIZE = 100_000;
const PAGE = new URL("../../docs/benchmarks.md", import.meta.url);
const CURVE = new URL("../../docs/benchmarks/engine-growth.svg", import.meta.url);

/** In this order: writing comes after all that needs the memory as it was built. */
const SECTIONS = ["text", "vectors", "walk", "opening", "writes", "growth"] as const;
type Section = (typeof SECTIONS)[number];

interface Found {
  readonly rows: readonly Row[];
  /** The growth curve, an SVG document. */
  readonly curve?: string;
}

const RUN: Readonly<Record<Section, (bench: Bench) => Promise<Found>>> = {
  text: async (bench) => ({ rows: await benchText(bench) }),
  vectors: async (bench) => ({ rows: await benchVectors(bench) }),
  walk: async (bench) => ({ rows: await benchWalk(bench) }),
  opening: async (bench) => ({ rows: await benchOpening(bench) }),
  writes: async (bench) => ({ rows: await benchWrites(bench) }),
  growth: async (bench) => {
    const { rows, series } = await benchGrowth(bench);
    return { rows, curve: plotGrowth(series) };
  },
};

const { values: options } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    save: { type: "boolean", default: false },
    only: { type: "string", default: SECTIONS.join(",") },
    size: { type: "string", default: String(FULL_SIZE) },
  },
});
const chosen = parseSections(options.only);
const size = parseSize(options.size);
if (options.save && (size !== FULL_SIZE || chosen.length !== SECTIONS.length)) {
  fail("--save needs the whole benchmark at its full size: leave --only and --size out.");
}

const bench = createBench(size);
process.on("exit", bench.cleanUp);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(130));

const start = performance.now();
const rows: Row[] = [];
let curve: string | undefined;
for (const section of chosen) {
  bench.note(`${section} …`);
  const found = await RUN[section](bench);
  rows.push(...found.rows);
  curve = found.curve ?? curve;
}
const seconds = Math.round((performance.now() - start) / 1000);
const missed = rows.filter((row) => !isMet(row)).length;
bench.note(`${rows.length} rows in ${seconds} s, ${missed === 0 ? "all bars met" : `${missed} missed`}`);

process.stdout.write(`${options.json ? toJson(rows) : toTable(rows)}\n`);
if (options.save && curve !== undefined) {
  await mkdir(new URL(".", CURVE), { recursive: true });
  await writeFile(CURVE, curve);
  await saveSection(PAGE, "engine", sectionText());
}

function sectionText(): string {
  return `\`npm run bench:engine -- --save\` wrote this in ${seconds} s on ${machineClass()}.

${toTable(rows)}

![Search time against the number of entries, both axes logarithmic](benchmarks/engine-growth.svg)`;
}

function parseSections(text: string): readonly Section[] {
  const names = text.split(",");
  const unknown = names.find((name) => !SECTIONS.some((section) => section === name));
  if (unknown !== undefined) fail(`Unknown section "${unknown}". Valid: ${SECTIONS.join(", ")}.`);
  return SECTIONS.filter((section) => names.includes(section));
}

function parseSize(text: string): number {
  const parsed = Number(text);
  if (!Number.isInteger(parsed) || parsed < 1000)
    fail(`--size is "${text}". Valid: a whole number from 1000.`);
  return parsed;
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
