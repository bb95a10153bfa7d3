/**
 * Memory under several indexes at once (S0-3, S0-55): a question is put to vectors, words and (where enabled) the graph of
 * one collection, and their lists are made one. What is new and near to what is known is reported as a possible clash,
 * for somebody else to decide (S0-23); it is stored all the same. Mem0 and Mem0ᵍ are built on it.
 */
import { MemoryError } from "../base/errors.ts";
import { type Filter, where } from "../base/filter.ts";
import type { Hit } from "../base/hit.ts";
import type { EntryId } from "../base/ids.ts";
import type { JsonObject } from "../base/json.ts";
import { validNames } from "../base/nearest-name.ts";
import { parseInput } from "../base/parse-input.ts";
import type { Scope } from "../base/scope.ts";
import type { Vector } from "../base/vector.ts";
import type { Collection } from "../collection/collection.ts";
import type { CollectionManager } from "../collection/collection-manager.ts";
import type { NewItem } from "../collection/insert.ts";
import type { FusionOptions } from "../policies/fusion.ts";
import { BaseService, type Placement } from "./base-service.ts";
import { deleteMemory } from "./graph/delete-memory.ts";
import { embedNames } from "./graph/embed-names.ts";
import { entityField, GRAPH_INDEX, NAMES_INDEX, refuseEntity } from "./graph/entity.ts";
import { planKnowledge } from "./graph/knowledge.ts";
import { withoutEntities } from "./graph/searches.ts";
import { knowledgeOf } from "./graph/triples.ts";
import { checkHints, type Hints } from "./hints.ts";
import { fusionOf, type HybridOptions, hybridOptions } from "./hybrid-options.ts";
import { multiIndexSchema } from "./requests.ts";
import { createScopeQueues } from "./scope-queues.ts";
import { graphSearch, NOT_WALKED } from "./search/graph.ts";
import { lexical, TEXT_INDEX } from "./search/lexical.ts";
import { linksSearch } from "./search/links.ts";
import { fuseHits, type HitList, multiIndex, withWeights } from "./search/multi-index.ts";
import { type SearchBy, type Searches, strategiesOf } from "./search/search.ts";
import { semantic } from "./search/semantic.ts";
import { structured } from "./search/structured.ts";
import { TIME_INDEX, temporal } from "./search/temporal.ts";
import { defineService, type ServiceDeps, type ServiceTraits } from "./service.ts";
import { CONTENT, indexNameOf, vectorIndexes } from "./vector-fields.ts";

const NAME = "hybrid_memory";

export const hybridMemory = defineService({
  name: NAME,
  summary: "Vectors, words and (where enabled) links asked together; what may clash is reported.",
  options: hybridOptions,
  traits: traitsOf,
  open: openHybridMemory,
});

export async function openHybridMemory(given: HybridOptions, deps: ServiceDeps): Promise<HybridMemory> {
  const { collection_name: name, graph_enabled, text } = given;
  const names = deps.embedder === undefined ? [] : [entityField(deps.embedder.spaces)];
  if (graph_enabled) await addNames(deps.manager, name);
  const store = await deps.manager.open({
    name,
    profile: PROFILE,
    indexes: [
      ...vectorIndexes(graph_enabled ? [...deps.fields, ...names] : deps.fields),
      { name: TEXT_INDEX, kind: "text_bm25", options: textOptions(text) },
      { name: TIME_INDEX, kind: "sorted", options: { field: "happenedAt" } },
      ...(graph_enabled ? [{ name: GRAPH_INDEX, kind: "graph" }, NAMES] : []),
    ],
  });
  return new HybridMemory(given, store, deps);
}

/** What is as it always was goes unsaid: an index that was made before there was a choice is the same index. */
function textOptions({ k1, b, around, dates }: HybridOptions["text"]): JsonObject {
  return { k1, b, ...(around.length === 0 ? {} : { around: [...around] }), ...(dates ? { dates } : {}) };
}

const PROFILE = "hybrid";
const NAMES = { name: NAMES_INDEX, kind: "tag" };

/** Where the graph is enabled later: the index of names starts empty, for the memories that are there are no names. */
async function addNames(manager: CollectionManager, name: string): Promise<void> {
  if (!(await manager.has(name))) return;
  const store = await manager.get(name);
  const known = await store.listIndexes();
  if (store.profile !== PROFILE || known.some((index) => index.name === NAMES_INDEX)) return;
  await store.createIndex(NAMES);
}

/** One question to one index. */
export interface IndexQuestion {
  /** vector, text, or graph where it is enabled. */
  readonly index: string;
  readonly text?: string | undefined;
  readonly vectors?: readonly Vector[] | undefined;
  /** Of those that looking in this index reads. */
  readonly hints?: Hints | undefined;
}

export interface MultiIndexRequest {
  /** A second question to one index is a list of its own, named "text#2" in the parts of a score. */
  readonly queries: readonly IndexQuestion[];
  /** Unsaid: the service's own. */
  readonly fusion?: FusionOptions | undefined;
  /** By name of the index, in place of the fusion's. */
  readonly weights?: Readonly<Record<string, number>> | undefined;
  readonly topK?: number | undefined;
  readonly filter?: Filter | undefined;
  /** Only entries of the scope itself, not the public ones it also sees. @default false */
  readonly own?: boolean | undefined;
  /** @default true */
  readonly touch?: boolean | undefined;
}

export class HybridMemory extends BaseService {
  protected readonly searches: Searches;
  protected readonly placements = ["targetIndexes"] as const;

  readonly #given: HybridOptions;
  /** One change of a scope at a time: two memories that bring the same name make one entity. */
  readonly #queues = createScopeQueues();
  readonly #lists: Readonly<Record<string, SearchBy>>;

  constructor(given: HybridOptions, store: Collection, deps: ServiceDeps) {
    super({ name: NAME, traits: traitsOf(given), options: given }, store, deps);
    this.#given = given;
    this.#lists = listsOf(given, deps);
    this.searches = searchesOf(given, deps);
  }

  /** The memory, with every entity that nothing else speaks of. */
  override delete(scope: Scope, id: EntryId): Promise<boolean> {
    const by = { cause: `${NAME}: delete` };
    return this.inTurn(scope, () => deleteMemory(this.store, scope, id, by));
  }

  /** Different questions to different indexes, their lists made one (S0-22). */
  async multiIndexRetrieve(scope: Scope, request: MultiIndexRequest): Promise<Hit[]> {
    const {
      queries,
      weights,
      topK,
      filter,
      own,
      touch = true,
      fusion,
    } = parseInput(multiIndexSchema, request, "request to several indexes");
    const found: HitList[] = [];
    let wanted = 0;
    for (const { index, hints = {}, ...question } of queries) {
      const by = this.#listNamed(index);
      checkHints(hints, "multi_index", [...by.reads, "time_range"], this.name);
      if (!by.fits(question, hints)) {
        throw new MemoryError(
          "input_invalid",
          `The question to the index "${index}" lacks what it is asked by. Valid: vectors for vector, a text for text.`,
        );
      }
      const search = this.searchFor(scope, { ...question, topK, filter, own }, hints);
      wanted = search.query.topK;
      const deeper = { ...search, query: { ...search.query, topK: this.#given.overfetch * wanted } };
      const before = found.filter(({ name }) => name.split("#")[0] === index).length;
      found.push({ name: before === 0 ? index : `${index}#${before + 1}`, hits: await by.run(deeper) });
    }
    const asked = [...new Set(queries.map(({ index }) => index))];
    const weighed = withWeights(fusion ?? fusionOf(this.#given), weights, asked);
    const hits = fuseHits(found, perList(weighed, found), wanted);
    if (touch) await this.touch(scope, hits);
    return hits;
  }

  protected override async prepare(scope: Scope, placement: Placement): Promise<Placement> {
    if (this.#given.graph === null) return placement;
    refuseEntity(placement.entry.kind, NAME);
    const knowledge = knowledgeOf(placement.entry.metadata);
    return { ...placement, names: await embedNames(this.store, scope, this.deps.embedder, knowledge, false) };
  }

  protected override inTurn<T>(scope: Scope, task: () => Promise<T>): Promise<T> {
    return this.#queues(scope, task);
  }

  protected async place(scope: Scope, placement: Placement): Promise<readonly NewItem[]> {
    const { entry, active, params } = placement;
    const id = this.store.newId();
    const similar = active ? [] : await this.#similar(scope, entry);
    const targets = params.targetIndexes ?? Object.keys(this.#lists);
    if (params.targetIndexes?.includes("vector") && (entry.vectors ?? []).length === 0) {
      throw new MemoryError(
        "vector_invalid",
        'The entry is to be found by its vectors, and has none. Valid: a vector in "vectors", or targetIndexes without "vector".',
      );
    }
    const memory: NewItem = {
      ...entry,
      id,
      indexes: [...targets.flatMap((index) => this.#indexesOf(index, entry.vectors ?? [])), TIME_INDEX],
      work: similar.length === 0 ? [] : [{ name: "crud", payload: { pending_similar: similar } }],
    };
    const { graph } = this.#given;
    if (graph !== null) {
      const { items, edges } = await planKnowledge(
        this.store,
        scope,
        placement.names,
        { id, knowledge: knowledgeOf(entry.metadata) },
        {
          directed: false,
          linkMode: active ? "none" : "auto",
          synonymyThreshold: graph.synonymy_threshold,
          maxLinks: graph.max_links,
          facts: false,
          passageEdgeWeight: 1,
        },
      );
      return [{ ...memory, edges: [...(entry.edges ?? []), ...edges] }, ...items];
    }
    return [memory];
  }

  /** The scope's own entries that a new one may clash with, nearest first; not those it takes the place of anyway. */
  async #similar(scope: Scope, { vectors = [], supersedes = [] }: Placement["entry"]): Promise<EntryId[]> {
    const check = this.#given.conflict_check;
    if (check === null) return [];
    const spaces = this.deps.fields.find(({ name }) => name === CONTENT)?.spaces ?? [];
    const filter = supersedes.length === 0 ? undefined : where.not(where.in("id", supersedes));
    const near = new Map<EntryId, number>();
    for (const vector of vectors) {
      if (!spaces.some(({ space }) => space === vector.space)) continue;
      const index = indexNameOf(vector.space);
      const hits = await this.store.retrieve(scope, { index, vector, topK: check.top, filter, own: true });
      const alike = hits.filter(({ score }) => score >= check.similarity);
      for (const { id, score } of alike) near.set(id, Math.max(score, near.get(id) ?? -1));
    }
    const nearest = [...near].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
    return nearest.slice(0, check.top).map(([id]) => id);
  }

  /** The indexes behind a name that hints and placements use. */
  #indexesOf(index: string, vectors: readonly Vector[]): readonly string[] {
    this.#listNamed(index);
    if (index === "text") return [TEXT_INDEX];
    if (index === "graph") return [GRAPH_INDEX];
    return vectors.map(({ space }) => indexNameOf(space));
  }

  #listNamed(index: string): SearchBy {
    const by = Object.hasOwn(this.#lists, index) ? this.#lists[index] : undefined;
    if (by !== undefined) return by;
    throw new MemoryError(
      "index_not_found",
      `The service ${this.name} has no index "${index}". ${validNames(index, Object.keys(this.#lists))}`,
    );
  }
}

/** Lists of one index weigh what the index weighs. */
function perList(fusion: FusionOptions, lists: readonly HitList[]): FusionOptions {
  if (fusion.strategy === "union" || fusion.weights === null) return fusion;
  const { weights } = fusion;
  const known = lists.flatMap(({ name }) => {
    const value = weights[name.split("#")[0] ?? name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...fusion, weights: Object.fromEntries(known) };
}

/** In the order they are asked, by the names that hints and weights use. */
function listsOf({ graph }: HybridOptions, deps?: ServiceDeps): Readonly<Record<string, SearchBy>> {
  const lists = { vector: semantic, text: lexical };
  if (graph === null) return lists;
  const embedder = deps?.embedder;
  if (graph.walk === "links") {
    const { max_names: maxNames, max_entities: maxEntities, link_weight: weight, crowding } = graph;
    const linkThreshold = graph.link_threshold;
    return {
      ...lists,
      graph: linksSearch({ maxNames, maxEntities, linkThreshold, weight, crowding, embedder }),
    };
  }
  const links = graphSearch({
    walk: "spread",
    knowledge: true,
    directed: false,
    depth: graph.depth,
    decay: graph.decay,
    linkBy: "names",
    normaliser: "unicode",
    ensemble: null,
    passageNodes: true,
    seeds: graph.seeds,
    passageWeight: graph.passage_node_weight,
    weighsMemories: graph.passage_node_weight > 0,
    nodeSpecificity: false,
    linkThreshold: graph.link_threshold,
    embedder,
    ppr: NOT_WALKED,
  });
  return { ...lists, graph: links };
}

function searchesOf(given: HybridOptions, deps?: ServiceDeps): Searches {
  const lists = listsOf(given, deps);
  return {
    multi_index: multiIndex({ lists, fusion: fusionOf(given), overfetch: given.overfetch }),
    semantic,
    lexical,
    ...(lists.graph === undefined ? {} : { graph: lists.graph }),
    structured: withoutEntities(structured),
    temporal,
  };
}

function traitsOf(given: HybridOptions): ServiceTraits {
  const { graph_enabled, conflict_check } = given;
  return {
    abilities: graph_enabled ? ["vector", "text", "graph"] : ["vector", "text"],
    triggers: [
      "reflection",
      "forgetting",
      "summarize",
      ...(graph_enabled ? (["link_evolution"] as const) : []),
    ],
    strategies: strategiesOf(searchesOf(given)),
    tiers: [],
    pending: conflict_check === null ? [] : ["crud"],
    needsQueryVector: false,
  };
}
