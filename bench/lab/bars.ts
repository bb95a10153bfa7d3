/** Are the bars met? Rows from the summaries of runs: what was measured of which design, and what it had to reach. */
import { percent, percentInterval } from "../../src/lab/report/figures.ts";
import type { Estimate, RunSummary } from "../../src/lab/result.ts";
import { atLeast, type Row } from "../report.ts";
import { FLAGSHIP, RIVALS, SECTIONS } from "./sections.ts";

type Read = (summary: RunSummary) => Estimate | undefined;

interface Wanted {
  readonly section: string;
  readonly preset: string;
  readonly what: string;
  readonly read: Read;
  /** Per cent. */
  readonly limit: number;
  /** Figures that stand beside it, by what they are. */
  readonly beside?: Readonly<Record<string, Read>>;
}

const SMALL_LIST = "sh_6k";

const WANTED: readonly Wanted[] = [
  {
    ...{ section: "locomo", preset: FLAGSHIP, what: "evidence R@10, categories 1–4" },
    ...{ read: overall("recall@10"), limit: 84 },
  },
  {
    ...{ section: "locomo", preset: FLAGSHIP, what: "multi-hop (category 1), evidence R@10" },
    ...{ read: inCategory("1", "recall@10"), limit: 58 },
  },
  {
    ...{ section: "locomo", preset: FLAGSHIP, what: "multi-hop (category 1), all evidence in 10 hits" },
    ...{ read: inCategory("1", "all@10"), limit: 25 },
  },
  {
    ...{ section: "longmemeval", preset: FLAGSHIP, what: "evidence turns R@10" },
    ...{ read: overall("recall@10"), limit: 88 },
  },
  {
    ...{ section: "longmemeval", preset: FLAGSHIP, what: "evidence sessions R@5" },
    ...{ read: overall("sessions@5"), limit: 95 },
  },
  {
    ...{ section: "musique", preset: FLAGSHIP, what: "passages R@5, passages only" },
    ...{ read: overall("recall@5"), limit: 64 },
  },
  {
    ...{ section: "hotpotqa", preset: FLAGSHIP, what: "passages R@5, passages only" },
    ...{ read: overall("recall@5"), limit: 85 },
  },
  {
    // Values are traced for questions of one hop only, so that all of them is all of those.
    ...{ section: "facts", preset: FLAGSHIP, what: "single hop, the newest value within three hits" },
    ...{ read: overall("value@3"), limit: 92 },
    beside: {
      "before any older one": overall("newest@3"),
      "6k": inCategory(SMALL_LIST, "value@3"),
      "32k": inCategory("sh_32k", "value@3"),
    },
  },
  ...["mem0", "biem"].map((preset) => ({
    ...{ section: "facts", preset, what: "6k, single hop, the newest value first" },
    ...{ read: inCategory(SMALL_LIST, "newest@1"), limit: 90 },
    beside: { "within three hits": inCategory(SMALL_LIST, "newest@3") },
  })),
];

/** The runs of one data set in one section. */
export interface Ran {
  readonly section: string;
  readonly summaries: readonly RunSummary[];
}

/** Whatever was not run has no row. */
export function barRows(all: readonly Ran[]): Row[] {
  return all.flatMap(({ section, summaries }) => {
    const rows = WANTED.filter((wanted) => wanted.section === section).flatMap((wanted) =>
      rowOf(wanted, summaries),
    );
    return section === "musique" ? [...rows, ...leadRow(summaries)] : rows;
  });
}

function rowOf(
  { section, preset, what, read, limit, beside = {} }: Wanted,
  all: readonly RunSummary[],
): Row[] {
  const own = all.find((one) => one.preset.name === preset);
  const estimate = own && read(own);
  if (own === undefined || estimate === undefined) return [];
  const more = Object.entries(beside).flatMap(([name, of]) => named(name, of(own)));
  const rivals = RIVALS.filter((name) => name !== preset).flatMap((name) => {
    const rival = all.find((one) => one.preset.name === name);
    return rival === undefined ? [] : named(name, read(rival));
  });
  const parts = [
    `${percentInterval(estimate)}, ${estimate.count} questions`,
    more.join(", "),
    rivals.join(", "),
  ];
  return [
    {
      what: `${titleOf(section, own)}, ${preset}: ${what}`,
      value: 100 * estimate.mean,
      bar: atLeast(limit, "%"),
      measured: parts.filter((part) => part !== "").join("; "),
    },
  ];
}

/** What the graph of recorded triples brings over the best of those without one. */
function leadRow(all: readonly RunSummary[]): Row[] {
  const [name, measure, preset] = ["the best of BM25, dense and hybrid", "recall@5", "hipporag2"];
  const value = (one: string): number | undefined =>
    all.find((run) => run.preset.name === one)?.overall[measure]?.mean;
  const own = all.find((run) => run.preset.name === preset);
  const [mean, rivals] = [value(preset), RIVALS.map((rival) => ({ rival, mean: value(rival) }))];
  const known = rivals.flatMap((one) => one.mean ?? []);
  // Without the recording it is another design.
  if (own?.models.chat !== "recorded" || mean === undefined || known.length < rivals.length) return [];
  const others = ["hipporag", FLAGSHIP].map((one) => ({ rival: one, mean: value(one) }));
  const figures = [{ rival: preset, mean }, ...others, ...rivals].flatMap((one) =>
    one.mean === undefined ? [] : `${one.rival} ${percent(one.mean)}`,
  );
  return [
    {
      what: `${titleOf("musique", own)}, recorded triples: ${preset} above ${name}, passages R@5`,
      value: 100 * (mean - Math.max(...known)),
      bar: atLeast(3, "points"),
      measured: figures.join(", "),
    },
  ];
}

/** As "LoCoMo (locomo10)". */
export function titleOf(section: string, { dataset: { name } }: Pick<RunSummary, "dataset">): string {
  return `${SECTIONS.find((one) => one.name === section)?.title ?? section} (${name})`;
}

function named(name: string, estimate: Estimate | undefined): string[] {
  return estimate === undefined ? [] : [`${name} ${percent(estimate.mean)}`];
}

function overall(measure: string): Read {
  return (summary) => summary.overall[measure];
}

function inCategory(category: string, measure: string): Read {
  return ({ byCategory }) => byCategory[category]?.[measure];
}
