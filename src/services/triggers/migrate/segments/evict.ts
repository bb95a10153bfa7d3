/** Too many segments: the least visited, or the coldest, go into the archive, and with them the pages no other one holds. */
import type { Entry } from "../../../../base/entry.ts";
import { type EntryId, isEntryId } from "../../../../base/ids.ts";
import type { BoundVitality } from "../../../../policies/vitality/index.ts";
import type { TriggerContext } from "../../trigger.ts";
import { visitsOf } from "./segment.ts";

export const EVICTIONS = ["lfu", "heat"] as const;

export interface EvictionOptions {
  readonly max_segments: number;
  readonly evict: (typeof EVICTIONS)[number];
}

/** Ids of what went; of equals the oldest goes first. */
export async function evictSegments(
  { scope, store, deps }: TriggerContext,
  segments: readonly Entry[],
  heat: BoundVitality,
  { max_segments, evict }: EvictionOptions,
): Promise<EntryId[]> {
  if (segments.length <= max_segments) return [];
  const now = deps.clock.now();
  const worth = (one: Entry): number => (evict === "lfu" ? visitsOf(one) : heat.score(one, now));
  const ranked = segments.map((one) => ({ one, worth: worth(one) })).sort((a, b) => a.worth - b.worth);
  const gone = ranked
    .filter(({ one }) => !one.pinned)
    .slice(0, segments.length - max_segments)
    .map(({ one }) => one);
  const left = new Set(segments.filter((one) => !gone.includes(one)).flatMap(({ sources }) => sources));
  const pages = gone.flatMap(({ sources }) => sources.filter(isEntryId)).filter((id) => !left.has(id));
  return store.archiveMany(scope, [...gone.map(({ id }) => id), ...pages], { cause: "migrate: segments" });
}
