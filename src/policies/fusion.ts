/**
 * How do several lists become one? The four strategies of C-33, chosen by a preset: reciprocal rank (`rrf`), weighted sum
 * of min-max scaled scores (`weighted`), weighted sum of scores as they are (`raw_weighted`), and first seen first
 * (`union`). The formulas are in math/fusion; every hit keeps what each list gave it.
 */
import { z } from "zod";
import { MemoryError } from "../base/errors.ts";
import { validNames } from "../base/nearest-name.ts";
import {
  type Fused,
  fuseByRawScore,
  fuseByReciprocalRank,
  fuseByUnion,
  fuseByWeightedScore,
  type RankedList,
} from "../math/fusion.ts";

const weights = z
  .record(z.string(), z.number().min(0))
  .nullable()
  .describe("What each list's vote counts, by its name; null: all count the same.");

export const fusionSchema = z.discriminatedUnion("strategy", [
  z.strictObject({
    strategy: z.literal("rrf").describe("By ranks alone: the sum of weight / (k + rank)."),
    rrf_k: z
      .number()
      .min(0)
      .describe("The k of reciprocal rank fusion: the larger, the less the first places count."),
    weights,
  }),
  z.strictObject({
    strategy: z.literal("weighted").describe("The weighted sum of scores, each list scaled to 0 … 1 first."),
    weights,
  }),
  z.strictObject({
    strategy: z.literal("raw_weighted").describe("The weighted sum of scores as the lists give them."),
    weights,
  }),
  z.strictObject({
    strategy: z.literal("union").describe("First seen first, list after list; scores are not compared."),
  }),
]);
export type FusionOptions = Readonly<z.infer<typeof fusionSchema>>;

/** A list's own weight multiplies the one its name has. */
export function fuse<Id extends string>(
  lists: readonly RankedList<Id>[],
  options: FusionOptions,
): Fused<Id>[] {
  switch (options.strategy) {
    case "rrf":
      return fuseByReciprocalRank(weigh(lists, options.weights), options.rrf_k);
    case "weighted":
      return fuseByWeightedScore(weigh(lists, options.weights));
    case "raw_weighted":
      return fuseByRawScore(weigh(lists, options.weights));
    case "union":
      return fuseByUnion(lists);
  }
}

function weigh<Id extends string>(
  lists: readonly RankedList<Id>[],
  given: Readonly<Record<string, number>> | null,
): RankedList<Id>[] {
  return lists.map(({ name, hits, weight: own = 1 }) => {
    const weight = given === null ? 1 : Object.hasOwn(given, name) ? given[name] : undefined;
    if (weight !== undefined) return { name, hits, weight: own * weight };
    throw new MemoryError(
      "option_invalid",
      `The fusion has no weight for the list "${name}". ${validNames(name, Object.keys(given ?? {}))}`,
    );
  });
}
