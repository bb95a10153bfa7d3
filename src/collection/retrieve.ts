/**
 * From a question to hits. The index proposes, the truth disposes: candidates are read back from the storage for the
 * caller's scope, superseded ones and those a filter refuses fall out. If too few remain the index is asked for more,
 * and at last, for a filter that refuses nearly all, only among the ids it allows. So the answer is exactly topK, or all that match.
 */
import type { Entry } from "../base/entry.ts";
import { type Filter, matches, where } from "../base/filter.ts";
import type { Hit } from "../base/hit.ts";
import type { EntryId } from "../base/ids.ts";
import type { JsonObject } from "../base/json.ts";
import { parseInput } from "../base/parse-input.ts";
import { type Scope, visibleScopes } from "../base/scope.ts";
import type { Vector } from "../base/vector.ts";
import type { Candidate } from "../indexes/index-contract.ts";
import { type Fused, fuseByReciprocalRank, fuseByUnion, fuseByWeightedScore } from "../math/fusion.ts";
import type { Storage } from "../storage/storage.ts";
import type { IndexSet } from "./index-set.ts";
import { type Fusion, multiRetrievalSchema, optionalFilter, retrievalSchema } from "./requests.ts";

export interface Retrieval {
  readonly index: string;
  readonly text?: string | undefined;
  readonly vector?: Vector | undefined;
  /** @default 10 */
  readonly topK?: number | undefined;
  /** Only entries that score so much at least. @default however little */
  readonly least?: number | undefined;
  /** Cosines may be off by a thousandth or so, if the index can then leave stored vectors unread. @default false */
  readonly rough?: boolean | undefined;
  readonly filter?: Filter | undefined;
  /** The index kind's own options: a walk's seeds, a range's bounds … */
  readonly params?: JsonObject | undefined;
  /** Also return entries that another has superseded. @default false */
  readonly superseded?: boolean | undefined;
  /** Only entries of the scope itself, not the public ones it also sees; a walk may still lead over those. @default false */
  readonly own?: boolean | undefined;
}

export interface MultiRetrieval {
  /** Each may carry a weight; `topK` and `filter` of the whole apply to all. */
  readonly queries: readonly (Omit<
    Retrieval,
    "topK" | "least" | "rough" | "filter" | "superseded" | "own"
  > & {
    readonly weight?: number | undefined;
  })[];
  readonly topK?: number | undefined;
  readonly filter?: Filter | undefined;
  readonly superseded?: boolean | undefined;
  readonly own?: boolean | undefined;
  /** @default "rrf" */
  readonly fusion?: Fusion | undefined;
  /** Reciprocal-rank fusion's constant. @default 60 */
  readonly rrfK?: number | undefined;
}

export interface Source {
  readonly collection: string;
  readonly storage: Storage;
  readonly indexes: IndexSet;
}

const DEFAULT_TOP_K = 10;
/** A fused list looks deeper into each index than it returns: what is second in two lists may win. */
const OVERFETCH = 2;

export async function retrieve(source: Source, scope: Scope, request: Retrieval): Promise<Hit[]> {
  const { collection, storage, indexes } = source;
  const given = parseInput(retrievalSchema, request, "retrieval");
  const { topK = DEFAULT_TOP_K, least, rough, own = false, text, vector, params } = given;
  const head = await indexes.sync();
  const index = indexes.get(request.index);
  const filter = filterOf(request);
  const scopes = own && !index.walks ? [scope] : visibleScopes(scope);
  const isWanted = (entry: Entry): boolean =>
    (!own || entry.scope === scope) && (filter === undefined || matches(filter, entry));
  /** Best first, so whoever scores too little comes last: dropped here, nobody reads it back. */
  const ask = async (limit: number, allow?: ReadonlySet<EntryId>): Promise<Candidate[]> => {
    const found = await index.query({ scopes, limit, least, rough, allow, text, vector, params }, head.seq);
    return least === undefined ? found : found.filter(({ score }) => score >= least);
  };

  for (const limit of request.filter === undefined
    ? [topK + 2, 4 * topK, 40 * topK]
    : [4 * topK, 40 * topK]) {
    const candidates = await ask(limit);
    const hits = await toHits(source, scope, candidates, isWanted);
    if (hits.length >= topK || candidates.length < limit) return hits.slice(0, topK);
  }
  const allowed = await ask(topK, await storage.find(scope, collection, filter, own));
  return toHits(source, scope, allowed, isWanted);
}

export async function retrieveMulti(source: Source, scope: Scope, request: MultiRetrieval): Promise<Hit[]> {
  const given = parseInput(multiRetrievalSchema, request, "retrieval");
  const { queries, filter, superseded, own } = request;
  const { topK = DEFAULT_TOP_K, fusion = "rrf", rrfK = 60 } = given;
  const found = new Map<string, Hit>();
  const lists: { name: string; hits: Hit[]; weight: number | undefined }[] = [];
  for (const [place, { weight, ...query }] of queries.entries()) {
    const hits = await retrieve(source, scope, { ...query, filter, superseded, own, topK: OVERFETCH * topK });
    // Two questions to one index are two lists: the second is told apart by its place.
    const name = lists.some((list) => list.name === query.index)
      ? `${query.index}#${place + 1}`
      : query.index;
    lists.push({ name, hits, weight });
    for (const hit of hits) found.set(hit.id, explain(found.get(hit.id) ?? hit, name, hit));
  }
  return fuse(fusion, lists, rrfK)
    .slice(0, topK)
    .flatMap(({ id, score, parts }) => {
      const hit = found.get(id);
      if (hit === undefined) return [];
      const fused = Object.fromEntries(
        Object.entries(parts).map(([name, part]) => [`${fusion}.${name}`, part]),
      );
      return [{ ...hit, score, scoreParts: { ...fused, ...hit.scoreParts } }];
    });
}

function fuse(
  fusion: Fusion,
  lists: Parameters<typeof fuseByReciprocalRank<EntryId>>[0],
  rrfK: number,
): Fused<EntryId>[] {
  switch (fusion) {
    case "rrf":
      return fuseByReciprocalRank(lists, rrfK);
    case "weighted":
      return fuseByWeightedScore(lists);
    case "union":
      return fuseByUnion(lists);
  }
}

/** The parts of every list that found the entry, each under the list's name. */
function explain(known: Hit, list: string, hit: Hit): Hit {
  const parts = Object.fromEntries(
    Object.entries(hit.scoreParts).map(([part, value]) => [`${list}.${part}`, value]),
  );
  return { ...known, scoreParts: known === hit ? parts : { ...known.scoreParts, ...parts } };
}

async function toHits(
  { storage, collection }: Source,
  scope: Scope,
  candidates: readonly Candidate[],
  isWanted: (entry: Entry) => boolean,
): Promise<Hit[]> {
  const entries = await storage.entries(
    scope,
    collection,
    candidates.map(({ id }) => id),
  );
  return candidates.flatMap(({ score, parts }, place) => {
    const entry = entries[place];
    if (entry === undefined || !isWanted(entry)) return [];
    return [{ ...entry, score, scoreParts: parts }];
  });
}

function filterOf({
  filter,
  superseded = false,
}: Pick<Retrieval, "filter" | "superseded">): Filter | undefined {
  const given = optionalFilter(filter);
  if (superseded) return given;
  const current = where.eq("supersededBy", null);
  return given === undefined ? current : where.and(current, given);
}
