/**
 * Where does a walk begin? With what the caller named; else with what the facts nearest to the question speak of
 * (HippoRAG 2), or with the entities whose names are near to it or stand in it, and a little with every memory near to it;
 * in a graph of notes, with the notes near to it. Without a vector, words decide.
 */
import type { Hit } from "../../base/hit.ts";
import { type EntryId, parseEntryId } from "../../base/ids.ts";
import type { Vector } from "../../base/vector.ts";
import type { EmbedderSet } from "../../models/local/embedder-set.ts";
import { lexical } from "../search/lexical.ts";
import type { Search, SearchBy } from "../search/search.ts";
import { semantic } from "../search/semantic.ts";
import { CONTENT } from "../vector-fields.ts";
import { asEntityVector, EDGE, entitiesIn, entitiesNamed, entityName, type Normaliser } from "./entity.ts";
import { factSeeds } from "./fact-seeds.ts";
import { farthest, nearFacts, scaleOf } from "./near-facts.ts";
import { type Near, nearest } from "./nearest.ts";

export interface SeedOptions {
  /** Whether there are entities to begin with. */
  readonly knowledge: boolean;
  /** What a question is linked to: the facts nearest to it, or names. */
  readonly linkBy: "facts" | "names";
  readonly normaliser: Normaliser;
  /** How many facts are looked at, and how many entities, or notes, a question begins with. */
  readonly seeds: number;
  /** What the nearest memory weighs beside entities, whose weights are cosines. */
  readonly passageWeight: number;
  /** Whether the nearness of memories counts: then many are looked at, else as many as are asked for. */
  readonly weighsMemories: boolean;
  /** Divide an entity's weight by the number of memories that speak of it. */
  readonly nodeSpecificity: boolean;
  readonly embedder: EmbedderSet | undefined;
  /** Least cosine of the known name that a name which is asked for and not known stands for. @default 0 */
  readonly linkThreshold?: number | undefined;
  /** How memories near to a question are found, where vectors are not in one index of their own. */
  readonly nearBy?: SearchBy | undefined;
}

export interface Seeds {
  /** What was named, or entities. */
  readonly nodes: ReadonlyMap<EntryId, number>;
  /** Memories near to the question, best first, and what each weighs. */
  readonly memories: readonly { readonly hit: Hit; readonly weight: number }[];
  /** The least cosine by which a name that was asked for became one that is known; 1 where none had to. */
  readonly leastLink: number;
}

export async function findSeeds(asked: Search, options: SeedOptions): Promise<Seeds> {
  const { hints } = asked;
  const given = Object.entries(hints.seeds ?? {}).map(([id, weight]): [EntryId, number] => [
    parseEntryId(id),
    weight,
  ]);
  if (given.length === 0) {
    const { nodes, leastLink } = options.knowledge ? await linkedNodes(asked, options) : NOTHING_LINKED;
    return { nodes, leastLink, memories: await memorySeeds(asked, options) };
  }
  // Where the start is told, only what else is told goes with it: names and words, not the question.
  const { nodes, leastLink } = options.knowledge ? await hintedEntities(asked, options) : NOTHING_LINKED;
  const told = { ...asked, query: { ...asked.query, text: undefined, vectors: undefined } };
  return { nodes: new Map([...nodes, ...given]), leastLink, memories: await memorySeeds(told, options) };
}

type Linked = Pick<Seeds, "nodes" | "leastLink">;
const NOTHING_LINKED: Linked = { nodes: new Map(), leastLink: 1 };

async function linkedNodes(asked: Search, options: SeedOptions): Promise<Linked> {
  const { scope, collection, hints } = asked;
  if (hints.facts !== undefined) {
    const facts = Object.entries(hints.facts).map(([id, score]) => [parseEntryId(id), score] as const);
    return { nodes: await factSeeds(collection, scope, new Map(facts), options), leastLink: 1 };
  }
  if (hints.entities !== undefined) return hintedEntities(asked, options);
  const vectors = options.linkBy === "facts" ? contentVectors(asked) : [];
  if (vectors.length > 0) {
    const near = await nearFacts(collection, scope, { vectors, topK: options.seeds });
    const scores = new Map(near.map(({ id, score }) => [id, score]));
    return { nodes: await factSeeds(collection, scope, scores, options), leastLink: 1 };
  }
  return { nodes: await entitySeeds(asked, options), leastLink: 1 };
}

/** Entities that may become seeds, before they are weighed: more than are wanted. */
const POOL_FACTOR = 4;

async function entitySeeds(asked: Search, options: SeedOptions): Promise<Map<EntryId, number>> {
  const { scope, collection, query, hints } = asked;
  const k = POOL_FACTOR * options.seeds;
  // Without an embedder names have no vectors.
  const vectors = options.embedder === undefined ? [] : contentVectors(asked).map(asEntityVector);
  const near = await nearest(collection, scope, { vectors, k, threshold: 0 });
  const text = hints.keywords?.join("\n") ?? query.text ?? "";
  const named = text.trim() === "" ? [] : await entitiesIn(collection, scope, text, k, options.normaliser);
  const found = new Map([
    ...near.map(({ id, similarity }): [EntryId, number] => [id, similarity]),
    ...named.map(({ id }): [EntryId, number] => [id, 1]),
  ]);
  const weighed = await weigh(asked, found, options);
  return new Map(
    weighed.sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).slice(0, options.seeds),
  );
}

/** All that the caller named, however many; each weighs the same, however often it was linked to. */
async function hintedEntities(asked: Search, options: SeedOptions): Promise<Linked> {
  const found = new Map<EntryId, number>();
  let leastLink = 1;
  for (const name of asked.hints.entities ?? [])
    for (const { id, similarity } of await linked(asked, name, options)) {
      found.set(id, 1);
      leastLink = Math.min(leastLink, similarity);
    }
  return { nodes: new Map(await weigh(asked, found, options)), leastLink };
}

/** The node of a name, or the one whose name is most like it: however little (HippoRAG), or enough (Mem0ᵍ). */
async function linked(
  { scope, collection }: Search,
  written: string,
  { embedder, normaliser, linkThreshold = 0 }: SeedOptions,
): Promise<Pick<Near, "id" | "similarity">[]> {
  const exact = await entitiesNamed(collection, scope, [entityName(written, normaliser)]);
  if (exact.length > 0 || embedder === undefined) return exact.map(({ id }) => ({ id, similarity: 1 }));
  const vectors = (await embedder.embedQuery(written, { scope, spaces: "native" })).filter(
    ({ native }) => native,
  );
  return nearest(collection, scope, { vectors: vectors.map(asEntityVector), k: 1, threshold: linkThreshold });
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
const PASSAGES = 500;

async function memorySeeds(asked: Search, options: SeedOptions): Promise<Seeds["memories"]> {
  const { query, hints } = asked;
  const weighed = options.knowledge ? PASSAGES : options.seeds;
  // Where they do not count, they only stand behind what the walk finds.
  const most = options.weighsMemories ? Math.max(query.topK, PASSAGES) : query.topK;
  const topK = options.knowledge ? most : options.seeds;
  const wider: Search = { ...asked, query: { ...query, topK }, hints: {} };
  const words = hints.keywords === undefined ? {} : { keywords: hints.keywords };
  const bySense = semantic.fits(query, {});
  // Words that a hint names are looked for beside the vector; those of the question only in its place.
  const byWords = lexical.fits(query, hints) && (!bySense || hints.keywords !== undefined);
  const lists = [
    ...(bySense
      ? [
          withWeights(
            await (options.nearBy ?? semantic).run(wider),
            weighed,
            options,
            await leastNear(asked, options),
          ),
        ]
      : []),
    ...(byWords ? [withWeights(await lexical.run({ ...wider, hints: words }), weighed, options)] : []),
  ];
  return mergeLists(lists);
}

type Weighed = Seeds["memories"][number];

/** HippoRAG 2: the nearest memory has 1, the farthest of all 0; of more than are weighed, the rest is left out. */
function withWeights(
  hits: readonly Hit[],
  count: number,
  options: SeedOptions,
  worst = hits.slice(0, count).at(-1)?.score,
): Weighed[] {
  const best = hits[0]?.score ?? 1;
  const scale = scaleOf(best, worst);
  return hits.map((hit, place) => ({
    hit,
    weight: options.knowledge
      ? (place < count ? scale(hit.score) : 0) * options.passageWeight
      : Math.max(0, best > 0 ? hit.score / best : 0),
  }));
}

/** How near the farthest memory is, where one index can say it. */
async function leastNear(asked: Search, options: SeedOptions): Promise<number | undefined> {
  const { knowledge, passageWeight, nearBy } = options;
  if (!knowledge || passageWeight === 0 || nearBy !== undefined || asked.fields.length > 1) return undefined;
  return farthest(asked.collection, asked.scope, contentVectors(asked));
}

/** Each memory once, with its greater weight; the heaviest first. */
function mergeLists(lists: readonly (readonly Weighed[])[]): Weighed[] {
  if (lists.length < 2) return [...(lists[0] ?? [])];
  const best = new Map<EntryId, Weighed>();
  for (const one of lists.flat())
    if (one.weight > (best.get(one.hit.id)?.weight ?? -1)) best.set(one.hit.id, one);
  return [...best.values()].sort((a, b) => b.weight - a.weight || (a.hit.id < b.hit.id ? -1 : 1));
}

/** The question's vectors of what memories say. */
export function contentVectors({ fields, query }: Search): Vector[] {
  const spaces = fields.find(({ name }) => name === CONTENT)?.spaces ?? [];
  return (query.vectors ?? []).filter(({ space }) => spaces.some((one) => one.space === space));
}
