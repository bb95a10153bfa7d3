/** One summary of everything that none has taken up yet, or one per value of a metadata field, as per session. */
import type { Entry } from "../../../base/entry.ts";
import { readField } from "../../../base/filter.ts";
import type { JsonObject } from "../../../base/json.ts";
import { type Assignment, citedBy, type Holdings, type Writing, writeFrom } from "./strategy.ts";

export const SINGLE = "single";

export function assignSingle(
  { originals, summaries }: Holdings,
  writing: Writing,
  groupBy: string | null,
): Assignment[] {
  const known = citedBy(summaries.filter(({ metadata }) => metadata.strategy === SINGLE));
  const fresh = originals.filter(({ id }) => !known.has(id));
  const groups = Map.groupBy(fresh, (entry) => groupOf(entry, groupBy));
  return [...groups].map(([value, sources]) => ({
    cites: sources.map(({ id }) => id),
    sources,
    fresh: sources.length,
    replaces: [],
    metadata: { strategy: SINGLE, ...namedGroup(groupBy, value) },
    write: () => writeFrom(writing, sources),
  }));
}

function groupOf(entry: Entry, field: string | null): string | undefined {
  const value = field === null ? undefined : readField(entry, `metadata.${field}`);
  return value === undefined || value === null ? undefined : String(value);
}

function namedGroup(field: string | null, value: string | undefined): JsonObject {
  return field === null || value === undefined ? {} : { group: { [field]: value } };
}
