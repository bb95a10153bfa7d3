/**
 * A store of LangGraph whose items live in a memory: they outlive the process, are searched by meaning in English and Chinese
 * without a key, and can be exported, explained and erased like everything else that is remembered.
 *
 *     const store = new NeuroMemStore({ memory: memory.in("mia/graph") });
 *     const graph = builder.compile({ store });
 *     await store.put(["users", "mia"], "food", { text: "likes pizza" });
 *     await store.search(["users"], { query: "what does she eat?" });
 *
 * It does what LangGraph's InMemoryStore does, with these differences: a prefix is matched label by label (there, ["user"]
 * finds ["users"], too); a namespace is gone with its last item; what `search` gives with a query is scored by the memory's design,
 * and items that the design did not find follow without a score, as do all after the 1000 best. A value is what JSON makes of it, of at
 * most a million characters. Give it a scope of its own: items are pinned, and pinned memories are part of every context of their scope.
 *
 * Every put writes through before it resolves. Several stores, in several processes, may share a scope.
 */
import {
  BaseStore,
  type GetOperation,
  type Item,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
} from "@langchain/langgraph-checkpoint";
import { z } from "zod";
import { type Clock, systemClock } from "../../base/clock.ts";
import { MemoryError } from "../../base/errors.ts";
import { parseInput } from "../../base/parse-input.ts";
import { hasVerbs } from "../has-verbs.ts";
import { addressOf } from "./item-address.ts";
import { type ItemShelf, itemShelf, type StoreMemory } from "./item-shelf.ts";
import type { StoredItem } from "./stored-item.ts";
import { matchesValue } from "./value-filter.ts";

export interface NeuroMemStoreOptions {
  readonly memory: StoreMemory;
  /** Fields of a value that are searched, where a put names none. @default all */
  readonly fields?: readonly string[] | undefined;
  readonly clock?: Clock | undefined;
}

/** More a memory does not rank; values are filtered among them. */
const MOST_HITS = 1000;

export class NeuroMemStore extends BaseStore {
  readonly #shelf: ItemShelf;
  readonly #fields: readonly string[] | undefined;

  constructor(options: NeuroMemStoreOptions) {
    super();
    const { memory, fields, clock } = parseInput(optionsSchema, options, "options of NeuroMemStore");
    this.#fields = fields;
    this.#shelf = itemShelf(memory, clock);
  }

  /** Reads see what was there before the batch; of several puts of one item the last counts. */
  override batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>>;
  override async batch(operations: readonly Operation[]): Promise<unknown> {
    const puts = operations.filter(isPut);
    for (const put of puts) parseInput(putSchema, put, "put");
    const results = await Promise.all(operations.map((operation) => this.#read(operation)));
    const defaults = this.#fields;
    if (puts.length > 0) await this.#shelf.put(puts.map((put) => ({ ...put, index: put.index ?? defaults })));
    return results;
  }

  async #read(operation: Operation): Promise<unknown> {
    if (isPut(operation)) return null;
    if (isSearch(operation)) return this.#search(parseInput(searchSchema, operation, "search"));
    if (isGet(operation)) {
      const { namespace, key } = parseInput(getSchema, operation, "get");
      const item = await this.#shelf.get(namespace, key);
      return item === undefined ? null : asItem(item);
    }
    return this.#namespaces(parseInput(listSchema, operation, "listing of namespaces"));
  }

  async #search({ namespacePrefix, filter, limit, offset, query }: Search): Promise<SearchItem[]> {
    const fits = ({ value }: StoredItem): boolean => matchesValue(value, filter);
    const end = offset + limit;
    const isAsked = query !== undefined && query.trim() !== "" && limit > 0;
    const asked = isAsked
      ? await this.#shelf.find(
          namespacePrefix,
          query,
          filter === undefined ? Math.min(end, MOST_HITS) : MOST_HITS,
        )
      : [];
    const ranked: SearchItem[] = asked
      .filter(({ item }) => fits(item))
      .map(({ item, score }) => ({ ...asItem(item), score }));
    if (ranked.length >= end) return ranked.slice(offset, end);
    const seen = new Set(asked.map(({ item }) => addressOf(item.namespace, item.key)));
    const all = await this.#shelf.all(namespacePrefix);
    const rest = all.filter((item) => fits(item) && !seen.has(addressOf(item.namespace, item.key)));
    return [...ranked, ...rest.map(asItem)].slice(offset, end);
  }

  async #namespaces({ matchConditions = [], maxDepth, limit, offset }: Listing): Promise<string[][]> {
    const items = await this.#shelf.all([]);
    const found = items
      .map(({ namespace }) => namespace)
      .filter((namespace) => matchConditions.every((condition) => isMatch(condition, namespace)))
      .map((namespace) => namespace.slice(0, maxDepth));
    const distinct = new Map(found.map((namespace) => [JSON.stringify(namespace), namespace]));
    return [...distinct.values()]
      .sort((a, b) => a.join(":").localeCompare(b.join(":")))
      .slice(offset, limit === undefined ? undefined : offset + limit);
  }
}

const labels = z.array(z.string());
const optionsSchema = z.strictObject({
  memory: z.custom<StoreMemory>(
    (value) => hasVerbs(value, ["remember", "recall", "list", "forget"]),
    "must be a Memory, a client of one, or an object with remember(), recall(), list() and forget()",
  ),
  fields: z.array(z.string().min(1)).optional(),
  clock: z
    .custom<Clock>((value) => hasVerbs(value, ["now"]), "must be a clock with now()")
    .default(systemClock),
});
const count = z.int().min(0);
const putSchema = z.object({
  namespace: labels,
  key: z.string(),
  value: z.looseObject({}).nullable(),
  index: z.union([z.literal(false), z.array(z.string())]).optional(),
});
const getSchema = z.object({ namespace: labels, key: z.string() });
const searchSchema = z.object({
  namespacePrefix: labels,
  filter: z.looseObject({}).optional(),
  limit: count.default(10),
  offset: count.default(0),
  query: z.string().optional(),
});
type Search = z.infer<typeof searchSchema>;
const listSchema = z.object({
  matchConditions: z.array(z.object({ matchType: z.string(), path: labels })).optional(),
  maxDepth: count.optional(),
  limit: count.optional(),
  offset: count.default(0),
});
type Listing = z.infer<typeof listSchema>;

function isPut(operation: Operation): operation is PutOperation {
  return "value" in operation;
}

function isSearch(operation: Operation): operation is SearchOperation {
  return "namespacePrefix" in operation;
}

function isGet(operation: Exclude<Operation, PutOperation | SearchOperation>): operation is GetOperation {
  return "key" in operation && "namespace" in operation;
}

function asItem({ namespace, key, value, createdAt, updatedAt }: StoredItem): Item {
  return { namespace, key, value, createdAt, updatedAt };
}

function isMatch(
  { matchType, path }: { matchType: string; path: string[] },
  namespace: readonly string[],
): boolean {
  if (matchType !== "prefix" && matchType !== "suffix")
    throw new MemoryError(
      "input_invalid",
      `Namespaces cannot be matched by "${matchType}". Valid: prefix, suffix.`,
    );
  if (path.length > namespace.length) return false;
  const part =
    matchType === "prefix"
      ? namespace.slice(0, path.length)
      : namespace.slice(-path.length || namespace.length);
  return path.every((label, place) => label === "*" || label === part[place]);
}
