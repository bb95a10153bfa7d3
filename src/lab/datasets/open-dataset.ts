/**
 * A data set from its files, ready to be lived through. What cannot be read says which file, what is wrong with it and where,
 * what was expected, and where the original is published.
 */
import { createHash } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { MemoryError } from "../../base/errors.ts";
import type { Dataset, DatasetKind, LabCase } from "../dataset.ts";
import { companions, plainName } from "./companions.ts";
import { contentKind } from "./content-kind.ts";
import { type ReadFile, readDataFile } from "./data-file.ts";
import { parseDatasetSpec } from "./dataset-spec.ts";
import { loadFactConsolidation } from "./fact-consolidation.ts";
import { LeftOut } from "./left-out.ts";
import type { Loader } from "./loaded.ts";
import { loadLocomo } from "./locomo.ts";
import { loadLongMemEval } from "./longmemeval.ts";
import { loadMultihop } from "./multihop.ts";
import { PUBLISHERS } from "./publishers.ts";
import { loadRealMem } from "./realmem.ts";
import { uniqueNames } from "./unique-names.ts";

const LOADERS: Readonly<Record<DatasetKind, Loader>> = {
  locomo: loadLocomo,
  longmemeval: loadLongMemEval,
  multihop: loadMultihop,
  factconsolidation: loadFactConsolidation,
  realmem: loadRealMem,
};

/** `spec` is `KIND=PATH[,PATH…]`, as `PUBLISHERS` says for each kind. */
export async function openDataset(spec: string): Promise<Dataset> {
  const { kind, paths } = await parseDatasetSpec(spec);
  try {
    return await load(kind, paths);
  } catch (error) {
    if (!MemoryError.is(error) || error.code !== "input_invalid") throw error;
    const { files, holds, from } = PUBLISHERS[kind];
    throw new MemoryError(
      "input_invalid",
      `${error.message} Valid: ${files}, JSON or JSON lines, plain or gzip: ${holds}. Published: ${from}.`,
      { cause: error.cause ?? error, details: error.details },
    );
  }
}

async function load(kind: DatasetKind, paths: readonly [string, ...string[]]): Promise<Dataset> {
  const { name, files } = await openFiles(kind, paths);
  const [first, ...more] = files;
  if (first === undefined) throw invalid(`The folder ${paths[0]} holds no RealMem file.`);
  checkKind(kind, first);
  const leftOut = new LeftOut();
  const loaded = LOADERS[kind]([first, ...more], leftOut, name);
  const cases = withUniqueIds(loaded.cases);
  if (!cases.some(({ turns }) => turns.length > 0)) throw invalid(`Nothing is said in ${first.path}.`);
  if (!cases.some(({ questions }) => questions.length > 0))
    throw invalid(`Nothing is asked in ${first.path}.`);
  leftOut.add(
    "questions without evidence, which are in no recall",
    cases.flatMap(({ questions }) => questions).filter(({ evidence }) => evidence.length === 0).length,
  );
  const hash = createHash("sha256");
  for (const { bytes } of files) hash.update(bytes);
  return {
    ...{ kind, name, cases, hash: hash.digest("hex"), leftOut: leftOut.counts() },
    ...(loaded.recorded === undefined ? {} : { recorded: loaded.recorded }),
  };
}

async function openFiles(
  kind: DatasetKind,
  paths: readonly [string, ...string[]],
): Promise<{ name: string; files: ReadFile[] }> {
  const [path] = paths;
  if (paths.length > 1) return { name: plainName(path), files: await Promise.all(paths.map(readDataFile)) };
  const isFolder = await stat(path).then(
    (one) => one.isDirectory(),
    () => false,
  );
  if (isFolder && kind === "realmem") return { name: basename(resolve(path)), files: await personsIn(path) };
  if (isFolder) throw invalid(`${path} is a folder, and a file is needed.`);
  const file = await readDataFile(path);
  return { name: plainName(path), files: [file, ...(await companions(kind, path))] };
}

/** The RealMem files of a folder, by name. Other files may lie there. */
async function personsIn(folder: string): Promise<ReadFile[]> {
  const names = (await readdir(folder)).filter((name) => /\.json(?:\.gz)?$/i.test(name)).sort();
  const files = await Promise.all(names.map((name) => readDataFile(join(folder, name))));
  return files.filter(({ value }) => contentKind(value) === "realmem");
}

/** A file of another kind is told as such, before its parts are found wrong one by one. */
function checkKind(kind: DatasetKind, { path, value }: ReadFile): void {
  const seen = contentKind(value);
  if (seen === undefined || seen === kind) return;
  throw invalid(`The file ${path} looks like ${seen}, not like ${kind}.`);
}

function withUniqueIds(cases: readonly LabCase[]): LabCase[] {
  const ids = uniqueNames(cases.map(({ id }) => id));
  const names = uniqueNames(cases.flatMap(({ questions }) => questions.map(({ id }) => id))).values();
  return cases.map((one, place) => ({
    ...one,
    id: ids[place] ?? one.id,
    questions: one.questions.map((question) => ({ ...question, id: names.next().value ?? question.id })),
  }));
}

function invalid(message: string): MemoryError {
  return new MemoryError("input_invalid", message);
}
