/** What was asked for on the command line of the laboratory's bench; what is wrong with it is told before anything runs. */
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { cacheFolder } from "../../src/cli/cache-folder.ts";
import { type JobChoice, SECTIONS } from "./sections.ts";

/** Beside those with tables: the graph's sizes on MuSiQue, the time of a whole run on LoCoMo. */
const NAMES = [...SECTIONS.map(({ name }) => name), "graph", "time"];

export interface LabOptions {
  readonly data: string;
  /** Names of sections. */
  readonly sections: readonly string[];
  readonly choice: JobChoice;
  readonly jobs: number;
  readonly json: boolean;
  readonly save: boolean;
}

/** `packaged`: all presets of the package. Throws an Error with a sentence for people. */
export function readOptions(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  packaged: readonly string[],
): LabOptions {
  const { values } = parseArgs({
    args: [...words],
    options: {
      ...{ data: { type: "string" }, only: { type: "string" }, presets: { type: "string" } },
      ...{ out: { type: "string" }, cache: { type: "string" }, "limit-cases": { type: "string" } },
      jobs: { type: "string", default: "1" },
      fresh: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      save: { type: "boolean", default: false },
    },
  });
  const data = values.data ?? env.NEUROMEM_DATA;
  if (data === undefined) throw new Error("Where is the data? Valid: --data DIR, or NEUROMEM_DATA.");
  const sections = namesIn("--only", values.only, NAMES);
  const presets = namesIn("--presets", values.presets, packaged);
  const limitCases = numberIn("--limit-cases", values["limit-cases"]);
  if (values.save && (presets ?? limitCases) !== undefined)
    throw new Error("--save needs whole sections. Valid: no --presets or --limit-cases beside it.");
  const cache = resolve(values.cache ?? cacheFolder(env));
  // The first cases are other runs than all of them.
  const part = limitCases === undefined ? "lab" : `lab-first-${limitCases}`;
  return {
    ...{ data: resolve(data), sections: sections ?? NAMES, json: values.json, save: values.save },
    jobs: numberIn("--jobs", values.jobs) ?? 1,
    choice: {
      ...{ presets, cache, limitCases, isFresh: values.fresh },
      out: resolve(values.out ?? join(cache, part)),
      // Rows of the table and variants only where they are named.
      every: packaged.filter((name) => !name.includes("/")),
    },
  };
}

function namesIn(option: string, text: string | undefined, known: readonly string[]): string[] | undefined {
  const names = text?.split(",");
  const unknown = names?.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`${option} has "${unknown}". Valid: ${known.join(", ")}.`);
  return names;
}

function numberIn(option: string, text: string | undefined): number | undefined {
  const value = Number(text);
  if (text === undefined || (Number.isSafeInteger(value) && value >= 1))
    return text === undefined ? undefined : value;
  throw new Error(`${option} is "${text}". Valid: a whole number from 1 on.`);
}
