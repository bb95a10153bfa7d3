/**
 * Where does a walk begin? With what the caller named; else with the entities whose names are near to the question or
 * stand in it, and a little with every memory near to it (HippoRAG 2); in a graph of notes, with the notes near to it.
 * Without a vector, words decide.
 */
import type { Hit } from "../../base/hit.ts";
import { type EntryId, parseEntryId } from "../../base/ids.ts";
import type { Vector } from "../../base/vector.ts";
import { minMax } from "../../math/min-max.ts";
import type { EmbedderSet } from "../../models/local/embedder-set.ts";
import { lexical } from "../search/lexical.ts";
import type { Search } from "../search/search.ts";
import { semantic } from "../search/semantic.ts";
import { CONTENT } from "../vector-fields.ts";
import { asEntityVector, EDGE, entitiesIn, entitiesNamed, entityName } from "./entity.ts";
import { nearest } from "./nearest.ts";

export interface SeedOptions {
  /** Whether there are entities to begin with. */
  readonly knowledge: boolean;
  /** How many entities, or notes, a question begins with. */
  readonly seeds: number;
  /** What the nearest memory weighs beside entities, whose weights are cosines. */
  readonly passageWeight: number;
  /** Divide an entity's weight by the number of memories that speak of it. */
  readonly nodeSpecificity: boolean;
  /** From which cosine on a name stands for another. */
  readonly synonymyThreshold: number;
  readonly embedder: EmbedderSet | undefined;
}

export interface Seeds {
  /** What was named, or entities. */
  readonly nodes: ReadonlyMap<EntryId, number>;
  /** Memories near to the question, best first, and what each weighs. */
  readonly memories: readonly { readonly hit: Hit; readonly weight: number }[];
}

export async function findSeeds(asked: Search, options: SeedOptions): Promise<Seeds> {
  const { hints } = asked;
  const given = Object.entries(hints.seeds ?? {}).map(([id, weight]): [EntryId, number] => [
    parseEntryId(id),
    weight,
  ]);
  if (given.length > 0) return { nodes: new Map(given), memories: [] };
  const nodes = options.knowledge ? await entitySeeds(asked, options) : new Map<EntryId, number>();
  return { nodes, memories: await memorySeeds(asked, options) };
}

async function entitySeeds(asked: Search, options: SeedOptions): Promise<Map<EntryId, number>> {
  const { scope, collection, query, hints } = asked;
  const found = new Map<EntryId, number>();
  if (hints.entities !== undefined) {
    for (const name of hints.entities) for (const id of await linked(asked, name, options)) found.set(id, 1);
  } else {
    // Without an embedder names have no vectors.
    const vectors = options.embedder === undefined ? [] : contentVectors(asked).map(asEntityVector);
    for (const { id, similarity } of await nearest(collection, scope, {
      vectors,
      k: options.seeds,
      threshold: 0,
    }))
      found.set(id, similarity);
    if (query.text !== undefined && query.text.trim() !== "")
      for (const { id } of await entitiesIn(collection, scope, query.text, options.seeds)) found.set(id, 1);
  }
  return options.nodeSpecificity ? bySpecificity(asked, found) : found;
}

/** The nodes of a name, or the one whose name is most like it. */
async function linked(
  { scope, collection }: Search,
  written: string,
  { embedder, synonymyThreshold: threshold }: SeedOptions,
): Promise<EntryId[]> {
  const exact = await entitiesNamed(collection, scope, [entityName(written)]);
  if (exact.length > 0 || embedder === undefined) return exact.map(({ id }) => id);
  const vectors = (await embedder.embedQuery(written, { scope })).map(asEntityVector);
  return (await nearest(collection, scope, { vectors, k: 1, threshold })).map(({ id }) => id);
}

/** HippoRAG: a thing that everything speaks of tells little. */
async function bySpecificity(
  { scope, collection }: Search,
  found: ReadonlyMap<EntryId, number>,
): Promise<Map<EntryId, number>> {
  const edges = await collection.edges(scope, [...found.keys()]);
  const speakers = new Map<EntryId, number>();
  for (const { type, to } of edges) if (type === EDGE.contains) speakers.set(to, (speakers.get(to) ?? 0) + 1);
  return new Map(Array.from(found, ([id, weight]) => [id, weight / Math.max(1, speakers.get(id) ?? 0)]));
}

async function memorySeeds(asked: Search, options: SeedOptions): Promise<Seeds["memories"]> {
  const { query, hints } = asked;
  const many = options.knowledge ? Math.max(query.topK, options.seeds) : options.seeds;
  const wider: Search = { ...asked, query: { ...query, topK: many }, hints: {} };
  const hits = semantic.fits(query, {})
    ? await semantic.run(wider)
    : lexical.fits(query, hints)
      ? await lexical.run({
          ...wider,
          hints: hints.keywords === undefined ? {} : { keywords: hints.keywords },
        })
      : [];
  const best = hits[0]?.score ?? 1;
  const scaled = minMax(
    hits.map(({ score }) => score),
    1,
  );
  return hits.map((hit, place) => ({
    hit,
    weight: options.knowledge
      ? (scaled[place] ?? 0) * options.passageWeight
      : Math.max(0, best > 0 ? hit.score / best : 0),
  }));
}

function contentVectors({ fields, query }: Search): Vector[] {
  const spaces = fields.find(({ name }) => name === CONTENT)?.spaces ?? [];
  return (query.vectors ?? []).filter(({ space }) => spaces.some((one) => one.space === space));
}
