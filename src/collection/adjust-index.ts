/** Is an index that is there the one that was described? If not, can it become it without being built anew? */
import { isDeepStrictEqual } from "node:util";
import { MemoryError } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";
import { type IndexKinds, indexDefinition } from "../indexes/index.ts";
import type { IndexRecord } from "../storage/registry.ts";
import type { NewCollectionIndex } from "./index-set.ts";

/** Its options with those that were described otherwise; undefined if none was. Refused if its kind cannot adjust one. */
export function adjustedOptions(
  collection: string,
  known: IndexRecord,
  described: NewCollectionIndex,
  kinds: IndexKinds,
): JsonObject | undefined {
  const name = `the index "${known.name}" of the collection "${collection}"`;
  if (known.kind !== described.kind)
    throw differs(`${name} is of kind "${known.kind}", not "${described.kind}"`);
  const { adjustable = [] } = indexDefinition(known.kind, kinds);
  const changes = Object.entries(described.options ?? {}).filter(
    ([option, value]) => !isDeepStrictEqual(known.options[option], value),
  );
  for (const [option, value] of changes) {
    if (adjustable.includes(option)) continue;
    const old = JSON.stringify(known.options[option]) ?? "unset";
    throw differs(`${name} has ${option} ${old}, not ${JSON.stringify(value)}`);
  }
  return changes.length === 0 ? undefined : { ...known.options, ...Object.fromEntries(changes) };
}

export function differs(what: string): MemoryError {
  return new MemoryError(
    "name_taken",
    `What is there differs from what was described: ${what}. Valid: the same description, or another name.`,
  );
}
