/**
 * Which memories belong together and deserve one summary? BIEM's consolidation (S4-16, B.4): greedy clusters of the most
 * recent entries, the liveliest as leaders. Nothing in the original keeps it from making the same fact in every round;
 * here a cluster whose exact sources were crystallised before is passed over.
 */
import { z } from "zod";
import { MemoryError } from "../base/errors.ts";
import { greedyClusters } from "../math/clustering.ts";

export const consolidationOptions = z.strictObject({
  recent: z.int().min(2).describe("How many of the most recent entries are looked at."),
  similarity_threshold: z
    .number()
    .min(-1)
    .max(1)
    .describe("Cosine to the leader from which an entry joins it."),
  min_size: z.int().min(2).describe("Smaller groups are no clusters."),
});
export type ConsolidationOptions = Readonly<z.infer<typeof consolidationOptions>>;

export interface ConsolidationEntry<Id extends string> {
  readonly id: Id;
  /** Epoch ms. */
  readonly at: number;
  readonly vitality: number;
  /** All of one length. */
  readonly vector: Float32Array;
}

export interface Cluster<Id extends string> {
  readonly leader: Id;
  /** The leader first, then the others, liveliest first. */
  readonly members: readonly Id[];
  /** Mean vitality: what BIEM calls the confidence of the fact. */
  readonly confidence: number;
}

/** `crystallised`: the sources of every summary made before. */
export function planConsolidation<Id extends string>(
  entries: readonly ConsolidationEntry<Id>[],
  crystallised: Iterable<readonly string[]>,
  { recent, similarity_threshold, min_size }: ConsolidationOptions,
): Cluster<Id>[] {
  const latest = [...entries].sort((a, b) => b.at - a.at || byId(a, b)).slice(0, recent);
  const rows = latest.sort((a, b) => b.vitality - a.vitality || byId(a, b));
  const done = new Set(Array.from(crystallised, keyOf));
  return greedyClusters(matrixOf(rows), { threshold: similarity_threshold, minSize: min_size })
    .map((numbers) => clusterOf(numbers.flatMap((row) => rows[row] ?? [])))
    .filter(({ members }) => !done.has(keyOf(members)));
}

function clusterOf<Id extends string>(members: readonly ConsolidationEntry<Id>[]): Cluster<Id> {
  const ids = members.map(({ id }) => id);
  const [leader] = ids;
  if (leader === undefined) throw new MemoryError("invariant", "A cluster has no members.");
  return {
    leader,
    members: ids,
    confidence: members.reduce((sum, { vitality }) => sum + vitality, 0) / members.length,
  };
}

function matrixOf(rows: readonly ConsolidationEntry<string>[]) {
  const dimension = rows[0]?.vector.length ?? 1;
  const values = new Float32Array(rows.length * dimension);
  for (const [row, { id, vector }] of rows.entries()) {
    if (vector.length !== dimension) {
      throw new MemoryError(
        "dimension_mismatch",
        `The vector of ${id} has ${vector.length} numbers where the others have ${dimension}. Valid: vectors of one space.`,
      );
    }
    values.set(vector, row * dimension);
  }
  return { values, dimension };
}

function keyOf(sources: readonly string[]): string {
  return JSON.stringify([...new Set(sources)].sort());
}

function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : 1;
}
