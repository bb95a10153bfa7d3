/**
 * A memory of connections (S0-3). As "knowledge_graph" (HippoRAG, Mem0ᵍ) memories hang together by the things they speak
 * of, taken from `metadata.triples`; as "link_graph" (A-Mem) memories are notes linked to each other. Either way a question
 * is answered by a walk from what it names or resembles.
 */
import { z } from "zod";
import type { Hit } from "../base/hit.ts";
import type { EntryId } from "../base/ids.ts";
import { parseInput } from "../base/parse-input.ts";
import type { Scope } from "../base/scope.ts";
import type { Vector } from "../base/vector.ts";
import type { Collection } from "../collection/collection.ts";
import type { NewItem, NewItemEdge } from "../collection/insert.ts";
import { type About, BaseService, commonOptions, type Placement } from "./base-service.ts";
import { deleteMemory } from "./graph/delete-memory.ts";
import { embedNames } from "./graph/embed-names.ts";
import { EDGE, entityField, GRAPH_INDEX, NAMES_INDEX, NORMALISERS, refuseEntity } from "./graph/entity.ts";
import { factIndexes } from "./graph/fact.ts";
import { planKnowledge } from "./graph/knowledge.ts";
import { LINK_MODES, pendingWork } from "./graph/link-mode.ts";
import { nearest } from "./graph/nearest.ts";
import { withoutEntities } from "./graph/searches.ts";
import { knowledgeOf } from "./graph/triples.ts";
import { checkHints } from "./hints.ts";
import { checkQuery, neighborsSchema } from "./requests.ts";
import { createScopeQueues } from "./scope-queues.ts";
import { factSearch } from "./search/fact.ts";
import { type GraphSearchOptions, graphSearch, type Walk } from "./search/graph.ts";
import { lexical, TEXT_INDEX } from "./search/lexical.ts";
import { type Searches, strategiesOf } from "./search/search.ts";
import { semantic } from "./search/semantic.ts";
import { structured } from "./search/structured.ts";
import { defineService, type ServiceDeps, type ServiceQuery, type ServiceTraits } from "./service.ts";
import { CONTENT, indexNameOf, vectorIndexes } from "./vector-fields.ts";

const share = z.number().min(0).max(1);
const steps = z.int().min(1).max(10);

const fields = z.strictObject({
  ...commonOptions,
  graph_type: z
    .enum(["knowledge_graph", "link_graph"])
    .describe("What joins memories: the things they speak of (metadata.triples), or links between them."),
  edge_policy: z
    .enum(["bidirectional", "directed"])
    .describe("Whether relations and links are walked both ways, or only the way they were stated."),
  link_mode: z
    .enum(LINK_MODES)
    .describe(
      "Who links what a passive insert brings to what it is near to: the service at once (auto), whoever reads the status queue (pending), or nobody (none).",
    ),
  max_links: z
    .int()
    .min(1)
    .describe("How many neighbours a new node is linked to, or left waiting with, at most."),
  synonymy_threshold: share.describe("Cosine from which two names or two notes count as near."),
  normaliser: z
    .enum(NORMALISERS)
    .describe(
      "What two ways to write one name have in common: lower-case letters and digits of every script (unicode), or of ASCII alone (ascii), as HippoRAG's code does, which loses every Chinese name.",
    ),
  enhanced_rerank: z
    .boolean()
    .describe(
      "What a question of a knowledge graph is linked to: the facts nearest to it, which are then kept and embedded, too (true, HippoRAG 2), or names (false, HippoRAG 1). Without an embedder it is names.",
    ),
  passage_edge_weight: z
    .number()
    .positive()
    .nullable()
    .describe(
      "What the edge from a memory to a name in it weighs, beside 1 for every fact that joins two names and the cosine of two that are alike; null: walks by ppr do not lead through memories, which have what the names in their facts are worth (HippoRAG 1).",
    ),
  doc_ensemble: z
    .strictObject({
      sure_from: share.describe("Cosine of the least like link above which the walk decides alone."),
      dense_weight: share.describe("What nearness counts where it does not; the walk counts the rest."),
    })
    .nullable()
    .describe(
      "For a question whose names are given (hint entities) and unlike the known names they are linked to: its nearness to memories counts beside the walk (HippoRAG 1's uncertainty ensemble); null: never.",
    ),
  retrieve_method: z
    .enum(["ppr", "neighbors", "bfs", "spread", "vector_only"])
    .describe(
      "How a question walks the graph when no hint says otherwise; vector_only: it does not; a hint walks by steps.",
    ),
  ppr: z
    .strictObject({
      damping: z
        .number()
        .min(0)
        .max(0.99)
        .describe("Chance that the walk follows an edge instead of starting again."),
      epsilon: z
        .number()
        .min(1e-9)
        .max(1)
        .describe("What the walk may leave undone at a node, per edge: smaller is more exact."),
      depth: steps
        .nullable()
        .describe(
          "Only memories within so many steps of what the question is linked to; null: all that the walk reaches.",
        ),
    })
    .describe("Personalised PageRank."),
  seeds: z
    .strictObject({
      linking_top_k: z
        .int()
        .min(1)
        .describe(
          "How many facts are looked at, and how many entities, or notes, a question begins its walk with.",
        ),
      passage_node_weight: share.describe(
        "What the nearest memory weighs as a seed beside entities; 0 where passage_edge_weight is null.",
      ),
      link_threshold: share.describe(
        "Cosine from which a name that is asked for (hint entities) stands for a known one; 0: the nearest, however unlike (HippoRAG).",
      ),
      node_specificity: z
        .boolean()
        .describe("Whether an entity that many memories speak of weighs less as a seed."),
    })
    .describe("Where walks begin."),
  walk: z
    .strictObject({
      depth: steps.describe("Steps that bfs and spread go."),
      decay: z.number().positive().max(1).describe("What spreading keeps of its strength at each step."),
    })
    .describe("Walks that count steps."),
});
type Options = z.infer<typeof fields>;

const options = fields.refine(
  ({ passage_edge_weight, seeds }) => passage_edge_weight !== null || seeds.passage_node_weight === 0,
  { path: ["seeds", "passage_node_weight"], error: "must be 0 where passage_edge_weight is null" },
);

export interface NeighborsRequest {
  readonly depth?: number | undefined;
  /** Only edges of these types. */
  readonly types?: readonly string[] | undefined;
  readonly direction?: "out" | "in" | "both" | undefined;
  /** Whether to count the hits as looked at. @default true */
  readonly touch?: boolean | undefined;
}

const NAME = "graph_memory";
/** Neighbours that are returned at most. */
const MOST_NEIGHBORS = 1000;

export const graphMemory = defineService<Options, GraphMemory>({
  name: NAME,
  aliases: { link_policy: "edge_policy", ppr_depth: "ppr.depth" },
  summary: "A graph: memories are found by walking from what a question names or resembles.",
  options,
  traits: (given) => traitsOf(given, searchesOf(given)),
  open: openGraphMemory,
});

/** The service with its own methods (S0-22). */
export async function openGraphMemory(given: Options, deps: ServiceDeps): Promise<GraphMemory> {
  const names = deps.embedder === undefined ? [] : [entityField(deps.embedder.spaces)];
  const knowledge = given.graph_type === "knowledge_graph";
  const store = await deps.manager.open({
    name: given.collection_name,
    profile: "hybrid",
    indexes: [
      ...vectorIndexes(knowledge ? [...deps.fields, ...names] : deps.fields),
      { name: TEXT_INDEX, kind: "text_bm25" },
      { name: GRAPH_INDEX, kind: "graph" },
      ...(knowledge ? [{ name: NAMES_INDEX, kind: "tag" }] : []),
      ...(keepsFacts(given) && deps.embedder !== undefined ? factIndexes(deps.embedder.spaces) : []),
    ],
  });
  return new GraphMemory(given, store, deps);
}

export class GraphMemory extends BaseService {
  protected readonly searches: Searches;
  protected readonly placements = ["targetIndexes"] as const;
  readonly #options: Options;
  /** One change of a scope at a time: two memories that bring the same name make one node. */
  readonly #queues = createScopeQueues();

  constructor(given: Options, store: Collection, deps: ServiceDeps) {
    const searches = searchesOf(given, deps);
    const about: About = { name: NAME, traits: traitsOf(given, searches), options: given };
    super(about, store, deps);
    this.searches = searches;
    this.#options = given;
  }

  /** The memory, with every entity that nothing else speaks of. */
  override delete(scope: Scope, id: EntryId): Promise<boolean> {
    const by = { cause: `${NAME}: delete` };
    return this.inTurn(scope, () => deleteMemory(this.store, scope, id, by, this.#options.normaliser));
  }

  /** Personalised PageRank, whatever `retrieve_method` says. */
  async pprRetrieve(scope: Scope, given: ServiceQuery): Promise<Hit[]> {
    const { hints = {}, ...query } = checkQuery(given);
    const walk = graphSearch(searchOptions(this.#options, "ppr", this.deps));
    checkHints(hints, "graph", [...walk.reads, "time_range"], NAME);
    const hits = await walk.run(this.searchFor(scope, query, hints));
    if (query.touch ?? true) await this.touch(scope, hits);
    return hits;
  }

  /** Who is around an entry, entities among them, nearest first. */
  async getNeighbors(scope: Scope, id: EntryId, request: NeighborsRequest = {}): Promise<Hit[]> {
    const given = parseInput(neighborsSchema, request, "request for neighbours");
    const { depth = 1, types, direction = this.isDirected ? "out" : "both", touch = true } = given;
    const params = { mode: "neighbors", from: [id], hops: depth, direction };
    const hits = await this.store.retrieve(scope, {
      index: GRAPH_INDEX,
      params: types === undefined ? params : { ...params, types: [...types] },
      topK: MOST_NEIGHBORS,
    });
    if (touch) await this.touch(scope, hits);
    return hits;
  }

  protected override async prepare(scope: Scope, placement: Placement): Promise<Placement> {
    refuseEntity(placement.entry.kind, NAME);
    if (this.#options.graph_type === "link_graph") return placement;
    const knowledge = knowledgeOf(placement.entry.metadata, this.#options.normaliser);
    const facts = keepsFacts(this.#options);
    return { ...placement, names: await embedNames(this.store, scope, this.deps.embedder, knowledge, facts) };
  }

  protected override inTurn<T>(scope: Scope, task: () => Promise<T>): Promise<T> {
    return this.#queues(scope, task);
  }

  protected async place(scope: Scope, placement: Placement): Promise<readonly NewItem[]> {
    const { entry, active, params } = placement;
    const id = this.store.newId();
    const memory = { ...entry, id, indexes: params.targetIndexes ?? this.#indexesFor(entry.vectors ?? []) };
    const links = active ? {} : await this.#links(scope, id, entry.vectors ?? []);
    const edges: NewItemEdge[] = [...(entry.edges ?? []), ...(links.edges ?? [])];
    // What is kept out of the graph brings nothing into it.
    const joins = memory.indexes.includes(GRAPH_INDEX);
    if (this.#options.graph_type === "link_graph" || !joins) return [{ ...memory, ...links, edges }];
    const knowledge = knowledgeOf(entry.metadata, this.#options.normaliser);
    const plan = await planKnowledge(
      this.store,
      scope,
      placement.names,
      { id, knowledge },
      {
        directed: this.isDirected,
        linkMode: active ? "none" : this.#options.link_mode,
        synonymyThreshold: this.#options.synonymy_threshold,
        maxLinks: this.#options.max_links,
        facts: keepsFacts(this.#options),
        passageEdgeWeight: this.#options.passage_edge_weight,
      },
    );
    return [{ ...memory, edges: [...edges, ...plan.edges] }, ...plan.items];
  }

  protected override get isDirected(): boolean {
    return this.#options.edge_policy === "directed";
  }

  /** All but those of names and of entities, which are for entities. */
  #indexesFor(vectors: readonly Vector[]): string[] {
    return [TEXT_INDEX, GRAPH_INDEX, ...vectors.map(({ space }) => indexNameOf(space))];
  }

  /** What a new note is linked to, or waits with. */
  async #links(
    scope: Scope,
    id: EntryId,
    vectors: readonly Vector[],
  ): Promise<Pick<NewItem, "edges" | "work">> {
    const { graph_type, link_mode, max_links: k, synonymy_threshold: threshold } = this.#options;
    if (graph_type !== "link_graph" || link_mode === "none") return {};
    const spaces = this.deps.fields.find(({ name }) => name === CONTENT)?.spaces ?? [];
    const own = vectors.filter(({ space }) => spaces.some((one) => one.space === space));
    const near = await nearest(this.store, scope, { vectors: own, k, threshold });
    if (link_mode === "pending") return { work: pendingWork("link", id, near) };
    const edges = near
      .filter(({ similarity }) => similarity > 0)
      .map(({ id: to, similarity: weight }) => ({
        to,
        type: EDGE.link,
        weight,
        directed: this.isDirected,
        provenance: "link_mode auto",
      }));
    return { edges };
  }
}

/** Facts are kept where questions are linked to them. */
function keepsFacts({ graph_type, enhanced_rerank }: Options): boolean {
  return graph_type === "knowledge_graph" && enhanced_rerank;
}

function searchesOf(given: Options, deps?: ServiceDeps): Searches {
  const facts = keepsFacts(given) ? { fact: factSearch } : {};
  const flat = { semantic, lexical, structured: withoutEntities(structured), ...facts };
  // A question by itself does not walk; an action that walks from what was found (link_expand) still can.
  if (given.retrieve_method === "vector_only")
    return { ...flat, graph: graphSearch(searchOptions(given, "bfs", deps)) };
  return { graph: graphSearch(searchOptions(given, given.retrieve_method, deps)), ...flat };
}

function searchOptions(given: Options, walk: Walk, deps: ServiceDeps | undefined): GraphSearchOptions {
  return {
    walk,
    knowledge: given.graph_type === "knowledge_graph",
    directed: given.edge_policy === "directed",
    ppr: given.ppr,
    depth: given.walk.depth,
    decay: given.walk.decay,
    seeds: given.seeds.linking_top_k,
    passageWeight: given.seeds.passage_node_weight,
    weighsMemories: given.seeds.passage_node_weight > 0 || given.doc_ensemble !== null,
    nodeSpecificity: given.seeds.node_specificity,
    linkThreshold: given.seeds.link_threshold,
    linkBy: keepsFacts(given) ? "facts" : "names",
    normaliser: given.normaliser,
    passageNodes: given.passage_edge_weight !== null,
    ensemble:
      given.doc_ensemble === null
        ? null
        : { sureFrom: given.doc_ensemble.sure_from, denseWeight: given.doc_ensemble.dense_weight },
    embedder: deps?.embedder,
  };
}

function traitsOf({ graph_type, link_mode }: Options, searches: Searches): ServiceTraits {
  const waiting = graph_type === "link_graph" ? "link" : "synonym";
  return {
    abilities: ["vector", "text", "graph"],
    triggers: ["reflection", "link_evolution", "forgetting", "summarize"],
    strategies: strategiesOf(searches),
    tiers: [],
    pending: link_mode === "pending" ? [waiting] : [],
    needsQueryVector: false,
  };
}
