/**
 * What memories state, as entries of kind "fact_node", one per fact and scope (HippoRAG 2's fact store): a question finds
 * the facts nearest to it, and begins its walk at what they speak of. A fact knows the memories that state it by `states`
 * edges, and goes with the last of them. Facts are no nodes of the graph.
 */
import { hash } from "node:crypto";
import type { NewEdge } from "../../base/edge.ts";
import type { EntryId } from "../../base/ids.ts";
import type { Scope } from "../../base/scope.ts";
import type { Vector } from "../../base/vector.ts";
import type { Collection } from "../../collection/collection.ts";
import type { NewCollectionIndex } from "../../collection/index-set.ts";
import type { NewItem } from "../../collection/insert.ts";
import type { EmbedderSpace } from "../../models/local/embedder-set.ts";
import { tripleText } from "../../text/triple-text.ts";
import { indexNameOf, spaceOf, textField, vectorIndexes } from "../vector-fields.ts";
import { EDGE, FACT, type NameEmbedder } from "./entity.ts";
import type { Fact } from "./triples.ts";

/** Facts by what they state. */
const FACTS_INDEX = "facts";

/** The indexes of a fact store: by vector, and by what is stated. */
export function factIndexes(spaces: readonly EmbedderSpace[]): NewCollectionIndex[] {
  return [
    ...vectorIndexes([textField(FACT, spaces)]),
    { name: FACTS_INDEX, kind: "key", options: { field: "metadata.key" } },
  ];
}

/** A vector of the memories' embedder, as the index of facts knows it. */
export function asFactVector({ space, values }: Vector): Vector {
  return { space: spaceOf(space, FACT), values };
}

/** A fact as it is embedded and read. */
export function factText(fact: Pick<Fact, "subject" | "relation" | "object">): string {
  return tripleText(fact);
}

/** The same fact, however it is written, has one key. */
function keyOf({ names }: Fact): string {
  return hash("sha256", JSON.stringify(names)).slice(0, 32);
}

/** Of the scope's own facts those that are stated again: key → id. */
export async function knownFacts(
  store: Collection,
  scope: Scope,
  facts: readonly Fact[],
): Promise<Map<string, EntryId>> {
  if (facts.length === 0) return new Map();
  const keys = facts.map(keyOf);
  const params = { keys, threshold: 1 };
  const found = await store.retrieve(scope, { index: FACTS_INDEX, params, topK: keys.length, own: true });
  return new Map(found.map(({ id, metadata }) => [String(metadata.key), id]));
}

/** The facts that nobody stated yet. */
export function newFacts(facts: readonly Fact[], known: ReadonlyMap<string, EntryId>): Fact[] {
  return facts.filter((fact) => !known.has(keyOf(fact)));
}

/** New facts, to be inserted with a memory, and its edges to all that it states. */
export async function planFacts(
  store: Collection,
  scope: Scope,
  embedder: NameEmbedder,
  memory: { readonly id: EntryId; readonly facts: readonly Fact[] },
): Promise<{ readonly items: readonly NewItem[]; readonly edges: readonly NewEdge[] }> {
  const ids = await knownFacts(store, scope, memory.facts);
  const fresh = newFacts(memory.facts, ids);
  const vectors = await embedder.embedDocuments(fresh.map(factText), { scope });
  const items = fresh.map((fact, place): NewItem => {
    const made = vectors[place];
    const own = made === undefined ? [] : [asFactVector(made)];
    const id = store.newId();
    const key = keyOf(fact);
    ids.set(key, id);
    const { subject, relation, object } = fact;
    return {
      id,
      kind: FACT,
      content: factText(fact),
      metadata: { subject, relation, object, key },
      indexes: [FACTS_INDEX, ...own.map(({ space }) => indexNameOf(space))],
      vectors: own,
    };
  });
  const edges = [...new Set(memory.facts.map(keyOf))].flatMap((key): NewEdge[] => {
    const to = ids.get(key);
    return to === undefined
      ? []
      : [{ from: memory.id, to, type: EDGE.states, directed: true, provenance: "triples" }];
  });
  return { items, edges };
}
