/** Ways of looking that keep to tiers: through a filter where one index serves all, or index by index where each has its own. */
import { where } from "../../base/filter.ts";
import type { Hit } from "../../base/hit.ts";
import { fuseByUnion } from "../../math/fusion.ts";
import { tierNamed } from "../../policies/tier-plan.ts";
import type { Hints } from "../hints.ts";
import { type ServiceTier, type TierIndex, tierIndexName, tiersFoundIn, timeIndexName } from "../tiers.ts";
import { narrow, type Search, type SearchBy } from "./search.ts";
import { TIME_INDEX } from "./temporal.ts";

/** One index for all tiers. A way of looking that needs a kind of index fits only where an asked tier has it. */
export function acrossTiers(
  tiers: readonly ServiceTier[],
  searchBy: SearchBy,
  needs?: TierIndex | undefined,
): SearchBy {
  return {
    reads: searchBy.reads,
    fits: (query, hints) => askedTiers(tiers, hints, needs).length > 0 && searchBy.fits(query, hints),
    run(search) {
      const { query, hints } = search;
      const indexOf = (index: string): string => (index === TIME_INDEX ? timeIndexName(tiers) : index);
      const shared = { ...search, indexOf, filter: narrow(query.filter, { ...hints, tiers: undefined }) };
      if (hints.tiers === undefined) return searchBy.run(shared);
      const inTiers = where.in("tier", tiersFoundIn(tiers, hints.tiers));
      return searchBy.run({
        ...shared,
        filter: shared.filter === undefined ? inTiers : where.and(inTiers, shared.filter),
      });
    },
  };
}

/** An index per tier: only those of the asked tiers are searched, and their hits put together. */
export function tierByTier(
  tiers: readonly ServiceTier[],
  searchBy: SearchBy,
  needs: TierIndex,
  merge: (lists: readonly TierHits[]) => readonly Hit[],
): SearchBy {
  return {
    reads: searchBy.reads,
    fits: (query, hints) => askedTiers(tiers, hints, needs).length > 0 && searchBy.fits(query, hints),
    async run(search: Search) {
      const { query, hints } = search;
      // Being in the index is being in the tier.
      const filter = narrow(query.filter, { ...hints, tiers: undefined });
      const lists: TierHits[] = [];
      for (const { name } of askedTiers(tiers, hints, needs)) {
        const indexOf = (index: string): string => tierIndexName(name, index);
        lists.push({ name, hits: await searchBy.run({ ...search, filter, indexOf }) });
      }
      return merge(lists).slice(0, query.topK);
    },
  };
}

export interface TierHits {
  readonly name: string;
  readonly hits: readonly Hit[];
}

/** For scores that mean the same in every tier. What two tiers found counts once. */
export function byScore(lists: readonly TierHits[]): readonly Hit[] {
  const found = new Map(lists.flatMap(({ hits }) => hits.map((hit) => [hit.id, hit])));
  return [...found.values()].sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}

/** For orders that mean nothing across tiers: a move is an arrival. The front tier comes first. */
export function frontFirst(lists: readonly TierHits[]): readonly Hit[] {
  const [only] = lists;
  if (only !== undefined && lists.length === 1) return only.hits;
  const found = new Map(lists.flatMap(({ hits }) => hits.map((hit) => [hit.id, hit])));
  return fuseByUnion(lists).flatMap(({ id, score }) => {
    const hit = found.get(id);
    return hit === undefined ? [] : [{ ...hit, score }];
  });
}

/** Those hinted, or all, as far as they have the index; an unknown name is refused. */
function askedTiers(
  tiers: readonly ServiceTier[],
  hints: Hints,
  needs: TierIndex | undefined,
): readonly ServiceTier[] {
  const named = hints.tiers?.map((name) => tierNamed(tiers, name));
  return tiers.filter(
    (tier) => (named?.includes(tier) ?? true) && (needs === undefined || tier.indexes.includes(needs)),
  );
}
