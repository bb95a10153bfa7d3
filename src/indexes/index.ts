/** Which kinds of index are there? One line each; a new kind is one file and one line here. */
import { MemoryError } from "../base/errors.ts";
import { validNames } from "../base/nearest-name.ts";
import { parseInput } from "../base/parse-input.ts";
import { fifoIndex } from "./fifo.ts";
import { graphIndex } from "./graph.ts";
import type { Index, IndexDefinition, IndexDeps } from "./index-contract.ts";
import { keyIndex } from "./key.ts";
import { lshIndex } from "./lsh.ts";
import { segmentIndex } from "./segment.ts";
import { sortedIndex } from "./sorted.ts";
import { tagIndex } from "./tag.ts";
import { textBm25Index } from "./text-bm25.ts";
import { vectorFlatIndex } from "./vector-flat.ts";

export type IndexKinds = Readonly<Record<string, IndexDefinition>>;

export const INDEX_KINDS: IndexKinds = {
  vector_flat: vectorFlatIndex,
  lsh: lshIndex,
  text_bm25: textBm25Index,
  graph: graphIndex,
  fifo: fifoIndex,
  sorted: sortedIndex,
  tag: tagIndex,
  key: keyIndex,
  segment: segmentIndex,
};

/** `kinds`: the built-in ones, or those and a caller's own. */
export function indexDefinition(kind: string, kinds: IndexKinds = INDEX_KINDS): IndexDefinition {
  const definition = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (definition !== undefined) return definition;
  throw new MemoryError(
    "unknown_name",
    `There is no index kind "${kind}". ${validNames(kind, Object.keys(kinds))}`,
  );
}

/** The one factory of all indexes (S0-49): checks the options a caller or a preset wrote, and makes an empty index. */
export function createIndexOf(
  kind: string,
  options: unknown,
  deps: IndexDeps,
  kinds: IndexKinds = INDEX_KINDS,
): Index {
  const definition = indexDefinition(kind, kinds);
  const given = parseInput(definition.options, options ?? {}, `options of a ${kind} index`, "option_invalid");
  return definition.create(given, deps);
}
