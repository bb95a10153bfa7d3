/**
 * What is remembered wakes what is linked to it: activation spreads from memories that were given, or that were ever looked
 * at, and the memories it reaches are at least as lively as it is when it arrives (their energy anchor). The anchor is dated
 * by the look that caused it, so that the same look wakes nobody twice; what was left of their own energy by then is told
 * by the service's vitality.
 */
import { z } from "zod";
import type { EnergyAnchor, Entry } from "../../../base/entry.ts";
import { where } from "../../../base/filter.ts";
import type { BoundVitality } from "../../../policies/vitality/index.ts";
import { GRAPH_INDEX, memoriesOnly } from "../../graph/entity.ts";
import { type LinkPolicy, ownMemories } from "./link-policy.ts";

export const activateOptions = z.strictObject({
  link_policy: z.literal("activate").describe("Memories wake those that are linked to them."),
  depth: z.int().min(1).max(10).describe("How many links activation goes along."),
  decay: z.number().positive().max(1).describe("What activation keeps of itself at each link."),
});
type Options = z.infer<typeof activateOptions>;

/** Memories that one look can wake. */
const MOST = 1000;

interface Wake {
  readonly entry: Entry;
  readonly value: number;
  readonly at: number;
}

export const activate: LinkPolicy<Options> = async (context, { depth, decay }, entries) => {
  const { scope, store, directed, vitality } = context;
  const memories = await ownMemories(context, entries);
  const lookedAt = entries === undefined ? memories.filter(({ accessCount }) => accessCount > 0) : memories;
  const wakes = new Map<string, Wake>();
  for (const { id, lastAccessAt: at } of lookedAt) {
    const direction = directed ? "out" : "both";
    const params = { mode: "spread", seeds: { [id]: 1 }, hops: depth, decay, direction };
    const filter = where.and(memoriesOnly, where.not(where.eq("id", id)));
    for (const hit of await store.retrieve(scope, { index: GRAPH_INDEX, params, topK: MOST, filter })) {
      const known = wakes.get(hit.id);
      const later = known === undefined || at > known.at || (at === known.at && hit.score > known.value);
      // Public memories are the public scope's to change.
      if (later && hit.scope === scope) wakes.set(hit.id, { entry: hit, value: hit.score, at });
    }
  }
  const due = [...wakes.values()].filter(({ entry, at }) => (entry.energyAnchor?.at ?? -1) < at);
  await store.touch(
    scope,
    due.map(({ entry, value, at }) => ({
      id: entry.id,
      energyAnchor: { value: Math.min(1, Math.max(value, leftOf(entry, at, vitality))), at },
    })),
    { cause: "link_evolution: activate" },
  );
  return { examined: lookedAt.length, edges: 0, reason: `${due.length} memories were woken; links stay.` };
};

/** What is left of an entry's energy at a moment; none that was written is none. */
function leftOf(entry: Entry, at: number, vitality: BoundVitality | undefined): number {
  const { energyAnchor: anchor } = entry;
  return anchor === null ? 0 : anchor.value * keptShare(entry, anchor, at, vitality);
}

/** Which part of its energy the vitality lets it keep; without one nothing fades. */
function keptShare(
  entry: Entry,
  { at: since }: EnergyAnchor,
  at: number,
  vitality: BoundVitality | undefined,
): number {
  const before = vitality?.score(entry, since) ?? 0;
  return vitality === undefined || before <= 0 ? 1 : Math.min(1, vitality.score(entry, at) / before);
}
