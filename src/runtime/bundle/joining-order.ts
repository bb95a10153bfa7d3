/**
 * In which order did the entries of a scope join its indexes? A queue gives up what joined first, so whoever brings them
 * back must let them join in that order. Ids and places are held in memory, nothing of what the entries say.
 */
import type { EntryId } from "../../base/ids.ts";
import type { Scope } from "../../base/scope.ts";
import type { IndexRecord } from "../../storage/registry.ts";
import type { Storage } from "../../storage/storage.ts";

/** An entry joins some indexes at once; what moved between tiers joined more than once. */
export interface Joining {
  readonly id: EntryId;
  /** Names of indexes; [] for what is in none: archived, or found by facts alone. */
  readonly indexes: readonly string[];
  /** The first of its entry. */
  readonly isFirst: boolean;
}

const PAGE = 1000;
const NOTHING = { fields: [], space: undefined, edges: false } as const;

export async function joiningOrder(
  storage: Storage,
  scope: Scope,
  collection: string,
  indexes: readonly IndexRecord[],
): Promise<Joining[]> {
  const own = await storage.find(scope, collection, undefined, true);
  const members: Member[][] = [];
  const came = new Map<EntryId, number>();
  for (const { name: index, number } of indexes) {
    const all = (await membersOf(storage, collection, number)).filter(({ id }) => own.has(id));
    for (const { id, position } of all) came.set(id, Math.min(position, came.get(id) ?? position));
    members.push(all.map(({ id, position }) => ({ index, id, position })));
  }
  const joined = members.flatMap((all) => joinedWithCome(all, came));
  const groups = [...Map.groupBy(joined, ({ position, id }) => `${position} ${id}`).values()];
  const later = groups
    .toSorted(([a], [b]) => (a?.position ?? 0) - (b?.position ?? 0))
    .flatMap((group): Joining[] => {
      const [first] = group;
      if (first === undefined) return [];
      const { id, position } = first;
      return [{ id, indexes: group.map(({ index }) => index), isFirst: position === came.get(id) }];
    });
  const outside = [...own].filter((id) => !came.has(id));
  return [...outside.map((id) => ({ id, indexes: [], isFirst: true })), ...later];
}

interface Member {
  readonly index: string;
  readonly id: EntryId;
  readonly position: number;
}

/** Of an index that all joined in the order in which they came, it need not be told when they did: with their coming. */
function joinedWithCome(members: readonly Member[], came: ReadonlyMap<EntryId, number>): readonly Member[] {
  const moved = members.map((member) => ({ ...member, position: came.get(member.id) ?? member.position }));
  const order = members.map((_, place) => place).sort((a, b) => at(members, a) - at(members, b));
  const inOrder = order.every(
    (place, next) => next === 0 || at(moved, order[next - 1] ?? 0) <= at(moved, place),
  );
  return inOrder ? moved : members;
}

function at(members: readonly Member[], place: number): number {
  return members[place]?.position ?? 0;
}

async function membersOf(
  storage: Storage,
  collection: string,
  index: number,
): Promise<{ readonly id: EntryId; readonly position: number }[]> {
  const found: { readonly id: EntryId; readonly position: number }[] = [];
  for (let after: EntryId | undefined; ; ) {
    const page = await storage.feed.members(collection, index, NOTHING, after, PAGE);
    for (const { id, position } of page) found.push({ id, position });
    after = page.at(-1)?.id;
    if (page.length < PAGE) return found;
  }
}
