/** What was run, where and with what? What all runs share is said once; what differs is a column. */
import { NOTHING, shortHash } from "./figures.ts";
import type { Run } from "./run.ts";
import type { Table } from "./table.ts";

export interface RunFacts {
  /** As ["seed", "7"]. */
  readonly shared: readonly (readonly [string, string])[];
  readonly table: Table;
}

type Summary = Run["summary"];

/** Of every run. Hashes of designs and data are its own, whoever shares them. */
const OWN: Readonly<Record<string, (summary: Summary) => string>> = {
  preset: ({ preset }) => `${preset.name} (${shortHash(preset.hash)})`,
  "data set": ({ dataset }) => `${dataset.name} (${shortHash(dataset.hash)})`,
};

const PERHAPS_SHARED: Readonly<Record<string, (summary: Summary) => string>> = {
  embedder: ({ embedder }) => (embedder === null ? "none" : `${embedder.id} (${shortHash(embedder.hash)})`),
  model: ({ models }) => models.chat ?? "none",
  judges: ({ models }) => (models.judges.length === 0 ? "none" : models.judges.join(", ")),
  seed: ({ seed }) => String(seed),
  points: ({ byPoint }) => String(Math.max(1, byPoint.length)),
  neuromem: ({ version }) => version,
  git: ({ git }) =>
    git === null ? NOTHING : `${shortHash(git.commit)}${git.isClean ? "" : ", with changes beside it"}`,
  machine: ({ machine }) =>
    `${machine.cpus} × ${machine.cpu}, ${machine.memoryGb} GB, ${machine.platform}, Node ${machine.node}`,
};

export function runFacts(runs: readonly Run[]): RunFacts {
  const facts = Object.entries(PERHAPS_SHARED).map(([name, of]) => {
    const values = runs.map(({ summary }) => of(summary));
    return { name, values, isShared: new Set(values).size === 1 };
  });
  const shared = facts.flatMap(({ name, values: [value], isShared }) =>
    isShared && value !== undefined ? [[name, value] as const] : [],
  );
  const columns = [
    { name: "run", values: runs.map(({ summary }) => summary.run) },
    ...Object.entries(OWN).map(([name, of]) => ({ name, values: runs.map(({ summary }) => of(summary)) })),
    ...facts.filter(({ isShared }) => !isShared),
  ];
  return {
    shared,
    table: {
      title: "Runs",
      head: columns.map(({ name }) => name),
      rows: runs.map((_, row) => columns.map(({ values }) => ({ text: values[row] ?? NOTHING }))),
    },
  };
}
