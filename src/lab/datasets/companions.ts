/**
 * What belongs to a data set and lies beside it under a usual name: an audit beside LoCoMo, the corpus and the recorded triples
 * beside multi-hop questions. Looked for only where the spec names one file; who names more wants exactly those.
 */
import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { DatasetKind } from "../dataset.ts";
import { type ContentKind, contentKind } from "./content-kind.ts";
import { type ReadFile, readDataFile } from "./data-file.ts";

/** Without folder and endings: "longmemeval_s.json.gz" → "longmemeval_s". */
export function plainName(path: string): string {
  return basename(path).replace(/(?:\.(?:jsonl?|gz))+$/i, "");
}

export async function companions(kind: DatasetKind, path: string): Promise<ReadFile[]> {
  const name = plainName(path);
  if (kind === "locomo") {
    const beside = (await filesBeside(path)).filter((file) => /audit/i.test(basename(file)));
    // "audit_dev" beside "locomo_dev" before any other.
    const own = beside.filter((file) => plainName(file) === name.replace(/locomo(?:10)?/i, "audit"));
    return await found(own.length > 0 ? own : beside, "audit");
  }
  if (kind !== "multihop") return [];
  const beside = await filesBeside(path);
  const corpus = await found(
    beside.filter((file) => plainName(file) === `${name}_corpus`),
    "corpus",
  );
  // The recorded triples come third, after a corpus.
  if (corpus.length === 0) return [];
  const recorded = beside.filter((file) => plainName(file).startsWith(`openie_${name}_`));
  return [...corpus, ...(await found(recorded, "openie"))];
}

/** The only one of the files that holds it; of several nobody knows which is meant. */
async function found(paths: readonly string[], kind: ContentKind): Promise<ReadFile[]> {
  const read = await Promise.all(paths.map(readDataFile));
  const right = read.filter(({ value }) => contentKind(value) === kind);
  return right.length === 1 ? right : [];
}

async function filesBeside(path: string): Promise<string[]> {
  const names = await readdir(dirname(path));
  return names
    .filter((name) => name !== basename(path) && /\.jsonl?(?:\.gz)?$/i.test(name))
    .sort()
    .map((name) => join(dirname(path), name));
}
