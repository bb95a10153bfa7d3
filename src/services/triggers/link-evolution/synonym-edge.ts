/**
 * Names of the same thing, joined (HippoRAG): every entity is linked to the nearest names that are alike enough; in a graph
 * without entities, every memory to the nearest memories. A few new nodes ask the vector index; a whole scope is joined
 * through hash tables built over its vectors (`math/alike-join.ts`), never pair by pair.
 */
import { z } from "zod";
import type { NewEdge } from "../../../base/edge.ts";
import type { EntryId } from "../../../base/ids.ts";
import { seededRandom } from "../../../base/random.ts";
import { alikeJoin } from "../../../math/alike-join.ts";
import { EDGE } from "../../graph/entity.ts";
import { nearest, similarityOf } from "../../graph/nearest.ts";
import { settle } from "../pending.ts";
import type { TriggerContext } from "../trigger.ts";
import type { LinkPolicy } from "./link-policy.ts";
import { type SynonymNodes, synonymNodes } from "./synonym-nodes.ts";

export const synonymEdgeOptions = z.strictObject({
  link_policy: z.literal("synonym_edge").describe("Joins names, or notes, that are alike."),
  knn_k: z.int().min(1).describe("How many of the most alike a node is joined to."),
  threshold: z.number().positive().max(1).describe("Cosine from which two are alike."),
  synonym_merge: z
    .enum(["add", "overwrite"])
    .describe(
      "What becomes of a relation that joins two names that are alike: it counts beside their likeness (add), or gives way to it (overwrite), as in HippoRAG's code.",
    ),
  edge_weight: z.number().positive().describe("What a synonym's cosine is multiplied with to be its weight."),
});
type Options = z.infer<typeof synonymEdgeOptions>;

const POLICY = "synonym_edge";
/** So many nodes ask the index one by one; more are joined at once. */
const FEW = 200;
const PAGE = 1000;
/** Chance that a pair that is only just alike is overlooked when a whole scope is joined. */
const MISS_CHANCE = 0.005;

export const synonymEdge: LinkPolicy<Options> = async (context, options, entries) => {
  const nodes = await synonymNodes(context, entries);
  const wanted = new Map<string, NewEdge>();
  for (const space of nodes.spaces) {
    const find = nodes.own.length <= FEW ? pairsByIndex : pairsByJoin;
    for (const { one, other, similarity } of await find(context, space, nodes, options)) {
      const [from, to] = one < other ? [one, other] : [other, one];
      const weight = similarityOf(options.edge_weight * similarity);
      const edge = { from, to, type: EDGE.synonym, weight, directed: false, provenance: POLICY };
      if ((wanted.get(keyOf(edge))?.weight ?? 0) < weight) wanted.set(keyOf(edge), edge);
    }
  }
  if (options.synonym_merge === "overwrite") await dropRelations(context, [...wanted.values()]);
  const edges = await writeNew(context, nodes.own, wanted);
  // What was left to be decided about these nodes is decided now.
  await settle(context, "synonym", nodes.own);
  return { examined: nodes.own.length, edges };
};

interface Pair {
  readonly one: EntryId;
  readonly other: EntryId;
  readonly similarity: number;
}

type FindPairs = (
  context: TriggerContext,
  space: string,
  nodes: SynonymNodes,
  options: Options,
) => Promise<Pair[]>;

const pairsByIndex: FindPairs = async ({ scope, store }, space, { own }, { knn_k: k, threshold }) => {
  const pairs: Pair[] = [];
  const vectors = await store.vectors(scope, space, own);
  for (const [place, one] of own.entries()) {
    const values = vectors[place];
    if (values === undefined) continue;
    const near = await nearest(store, scope, { vectors: [{ space, values }], k, threshold, except: one });
    pairs.push(...near.map(({ id, similarity }) => ({ one, other: id, similarity })));
  }
  return pairs;
};

const pairsByJoin: FindPairs = async ({ scope, store }, space, { own, others }, { knn_k: k, threshold }) => {
  const ids: EntryId[] = [];
  const vectors: Float32Array[] = [];
  const all = [...own, ...others];
  for (let start = 0; start < all.length; start += PAGE) {
    const page = all.slice(start, start + PAGE);
    for (const [place, values] of (await store.vectors(scope, space, page)).entries()) {
      const id = page[place];
      if (values === undefined || id === undefined) continue;
      ids.push(id);
      vectors.push(values);
    }
  }
  const mine = new Set(own);
  // The same hashes every time: asked again, the same pairs are found.
  const { neighbors } = alikeJoin(vectors, { k, threshold, missChance: MISS_CHANCE }, seededRandom(1));
  return ids.flatMap((one, place) => {
    // Whom public nodes are near to is the public scope's to say.
    if (!mine.has(one)) return [];
    return (neighbors[place] ?? []).flatMap(({ place: there, cosine }) => {
      const other = ids[there];
      return other === undefined ? [] : [{ one, other, similarity: similarityOf(cosine) }];
    });
  });
};

/** Writes what is not there yet, or there with another weight; edges of other origin stay as they are. */
async function writeNew(
  { scope, store }: TriggerContext,
  own: readonly EntryId[],
  wanted: Map<string, NewEdge>,
): Promise<number> {
  for (let start = 0; start < own.length; start += PAGE) {
    for (const edge of await store.edges(scope, own.slice(start, start + PAGE))) {
      if (edge.type !== EDGE.synonym) continue;
      const [from, to] = edge.from < edge.to ? [edge.from, edge.to] : [edge.to, edge.from];
      const same = edge.provenance !== POLICY || edge.weight === wanted.get(keyOf({ from, to }))?.weight;
      if (same) wanted.delete(keyOf({ from, to }));
    }
  }
  const edges = [...wanted.values()];
  for (let start = 0; start < edges.length; start += PAGE)
    await store.link(scope, edges.slice(start, start + PAGE), { cause: `link_evolution: ${POLICY}` });
  return edges.length;
}

/** Takes relations between the two ends of a synonym away, whichever way round they were stated. */
async function dropRelations({ scope, store }: TriggerContext, synonyms: readonly NewEdge[]): Promise<void> {
  const keys = synonyms.flatMap(({ from, to }) => [
    { from, to, type: EDGE.relation },
    { from: to, to: from, type: EDGE.relation },
  ]);
  for (let start = 0; start < keys.length; start += PAGE) {
    const there = await store.ownEdges(scope, keys.slice(start, start + PAGE));
    if (there.length > 0) await store.unlink(scope, there, { cause: `link_evolution: ${POLICY}` });
  }
}

function keyOf({ from, to }: Pick<NewEdge, "from" | "to">): string {
  return `${from} ${to}`;
}
