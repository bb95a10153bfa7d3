/**
 * Several ranked lists made one. Each list is best first with finite scores; an id that comes twice in a list counts
 * where it comes first. Every fused hit keeps what each list gave it, so that a recall can be explained (C-33).
 */
import { minMax } from "./min-max.ts";

export interface RankedList<Id extends string> {
  /** How the list is called in `parts`. */
  readonly name: string;
  readonly hits: readonly Scored<Id>[];
  /** What one vote of this list counts, 1 unless given. */
  readonly weight?: number | undefined;
}

export interface Scored<Id extends string> {
  readonly id: Id;
  readonly score: number;
}

export interface Fused<Id extends string> extends Scored<Id> {
  /** By list name; only the lists that hold the id. */
  readonly parts: Readonly<Record<string, number>>;
}

/**
 * Reciprocal rank fusion (Cormack, Clarke & Büttcher, SIGIR 2009): score = Σ weight / (k + rank), ranks from 1. It asks
 * nothing of the scores, so lists of any scale may meet; the parts are the summands.
 */
export function fuseByReciprocalRank<Id extends string>(
  lists: readonly RankedList<Id>[],
  k = 60,
): Fused<Id>[] {
  return fuseBySum(lists, (hits, weight) => hits.map((_, place) => weight / (k + place + 1)));
}

/**
 * Weighted sum of min-max scaled scores. A list whose scores are all equal votes 1 for each of them (the rule of
 * HippoRAG); a list that misses an id votes 0. The parts are the summands.
 */
export function fuseByWeightedScore<Id extends string>(lists: readonly RankedList<Id>[]): Fused<Id>[] {
  return fuseBySum(lists, (hits, weight) => {
    const scaled = minMax(
      hits.map(({ score }) => score),
      1,
    );
    return scaled.map((value) => weight * value);
  });
}

/**
 * Weighted sum of the scores as they are, for lists that share a scale (BIEM: 0.7·cosine + 0.3·activation, S4-17). A list
 * that misses an id votes 0. The parts are the summands.
 */
export function fuseByRawScore<Id extends string>(lists: readonly RankedList<Id>[]): Fused<Id>[] {
  return fuseBySum(lists, (hits, weight) => hits.map(({ score }) => weight * score));
}

/**
 * All ids in the order they are first seen, list after list (S2-28). The score, 1 / place, says the place and no more;
 * the parts are the scores as the lists gave them.
 */
export function fuseByUnion<Id extends string>(lists: readonly RankedList<Id>[]): Fused<Id>[] {
  const votes = collect(lists, (hits) => hits.map(({ score }) => score));
  return [...votes].map(([id, parts], place) => ({ id, score: 1 / (place + 1), parts }));
}

type Vote = <Id extends string>(hits: readonly Scored<Id>[], weight: number) => readonly number[];

function fuseBySum<Id extends string>(lists: readonly RankedList<Id>[], vote: Vote): Fused<Id>[] {
  const fused: Fused<Id>[] = [];
  for (const [id, parts] of collect(lists, vote)) {
    const score = Object.values(parts).reduce((sum, part) => sum + part, 0);
    fused.push({ id, score, parts });
  }
  return fused.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}

/** What every list gives every id, in the order the ids are first seen. Lists of one name add up. */
function collect<Id extends string>(
  lists: readonly RankedList<Id>[],
  vote: Vote,
): Map<Id, Record<string, number>> {
  const votes = new Map<Id, Record<string, number>>();
  for (const { name, hits, weight = 1 } of lists) {
    const seen = new Set<Id>();
    const first = hits.filter(({ id }) => !seen.has(id) && seen.add(id));
    const given = vote(first, weight);
    for (const [place, { id }] of first.entries()) {
      const parts = votes.get(id) ?? {};
      parts[name] = (parts[name] ?? 0) + (given[place] ?? 0);
      votes.set(id, parts);
    }
  }
  return votes;
}
