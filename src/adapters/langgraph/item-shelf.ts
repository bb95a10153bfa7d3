/**
 * Items in a memory: all that stand somewhere, found by a question, put and taken away. A new version of an item is written
 * before the old one is forgotten, and of two versions the newer counts; so whenever it stops, and whoever else writes, one
 * version is there. The old one is erased, not only replaced: no recall finds it.
 */
import type { Clock } from "../../base/clock.ts";
import { MemoryError } from "../../base/errors.ts";
import { type Filter, where } from "../../base/filter.ts";
import { createQueue } from "../../base/promise.ts";
import { addressOf, at, ITEM, under } from "./item-address.ts";
import { checkValue, type ItemMemory, itemMemory, type StoredItem, storedItem } from "./stored-item.ts";

interface Holding {
  readonly id: string;
  readonly metadata: object;
}

/** A `Memory`, a client of one, or whatever has these verbs. */
export interface StoreMemory {
  remember(said: readonly ItemMemory[]): Promise<{ readonly delayed: string | null }>;
  recall(
    question: string,
    options: { readonly limit: number; readonly filter: Filter },
  ): Promise<{ readonly hits: readonly (Holding & { readonly score: number })[] }>;
  list(options: {
    readonly filter: Filter;
    readonly after?: string | undefined;
    readonly limit: number;
    readonly all: true;
  }): Promise<{ readonly entries: readonly Holding[]; readonly next: string | null }>;
  forget(what: { readonly filter: Filter }): Promise<unknown>;
}

export interface Put {
  readonly namespace: readonly string[];
  readonly key: string;
  /** null takes the item away. */
  readonly value: object | null;
  readonly index?: false | readonly string[] | undefined;
}

export interface ItemShelf {
  get(namespace: readonly string[], key: string): Promise<StoredItem | undefined>;
  /** In the order they were first put. */
  all(prefix: readonly string[]): Promise<StoredItem[]>;
  /** Of those that are searched, best first. */
  find(
    prefix: readonly string[],
    query: string,
    limit: number,
  ): Promise<{ readonly item: StoredItem; readonly score: number }[]>;
  /** Together; of several for one place the last counts. */
  put(puts: readonly Put[]): Promise<void>;
}

const PAGE = 1000;
/** A client writes a filter into an address, which may not grow without end. */
const LONGEST_FILTER = 8000;

export function itemShelf(memory: StoreMemory, clock: Clock): ItemShelf {
  // One after another, so that two puts that nobody waited for end in the order they were made.
  const inTurn = createQueue();

  async function versionsAt(puts: readonly Put[]) {
    const newest = new Map<string, StoredItem>();
    const older: string[] = [];
    for (const places of fewAtOnce(puts.map(({ namespace, key }) => at(namespace, key)))) {
      const found = await versions(memory, where.or(...places));
      for (const [address, item] of found.newest) newest.set(address, item);
      older.push(...found.older);
    }
    return { newest, older };
  }

  async function write(puts: readonly Put[]): Promise<void> {
    const before = await versionsAt(puts);
    const made = puts.flatMap(({ namespace, key, value, index }) => {
      if (value === null) return [];
      const old = before.newest.get(addressOf(namespace, key));
      const now = Math.max(clock.now(), (old?.updatedAt.getTime() ?? -1) + 1);
      const createdAt = old?.createdAt.getTime() ?? now;
      return [
        itemMemory({ namespace, key, value: checkValue(value, key), index, createdAt, updatedAt: now }),
      ];
    });
    if (made.length > 0) {
      const { delayed } = await memory.remember(made);
      if (delayed !== null)
        throw new MemoryError(
          "model_unavailable",
          `The items are safe but cannot be read yet; they will be taken up later. Reason: ${delayed}`,
        );
    }
    const after = made.length > 0 ? await versionsAt(puts) : before;
    const gone = puts
      .filter(({ value }) => value === null)
      .flatMap(({ namespace, key }) => after.newest.get(addressOf(namespace, key))?.id ?? []);
    const ids = [...after.older, ...gone];
    if (ids.length > 0) await memory.forget({ filter: where.in("id", ids) });
  }

  return {
    async get(namespace, key) {
      const { newest } = await versions(memory, at(namespace, key));
      return newest.get(addressOf(namespace, key));
    },
    async all(prefix) {
      const { newest } = await versions(memory, under(prefix));
      return [...newest.values()].sort(
        (a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1),
      );
    },
    async find(prefix, query, limit) {
      const filter = where.and(under(prefix), where.eq(`${ITEM}.isIndexed`, true));
      const { hits } = await memory.recall(query, { limit, filter });
      const found = new Map<string, { item: StoredItem; score: number }>();
      for (const hit of hits) {
        const item = storedItem(hit);
        if (item === undefined) continue;
        const address = addressOf(item.namespace, item.key);
        const known = found.get(address);
        if (known === undefined || isNewer(item, known.item)) found.set(address, { item, score: hit.score });
      }
      return [...found.values()].sort((a, b) => b.score - a.score);
    },
    put(puts) {
      const last = new Map(puts.map((put) => [addressOf(put.namespace, put.key), put]));
      return inTurn(() => write([...last.values()]));
    },
  };
}

function fewAtOnce(places: readonly Filter[]): Filter[][] {
  const groups: Filter[][] = [];
  let room = 0;
  for (const place of places) {
    const length = encodeURIComponent(JSON.stringify(place)).length;
    if (length > room) {
      groups.push([]);
      room = LONGEST_FILTER;
    }
    room -= length;
    groups.at(-1)?.push(place);
  }
  return groups;
}

/** The newest version of each, by its address, and the ids of all others. */
async function versions(
  memory: StoreMemory,
  filter: Filter,
): Promise<{ newest: Map<string, StoredItem>; older: string[] }> {
  const newest = new Map<string, StoredItem>();
  const older: string[] = [];
  for (let after: string | undefined, isMore = true; isMore; ) {
    const page = await memory.list({ filter, after, limit: PAGE, all: true });
    for (const item of page.entries.flatMap((entry) => storedItem(entry) ?? [])) {
      const address = addressOf(item.namespace, item.key);
      const known = newest.get(address);
      const [old, next] = known !== undefined && isNewer(known, item) ? [item, known] : [known, item];
      newest.set(address, next);
      if (old !== undefined) older.push(old.id);
    }
    after = page.next ?? undefined;
    isMore = after !== undefined;
  }
  return { newest, older };
}

function isNewer(a: StoredItem, b: StoredItem): boolean {
  const [one, other] = [a.updatedAt.getTime(), b.updatedAt.getTime()];
  return one === other ? a.id > b.id : one > other;
}
