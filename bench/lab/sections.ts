/**
 * What is run on which data, and what of it is shown? One section for each table of docs/benchmarks.md: the data sets it is for
 * (found by their content), its designs, how many hits are looked at, and the measures that its tables show.
 */
import { basename } from "node:path";
import type { DatasetKind } from "../../src/lab/dataset.ts";
import { plainName } from "../../src/lab/datasets/companions.ts";
import { type Job, runName } from "../../src/lab/run/job.ts";

export interface Section {
  readonly name: string;
  readonly title: string;
  readonly kind: DatasetKind;
  /** Which data sets of that kind, by name. */
  readonly of: RegExp;
  /** "every": all presets of the package. */
  readonly presets: readonly string[] | "every";
  readonly ks: readonly number[];
  /** What its tables are sorted by. */
  readonly main: string;
  readonly measures: readonly string[];
  /** Measures that get a table by category. */
  readonly byCategory: readonly string[];
  /** Measures that are shown by an audit's labels, too. */
  readonly corrected: readonly string[];
  /** Whether it has tables of cost and of the questions that cannot be answered; those who share its runs' data need none. */
  readonly isWhole: boolean;
}

/** The design that the bars are for. */
export const FLAGSHIP = "neuromem";
export const RIVALS = ["hybrid", "bm25", "dense"];
const USUAL = [FLAGSHIP, ...RIVALS];

export const SECTIONS: readonly Section[] = [
  {
    ...{ name: "locomo", title: "LoCoMo", kind: "locomo", of: /./ },
    ...{ presets: "every", ks: [5, 10, 20], main: "turns@10" },
    measures: ["turns@10", "recall@5", "recall@10", "recall@20", "all@10", "mrr"],
    ...{ byCategory: ["turns@10"], corrected: ["turns@10", "recall@10"], isWhole: true },
  },
  {
    // Another table of the same runs.
    ...{ name: "budget", title: "LoCoMo within a budget of tokens", kind: "locomo", of: /./ },
    ...{ presets: "every", ks: [5, 10, 20], main: "recall_in_1000" },
    measures: [250, 500, 1000, 2000, 4000].map((tokens) => `recall_in_${tokens}`),
    ...{ byCategory: [], corrected: [], isWhole: false },
  },
  {
    // Evidence sessions alone ("oracle") are no haystack.
    ...{ name: "longmemeval", title: "LongMemEval-S", kind: "longmemeval", of: /^(?!.*oracle)/i },
    ...{ presets: [...USUAL, "full_context"], ks: [5, 10, 20], main: "recall@10" },
    measures: ["recall@5", "recall@10", "sessions@5", "all@10", "mrr", "recall_in_1000"],
    ...{ byCategory: ["recall@10"], corrected: [], isWhole: true },
  },
  {
    ...{ name: "musique", title: "MuSiQue", kind: "multihop", of: /musique/i },
    ...{ presets: [...USUAL, "hipporag2", "hipporag"], ks: [2, 5, 10], main: "recall@5" },
    measures: ["recall@2", "recall@5", "recall@10", "all@5", "mrr"],
    ...{ byCategory: ["recall@5"], corrected: [], isWhole: true },
  },
  {
    ...{ name: "hotpotqa", title: "HotpotQA", kind: "multihop", of: /hotpot/i },
    ...{ presets: USUAL, ks: [2, 5, 10], main: "recall@5" },
    measures: ["recall@2", "recall@5", "recall@10", "all@5", "mrr"],
    ...{ byCategory: ["recall@5"], corrected: [], isWhole: true },
  },
  {
    ...{ name: "facts", title: "FactConsolidation", kind: "factconsolidation", of: /./ },
    ...{ presets: [...USUAL, "mem0", "biem"], ks: [1, 3, 5, 10], main: "newest@1" },
    measures: ["newest@1", "newest@3", "value@3", "recall@3", "contains@10"],
    ...{ byCategory: ["newest@1", "value@3", "contains@10"], corrected: [], isWhole: true },
  },
  {
    ...{ name: "realmem", title: "RealMem", kind: "realmem", of: /./ },
    ...{ presets: USUAL, ks: [5, 10, 20], main: "recall@10" },
    measures: ["recall@5", "recall@10", "recall@20", "sessions@10", "all@10", "mrr"],
    ...{ byCategory: ["recall@10"], corrected: [], isWhole: true },
  },
];

/** The data sets of a section among specs as `findDatasets` gives them. */
export function specsFor({ kind, of }: Pick<Section, "kind" | "of">, specs: readonly string[]): string[] {
  return specs.filter((spec) => spec.startsWith(`${kind}=`) && of.test(nameOf(spec)));
}

export interface JobChoice {
  /** In place of the section's own. */
  readonly presets?: readonly string[] | undefined;
  /** All presets of the package. */
  readonly every: readonly string[];
  readonly out: string;
  readonly cache: string;
  readonly limitCases?: number | undefined;
  readonly isFresh: boolean;
}

/** Of the intervals' draws. */
const SEED = 7;

export function jobOf(section: Section, spec: string, preset: string, choice: JobChoice): Job {
  return {
    ...{ dataset: spec, preset, name: runName(preset, nameOf(spec)), ks: [...section.ks], points: 1 },
    ...{ seed: SEED, out: choice.out, cache: choice.cache },
    ...(choice.limitCases === undefined ? {} : { limit: { cases: choice.limitCases } }),
    ...(choice.isFresh ? { fresh: true } : {}),
  };
}

export function jobsOf(section: Section, specs: readonly string[], choice: JobChoice): Job[] {
  const presets = choice.presets ?? (section.presets === "every" ? choice.every : section.presets);
  return specsFor(section, specs).flatMap((spec) =>
    presets.map((preset) => jobOf(section, spec, preset, choice)),
  );
}

/** What `openDataset` will call it. */
function nameOf(spec: string): string {
  return plainName(basename(spec.slice(spec.indexOf("=") + 1)));
}
