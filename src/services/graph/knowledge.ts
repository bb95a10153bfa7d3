/**
 * From the triples of a memory to nodes and edges, all written with it in one transaction (HippoRAG's open knowledge
 * graph): an entity per name, `contains` from the memory to each, `relation` between those that a triple joins.
 *
 * Every scope has nodes of its own, so that nobody's graph changes when another's memories go. Where a public node has the
 * same name, the scope's own is tied to it by a `synonym` edge of the scope's own; the public node stays as it is.
 */
import type { NewEdge } from "../../base/edge.ts";
import { invariant } from "../../base/errors.ts";
import type { EntryId } from "../../base/ids.ts";
import type { Scope } from "../../base/scope.ts";
import type { Vector } from "../../base/vector.ts";
import type { Collection } from "../../collection/collection.ts";
import type { NewItem } from "../../collection/insert.ts";
import { cosine } from "../../math/cosine.ts";
import type { EmbedderSet } from "../../models/local/embedder-set.ts";
import { indexNameOf } from "../vector-fields.ts";
import { asEntityVector, EDGE, ENTITY, entitiesNamed, GRAPH_INDEX, NAMES_INDEX } from "./entity.ts";
import { planFacts } from "./fact.ts";
import { type LinkMode, pendingWork } from "./link-mode.ts";
import { nearest, similarityOf } from "./nearest.ts";
import { addStatements } from "./relations.ts";
import type { Knowledge } from "./triples.ts";

export interface KnowledgeOptions {
  readonly directed: boolean;
  readonly linkMode: LinkMode;
  readonly synonymyThreshold: number;
  readonly maxLinks: number;
  /** Whether what is stated is kept, too, to be found by its nearness. */
  readonly facts: boolean;
  /** What an edge from a memory to a name in it weighs; null: how often its facts name it (HippoRAG 1 adds that up). */
  readonly passageEdgeWeight: number | null;
}

export interface KnowledgeItems {
  /** New entities, to be inserted with the memory. */
  readonly items: readonly NewItem[];
  /** Edges of the memory and between entities. */
  readonly edges: readonly NewEdge[];
}

interface NewNode {
  readonly id: EntryId;
  readonly name: string;
  readonly written: string;
  readonly vector: Vector | undefined;
}

export async function planKnowledge(
  store: Collection,
  scope: Scope,
  embedder: Pick<EmbedderSet, "embedDocuments"> | undefined,
  memory: { readonly id: EntryId; readonly knowledge: Knowledge },
  options: KnowledgeOptions,
): Promise<KnowledgeItems> {
  const { names, statements } = memory.knowledge;
  if (names.size === 0) return { items: [], edges: [] };
  const known = await entitiesNamed(store, scope, [...names.keys()]);
  const own = new Map(known.filter((node) => node.scope === scope).map(({ name, id }) => [name, id]));
  const missing = [...names].filter(([name]) => !own.has(name));
  // What is not embedded (an empty text) has no vector and no synonyms, and is found by its name alone.
  const texts = missing.map(([name, written]) => (isTelling(name) ? written : ""));
  const vectors = await embedder?.embedDocuments(texts, { scope });
  const nodes = missing.map(([name, written], place): NewNode => {
    const vector = vectors?.[place];
    const id = store.newId();
    own.set(name, id);
    return { id, name, written, vector: vector === undefined ? undefined : asEntityVector(vector) };
  });
  const idOf = (name: string): EntryId => {
    const id = own.get(name);
    invariant(id !== undefined, `A triple names "${name}", and no node was made of it`);
    return id;
  };

  const items: NewItem[] = [];
  for (const [place, node] of nodes.entries()) {
    const twins = known.filter(({ name, scope: owner }) => name === node.name && owner !== scope);
    const tied = twins.map(({ id }) => ({
      to: id,
      type: EDGE.synonym,
      directed: false,
      provenance: "same name",
    }));
    const near = await synonyms(store, scope, node, nodes.slice(0, place), options);
    const untied = near.filter(({ id }) => !twins.some((twin) => twin.id === id));
    items.push(entityItem(node, tied, untied, options));
  }
  const fresh = new Set(nodes.map(({ id }) => id));
  const keys = statements
    .map(({ subject, object }) => ({ from: idOf(subject), to: idOf(object), type: EDGE.relation }))
    .filter(({ from, to }) => !fresh.has(from) && !fresh.has(to));
  const there = await store.ownEdges(scope, keys);
  const contains = [...names.keys()].map((name) => ({
    from: memory.id,
    to: idOf(name),
    type: EDGE.contains,
    weight: options.passageEdgeWeight ?? Math.max(1, timesNamed(memory.knowledge, name)),
    directed: false,
    provenance: "triples",
  }));
  const stated =
    options.facts && embedder !== undefined
      ? await planFacts(store, scope, embedder, { id: memory.id, facts: memory.knowledge.facts })
      : { items: [], edges: [] };
  const relations = addStatements(statements, idOf, there, options.directed);
  return {
    items: [...items, ...stated.items],
    edges: [...contains, ...relations, ...stated.edges],
  };
}

/** At how many ends of a memory's facts a name stands. */
function timesNamed({ facts }: Knowledge, name: string): number {
  return facts.reduce(
    (sum, { names: [one, , other] }) => sum + Number(one === name) + Number(other === name),
    0,
  );
}

interface Synonym {
  readonly id: EntryId;
  readonly similarity: number;
}

/** Names alike, among those that are there and those that come with it. */
async function synonyms(
  store: Collection,
  scope: Scope,
  { vector }: NewNode,
  before: readonly NewNode[],
  { linkMode, synonymyThreshold: threshold, maxLinks: k }: KnowledgeOptions,
): Promise<Synonym[]> {
  if (linkMode === "none" || vector === undefined) return [];
  const there = await nearest(store, scope, { vectors: [vector], k, threshold });
  const fresh = before.flatMap((other) => {
    if (other.vector?.space !== vector.space) return [];
    const similarity = similarityOf(cosine(vector.values, other.vector.values));
    return similarity >= threshold ? [{ id: other.id, similarity }] : [];
  });
  return [...there, ...fresh].sort((a, b) => b.similarity - a.similarity).slice(0, k);
}

/** Whether the nearness of a name says anything. HippoRAG asks for three letters or digits; one of Chinese counts for two. */
export function isTelling(name: string): boolean {
  const signs = name.match(/[\p{L}\p{N}]/gu) ?? [];
  const han = name.match(/\p{Script=Han}/gu) ?? [];
  return signs.length + han.length > 2;
}

function entityItem(
  { id, name, written, vector }: NewNode,
  tied: readonly Omit<NewEdge, "from">[],
  near: readonly Synonym[],
  { linkMode }: KnowledgeOptions,
): NewItem {
  const links = near.map(({ id: to, similarity: weight }) => ({
    to,
    type: EDGE.synonym,
    weight,
    directed: false,
    provenance: "link_mode auto",
  }));
  return {
    id,
    kind: ENTITY,
    content: written,
    tags: [name],
    metadata: { name },
    indexes: [NAMES_INDEX, GRAPH_INDEX, ...(vector === undefined ? [] : [indexNameOf(vector.space)])],
    vectors: vector === undefined ? [] : [vector],
    edges: linkMode === "auto" ? [...tied, ...links] : tied,
    work: linkMode === "pending" ? pendingWork("synonym", id, near) : [],
  };
}
