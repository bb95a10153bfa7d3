/**
 * A graph_memory with hand-made vectors: every text has an axis of its own, and is like another text exactly as far as the
 * test says. A clock that stands still, a storage in memory, and a scripted model where one is wanted.
 */
import { manualClock } from "../base/clock.ts";
import type { Edge } from "../base/edge.ts";
import type { Entry } from "../base/entry.ts";
import type { EntryId } from "../base/ids.ts";
import type { JsonObject } from "../base/json.ts";
import { parseInput } from "../base/parse-input.ts";
import { parseScope, type Scope } from "../base/scope.ts";
import { silent, type TraceEvent } from "../base/trace.ts";
import type { Vector } from "../base/vector.ts";
import type { Collection } from "../collection/collection.ts";
import { CollectionManager } from "../collection/collection-manager.ts";
import { resolveEndpoint } from "../models/endpoints.ts";
import { oneSpace } from "../models/local/embedder-set.ts";
import { openAiCompatible } from "../models/openai-compatible.ts";
import { type GraphMemory, graphMemory, openGraphMemory } from "../services/graph-memory.ts";
import type { OptimizeReport, ServiceInsert, ServiceQuery } from "../services/service.ts";
import { CONTENT, textField } from "../services/vector-fields.ts";
import { openInMemory } from "../storage/memory.ts";
import { type ModelServer, type Script, startModelServer } from "./model-server.ts";

export const ALICE: Scope = parseScope("alice");
export const BOB: Scope = parseScope("鲍勃");

const SPACE = "hand-made";
const DIMENSION = 64;

export const GRAPH_OPTIONS = {
  collection_name: "notes",
  top_k: 10,
  vitality: null,
  graph_type: "knowledge_graph",
  edge_policy: "bidirectional",
  link_mode: "none",
  max_links: 5,
  synonymy_threshold: 0.8,
  normaliser: "unicode",
  enhanced_rerank: false,
  passage_edge_weight: 1,
  doc_ensemble: null,
  retrieve_method: "ppr",
  ppr: { damping: 0.5, epsilon: 1e-6, depth: null },
  seeds: { linking_top_k: 5, passage_node_weight: 0.05, link_threshold: 0.8, node_specificity: true },
  walk: { depth: 2, decay: 0.5 },
} as const;

export interface GraphWorldOptions {
  /** Over `GRAPH_OPTIONS`. */
  readonly options?: JsonObject;
  /** Text → the text it is like, and by which cosine. */
  readonly alike?: Readonly<Record<string, readonly [string, number]>>;
  readonly chat?: Script;
  readonly withoutEmbedder?: boolean;
}

export class GraphWorld {
  readonly clock: ReturnType<typeof manualClock>;
  /** Transactions since the opening. */
  readonly commits: { readonly count: number };
  readonly service: GraphMemory;
  readonly store: Collection;
  readonly server: ModelServer | undefined;
  readonly #manager: CollectionManager;
  readonly #vectorOf: (text: string) => Float32Array;
  readonly #embeds: boolean;

  private constructor(opened: Opened) {
    this.clock = opened.clock;
    this.commits = opened.commits;
    this.service = opened.service;
    this.store = opened.store;
    this.server = opened.server;
    this.#manager = opened.manager;
    this.#vectorOf = opened.vectorOf;
    this.#embeds = opened.embeds;
  }

  static async open(given: GraphWorldOptions = {}): Promise<GraphWorld> {
    const clock = manualClock(Date.UTC(2026, 4, 4));
    const commits = { count: 0 };
    const trace = (event: TraceEvent): void => {
      if (event.type === "storage-commit") commits.count++;
    };
    const manager = new CollectionManager(await openInMemory({ clock, trace }), { clock });
    const vectorOf = handMade(given.alike ?? {});
    const embedder = oneSpace({
      ...{ id: SPACE, provider: "test", dimension: DIMENSION, maxBatch: 100 },
      embed: async (texts) => texts.map(vectorOf),
    });
    const server = given.chat === undefined ? undefined : await startModelServer({ chat: given.chat });
    const model =
      server === undefined
        ? undefined
        : openAiCompatible(resolveEndpoint("test", { baseUrl: server.url, model: "m", json: "schema" }));
    const options = parseInput(
      graphMemory.options,
      { ...GRAPH_OPTIONS, ...given.options },
      "options",
      "option_invalid",
    );
    const service = await openGraphMemory(options, {
      ...{ manager, clock, trace: silent },
      fields: given.withoutEmbedder === true ? [] : [textField(CONTENT, embedder.spaces)],
      embedder: given.withoutEmbedder === true ? undefined : embedder,
      thinking: { model, onBadReply: "throw" },
    });
    const store = await manager.get(service.collection);
    const embeds = given.withoutEmbedder !== true;
    return new GraphWorld({ clock, commits, service, store, server, manager, vectorOf, embeds });
  }

  vectors(text: string): Vector[] {
    return [{ space: SPACE, values: this.#vectorOf(text) }];
  }

  /** A minute after the one before; triples as "subject | relation | object". */
  add(
    content: string,
    triples: readonly string[] = [],
    more: Partial<ServiceInsert> = {},
    scope = ALICE,
  ): Promise<EntryId> {
    this.clock.advance(60_000);
    const stated = triples.map((line) => {
      const [subject = "", relation = "", object = ""] = line.split(" | ");
      return { subject, relation, object };
    });
    const metadata = { ...(stated.length > 0 ? { triples: stated } : {}), ...more.metadata };
    return this.service.insert(scope, {
      content,
      ...more,
      vectors: more.vectors ?? (this.#embeds ? this.vectors(content) : []),
      metadata,
    });
  }

  /** Contents of what is found, best first. */
  async find(query: ServiceQuery, scope = ALICE): Promise<string[]> {
    return (await this.service.retrieve(scope, query)).map(({ content }) => content);
  }

  evolve(config: JsonObject, entries?: readonly EntryId[], scope = ALICE): Promise<OptimizeReport> {
    return this.service.optimize(scope, { trigger: "link_evolution", config, entries });
  }

  all(scope = ALICE): Promise<Entry[]> {
    return this.store.scan(scope, { limit: 1000 });
  }

  /** The one entry with that content. */
  async the(content: string, scope = ALICE): Promise<Entry> {
    const entry = (await this.all(scope)).find((one) => one.content === content);
    if (entry === undefined) throw new Error(`there is no "${content}"`);
    return entry;
  }

  /** "from -type-> to (weight)" by contents, sorted. */
  async edges(scope = ALICE): Promise<string[]> {
    const entries = await this.all(scope);
    const text = new Map(entries.map(({ id, content }) => [id, content]));
    const edges: Edge[] = await this.store.edges(scope, [...text.keys()]);
    return edges
      .map(
        (edge) =>
          `${text.get(edge.from)} -${edge.type}-> ${text.get(edge.to)} (${Number(edge.weight.toFixed(4))})`,
      )
      .sort();
  }

  async close(): Promise<void> {
    await this.#manager.close();
    await this.server?.close();
  }
}

interface Opened {
  readonly clock: ReturnType<typeof manualClock>;
  readonly commits: { readonly count: number };
  readonly service: GraphMemory;
  readonly store: Collection;
  readonly server: ModelServer | undefined;
  readonly manager: CollectionManager;
  readonly vectorOf: (text: string) => Float32Array;
  readonly embeds: boolean;
}

function handMade(
  alike: Readonly<Record<string, readonly [string, number]>>,
): (text: string) => Float32Array {
  const axes = new Map<string, number>();
  const vectorOf = (text: string): Float32Array => {
    const axis = axes.get(text) ?? axes.size;
    if (axis >= DIMENSION) throw new Error("too many different texts for the hand-made vectors");
    axes.set(text, axis);
    const [other, cosine] = alike[text] ?? ["", 0];
    const base = other === "" ? new Float32Array(DIMENSION) : vectorOf(other);
    const vector = base.map((value) => value * cosine);
    vector[axis] = Math.sqrt(1 - cosine ** 2);
    return vector;
  };
  return vectorOf;
}
