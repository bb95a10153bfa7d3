/**
 * The verbs of the knowledge-graph memory server over a memory of ours. The journal is the graph: what it says, added up in
 * the order it was said, so that it does not matter whether two processes said the same at the same moment. What is deleted
 * is erased, with every memory that was made of it.
 */
import { MemoryError } from "../../../base/errors.ts";
import type { TurnId } from "../../../base/ids.ts";
import { createQueue } from "../../../base/promise.ts";
import type { Memory } from "../../../runtime/memory.ts";
import type { RememberOptions } from "../../../runtime/remember.ts";
import {
  entityFacts,
  type Fact,
  factOf,
  GRAPH_SESSION,
  graphOf,
  judgedFact,
  namesIn,
  observationFacts,
  relationFact,
} from "./fact.ts";
import {
  around,
  type Entity,
  type KnowledgeGraph,
  namesHolding,
  type Relation,
  relationKey,
} from "./graph.ts";

interface Said {
  readonly turn: TurnId;
  readonly fact: Fact;
}

export interface NewObservations {
  readonly entityName: string;
  readonly contents: readonly string[];
}

export interface AddedObservations {
  readonly entityName: string;
  readonly addedObservations: string[];
}

export interface Deletion {
  readonly entityName: string;
  readonly observations: readonly string[];
}

const PAGE = 1000;

/** The queue of changes is the graph's: all calls on one memory share it. */
const graphs = new WeakMap<Memory, GraphMemory>();

export function graphIn(memory: Memory): GraphMemory {
  const graph = graphs.get(memory) ?? new GraphMemory(memory);
  graphs.set(memory, graph);
  return graph;
}

export class GraphMemory {
  readonly #memory: Memory;
  /** One change after another: what is there is read before what is missing is said. */
  readonly #alone = createQueue();

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  async read(): Promise<KnowledgeGraph> {
    return graphOf((await this.#said()).map(({ fact }) => fact));
  }

  /** Gives those that were not there yet; one that is there is left as it is. */
  async createEntities(entities: readonly Entity[]): Promise<Entity[]> {
    return this.#alone(async () => {
      const known = new Set((await this.read()).entities.map(({ name }) => name));
      const made = entities.filter(({ name }) => !known.has(name) && known.add(name).has(name));
      await this.#say(made.flatMap(entityFacts));
      return made;
    });
  }

  /** Gives those that were not there yet. */
  async createRelations(relations: readonly Relation[]): Promise<Relation[]> {
    return this.#alone(async () => {
      const made = missing(relations, await this.read());
      await this.#say(made.map(relationFact));
      return made;
    });
  }

  /** Gives for each entity what was not known of it yet; nothing is added where one of them does not exist. */
  async addObservations(given: readonly NewObservations[]): Promise<AddedObservations[]> {
    return this.#alone(async () => {
      const known = observed(await this.read());
      const added = given.map(({ entityName, contents }) => {
        const before = known.get(entityName);
        if (before === undefined) throw unknownEntity(entityName);
        return { entityName, addedObservations: news(contents, before) };
      });
      await this.#say(added.flatMap((one) => observationFacts(one.entityName, one.addedObservations)));
      return added;
    });
  }

  /** A graph from elsewhere: what is missing is added, also to entities that are there. Gives how many facts were. */
  async take({ entities, relations }: KnowledgeGraph, options?: RememberOptions): Promise<number> {
    return this.#alone(async () => {
      const graph = await this.read();
      const known = observed(graph);
      const facts = entities.flatMap((entity) => {
        const before = known.get(entity.name);
        if (before !== undefined) return observationFacts(entity.name, news(entity.observations, before));
        known.set(entity.name, new Set(entity.observations));
        return entityFacts(entity);
      });
      const all = [...facts, ...missing(relations, graph).map(relationFact)];
      await this.#say(all, options);
      return all.length;
    });
  }

  /** With their observations and relations. */
  async deleteEntities(names: readonly string[]): Promise<void> {
    const gone = new Set(names);
    await this.#erase((fact) => namesIn(fact).some((name) => gone.has(name)));
  }

  async deleteObservations(given: readonly Deletion[]): Promise<void> {
    await this.#erase(
      (fact) =>
        fact.fact === "observation" &&
        given.some((one) => one.entityName === fact.name && one.observations.includes(fact.observation)),
    );
  }

  async deleteRelations(relations: readonly Relation[]): Promise<void> {
    const gone = new Set(relations.map(relationKey));
    await this.#erase((fact) => fact.fact === "relation" && gone.has(relationKey(fact)));
  }

  /** Entities that hold the words; where none does, those that recall thinks of. */
  async search(query: string): Promise<KnowledgeGraph> {
    const said = await this.#said();
    const graph = graphOf(said.map(({ fact }) => fact));
    const names = namesHolding(graph, query);
    return around(graph, names.length > 0 ? names : await this.#recalled(query, said));
  }

  /** Those of these names that exist. */
  async open(names: readonly string[]): Promise<KnowledgeGraph> {
    return around(await this.read(), names);
  }

  async #recalled(query: string, said: readonly Said[]): Promise<readonly string[]> {
    if (query.trim() === "") return [];
    const { hits, isDoubtful } = await this.#memory.recall(query);
    if (isDoubtful) return [];
    const sources = new Set<string>(hits.flatMap((hit) => hit.sources));
    return said.filter(({ turn }) => sources.has(turn)).flatMap(({ fact }) => namesIn(fact));
  }

  async #say(facts: readonly Fact[], options?: RememberOptions): Promise<void> {
    if (facts.length > 0) await this.#memory.remember(facts.map(judgedFact), options);
  }

  async #erase(isMeant: (fact: Fact) => boolean): Promise<void> {
    await this.#alone(async () => {
      const turns = (await this.#said()).filter(({ fact }) => isMeant(fact)).map(({ turn }) => turn);
      if (turns.length > 0) await this.#memory.forget({ turns });
    });
  }

  async #said(): Promise<readonly Said[]> {
    const { scope } = this.#memory;
    const { storage } = this.#memory.running();
    const said: Said[] = [];
    for (let after = 0; ; ) {
      const page = await storage.turns(scope, { session: GRAPH_SESSION, after, limit: PAGE });
      for (const turn of page) {
        const fact = turn.scope === scope ? factOf(turn) : undefined;
        if (fact !== undefined) said.push({ turn: turn.id, fact });
      }
      after = page.at(-1)?.seq ?? after;
      if (page.length < PAGE) return said;
    }
  }
}

/** What is known of each entity. */
function observed({ entities }: KnowledgeGraph): Map<string, Set<string>> {
  return new Map(entities.map(({ name, observations }) => [name, new Set(observations)]));
}

/** Each once; known from here on. */
function news(contents: readonly string[], known: Set<string>): string[] {
  return contents.filter((content) => !known.has(content) && known.add(content).has(content));
}

function missing(given: readonly Relation[], { relations }: KnowledgeGraph): Relation[] {
  const known = new Set(relations.map(relationKey));
  return given.filter((one) => !known.has(relationKey(one)) && known.add(relationKey(one)));
}

function unknownEntity(name: string): MemoryError {
  return new MemoryError(
    "entry_not_found",
    `There is no entity "${name.slice(0, 60)}". Valid: one that create_entities made; read_graph shows them.`,
  );
}
