/** `KIND=PATH[,PATH…]`: which data set is meant. */
import { access } from "node:fs/promises";
import { MemoryError } from "../../base/errors.ts";
import { nearestName } from "../../base/nearest-name.ts";
import { DATASET_KINDS, type DatasetKind } from "../dataset.ts";
import { PUBLISHERS } from "./publishers.ts";

export interface DatasetSpec {
  readonly kind: DatasetKind;
  readonly paths: readonly [string, ...string[]];
}

/** How many files a kind takes; RealMem any number. */
const MOST: Readonly<Record<DatasetKind, number>> = {
  locomo: 2,
  longmemeval: 1,
  multihop: 3,
  factconsolidation: 1,
  realmem: Number.POSITIVE_INFINITY,
};

export async function parseDatasetSpec(spec: string): Promise<DatasetSpec> {
  const at = spec.indexOf("=");
  const word = at < 0 ? spec : spec.slice(0, at);
  const kind = DATASET_KINDS.find((one) => one === word.trim().toLowerCase());
  const [first, ...more] = await splitPaths(spec.slice(at + 1));
  if (at < 0 || kind === undefined || first === undefined) {
    const near = nearestName(word, DATASET_KINDS);
    const hint = kind === undefined && near !== undefined ? ` Did you mean "${near}"?` : "";
    throw new MemoryError(
      "option_invalid",
      `"${spec}" names no data set. Valid: KIND=PATH[,PATH…] with KIND one of ${DATASET_KINDS.join(", ")}.${hint}`,
    );
  }
  if (more.length + 1 > MOST[kind])
    throw new MemoryError(
      "option_invalid",
      `"${spec}" names ${more.length + 1} files. Valid: ${PUBLISHERS[kind].files}.`,
    );
  return { kind, paths: [first, ...more] };
}

/** Commas part paths, but a path may have one: a piece that is no file is read on to the next comma. */
async function splitPaths(text: string): Promise<string[]> {
  const pieces = text.split(",");
  const paths: string[] = [];
  for (let from = 0; from < pieces.length; ) {
    let to = from + 1;
    while (to <= pieces.length && !(await exists(pieces.slice(from, to).join(",")))) to++;
    // None exists: the piece alone, which is told when it is opened.
    if (to > pieces.length) to = from + 1;
    paths.push(pieces.slice(from, to).join(","));
    from = to;
  }
  return paths.filter((path) => path.trim() !== "");
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
