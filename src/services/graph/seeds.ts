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
  if (given.length === 0) {
    const nodes = options.knowledge ? await entitySeeds(asked, options) : new Map<EntryId, number>();
    return { nodes, memories: await memorySeeds(asked, options) };
  }
  // Where the start is told, only what else is told goes with it: names and words, not the question.
  const named = options.knowledge ? await hintedEntities(asked, options) : [];
  const told = { ...asked, query: { ...asked.query, text: undefined, vectors: undefined } };
  return { nodes: new Map([...named, ...given]), memories: await memorySeeds(told, options) };
}

/** Entities that may become seeds, before they are weighed: more than are wanted. */
const POOL_FACTOR = 4;

async function entitySeeds(asked: Search, options: SeedOptions): Promise<Map<EntryId, number>> {
  if (asked.hints.entities !== undefined) return new Map(await hintedEntities(asked, options));
  const { scope, collection, query, hints } = asked;
  const k = POOL_FACTOR * options.seeds;
  // Without an embedder names have no vectors.
  const vectors = options.embedder === undefined ? [] : contentVectors(asked).map(asEntityVector);
  const near = await nearest(collection, scope, { vectors, k, threshold: 0 });
  const text = hints.keywords?.join("\n") ?? query.text ?? "";
  const named = text.trim() === "" ? [] : await entitiesIn(collection, scope, text, k);
  const found = new Map([
    ...near.map(({ id, similarity }): [EntryId, number] => [id, similarity]),
    ...named.map(({ id }): [EntryId, number] => [id, 1]),
  ]);
  const weighed = await weigh(asked, found, options);
  return new Map(
    weighed.sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).slice(0, options.seeds),
  );
}

/** All that the caller named, however many. */
async function hintedEntities(asked: Search, options: SeedOptions): Promise<[EntryId, number][]> {
  const found = new Map<EntryId, number>();
  for (const name of asked.hints.entities ?? [])
    for (const id of await linked(asked, name, options)) found.set(id, 1);
  return weigh(asked, found, options);
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

/**
 * HippoRAG: a thing that everything speaks of tells little. One that only forgotten memories speak of is none to begin
 * with.
 */
async function weigh(
  { scope, collection }: Search,
  found: ReadonlyMap<EntryId, number>,
  { nodeSpecificity }: SeedOptions,
): Promise<[EntryId, number][]> {
  const speakers = await collection.countReaching(scope, [...found.keys()], EDGE.contains);
  return [...found].flatMap(([id, weight], place): [EntryId, number][] => {
    const { all, current } = speakers[place] ?? { all: 0, current: 0 };
    if (current === 0 && all > 0) return [];
    return [[id, nodeSpecificity ? weight / Math.max(1, current) : weight]];
  });
}

/** Memories that are weighed as seeds beside entities, however many are asked for: what is found first must not depend on that. */
const PASSAGES = 100;

async function memorySeeds(asked: Search, options: SeedOptions): Promise<Seeds["memories"]> {
  const { query, hints } = asked;
  const weighed = options.knowledge ? PASSAGES : options.seeds;
  const topK = options.knowledge ? Math.max(query.topK, PASSAGES) : options.seeds;
  const wider: Search = { ...asked, query: { ...query, topK }, hints: {} };
  const words = hints.keywords === undefined ? {} : { keywords: hints.keywords };
  const bySense = semantic.fits(query, {});
  // Words that a hint names are looked for beside the vector; those of the question only in its place.
  const byWords = lexical.fits(query, hints) && (!bySense || hints.keywords !== undefined);
  const lists = [
    ...(bySense ? [await semantic.run(wider)] : []),
    ...(byWords ? [await lexical.run({ ...wider, hints: words })] : []),
  ].map((hits) => withWeights(hits, weighed, options));
  return mergeLists(lists);
}

type Weighed = Seeds["memories"][number];

function withWeights(hits: readonly Hit[], count: number, options: SeedOptions): Weighed[] {
  const scores = hits.slice(0, count).map(({ score }) => score);
  const scaled = minMax(scores, 1);
  const best = hits[0]?.score ?? 1;
  return hits.map((hit, place) => ({
    hit,
    weight: options.knowledge
      ? (scaled[place] ?? 0) * options.passageWeight
      : Math.max(0, best > 0 ? hit.score / best : 0),
  }));
}

/** Each memory once, with its greater weight; the heaviest first. */
function mergeLists(lists: readonly (readonly Weighed[])[]): Weighed[] {
  if (lists.length < 2) return [...(lists[0] ?? [])];
  const best = new Map<EntryId, Weighed>();
  for (const one of lists.flat())
    if (one.weight > (best.get(one.hit.id)?.weight ?? -1)) best.set(one.hit.id, one);
  return [...best.values()].sort((a, b) => b.weight - a.weight || (a.hit.id < b.hit.id ? -1 : 1));
}

function contentVectors({ fields, query }: Search): Vector[] {
  const spaces = fields.find(({ name }) => name === CONTENT)?.spaces ?? [];
  return (query.vectors ?? []).filter(({ space }) => spaces.some((one) => one.space === space));
}
