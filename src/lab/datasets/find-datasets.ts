/**
 * Which data sets lie in a folder? Content tells, not names: what is no data set, or belongs to one, is passed over. RealMem's
 * persons that lie in one folder are one data set.
 */
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { MemoryError } from "../../base/errors.ts";
import { DATASET_KINDS } from "../dataset.ts";
import { contentKind } from "./content-kind.ts";
import { readDataFile } from "./data-file.ts";
import { PUBLISHERS } from "./publishers.ts";

/** Specs for `openDataset`, by path. */
export async function findDatasets(folder: string): Promise<string[]> {
  const specs = new Set<string>();
  for (const path of await filesIn(folder)) {
    const seen = await kindOf(path);
    const kind = DATASET_KINDS.find((one) => one === seen);
    if (kind !== undefined) specs.add(`${kind}=${kind === "realmem" ? dirname(path) : path}`);
  }
  if (specs.size > 0) return [...specs];
  const known = DATASET_KINDS.map((kind) => `${kind} (${PUBLISHERS[kind].from})`).join("; ");
  throw new MemoryError(
    "input_invalid",
    `There is no data set in ${folder}. Valid: a folder with one of ${known}.`,
  );
}

/** Below a folder, by path, without what is hidden or installed. */
async function filesIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true, recursive: true });
    return entries
      .filter((entry) => entry.isFile() && /\.jsonl?(?:\.gz)?$|\.gz$/i.test(entry.name))
      .map(({ parentPath, name }) => join(parentPath, name))
      .filter((path) => !/(?:^|[\\/])(?:\.[^\\/.]|node_modules[\\/])/.test(path.slice(folder.length)))
      .sort();
  } catch (cause) {
    throw new MemoryError(
      "input_invalid",
      `The folder ${folder} could not be read. Valid: a folder with data sets in it or below it.`,
      { cause },
    );
  }
}

async function kindOf(path: string): Promise<string | undefined> {
  try {
    return contentKind((await readDataFile(path)).value);
  } catch (error) {
    if (MemoryError.is(error)) return undefined;
    throw error;
  }
}
