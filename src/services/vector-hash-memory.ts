/**
 * Thoughts in hash buckets (S0-3; TiM, arXiv 2311.08719): similar vectors share a bucket, and a question meets only what
 * lies in its own bucket or, for hashes of bits, in one that differs in at most `max_hamming` of them (B.0.9, 26: a
 * distance, not a score). There is no other way to ask: a question without a vector is refused.
 */
import { z } from "zod";
import { MemoryError } from "../base/errors.ts";
import type { Collection } from "../collection/collection.ts";
import type { NewItem } from "../collection/insert.ts";
import { BaseService, commonOptions, type Placement } from "./base-service.ts";
import { type Searches, strategiesOf } from "./search/search.ts";
import { byNearness } from "./search/semantic.ts";
import { defineService, type ServiceDeps, type ServiceTraits } from "./service.ts";
import { indexNameOf, type VectorSpace } from "./vector-fields.ts";

/** 2^12 buckets: beyond that, finding the nearest direction costs more than it saves. */
const MOST_ARGMAX_BITS = 12;

const options = z
  .strictObject({
    collection_name: commonOptions.collection_name,
    vitality: commonOptions.vitality,
    k_nearest: z
      .number()
      .int()
      .min(1)
      .describe("How many entries a question without a number of its own gets."),
    form: z
      .enum(["sign", "argmax"])
      .describe("sign: one bit per random direction; argmax: the nearest random direction, as in TiM."),
    lsh_nbits: z
      .number()
      .int()
      .min(1)
      .max(256)
      .describe("Bits of a hash, which makes 2^lsh_nbits buckets; at most 12 for argmax."),
    seed: z.number().int().min(0).max(0xffff_ffff).describe("Of the random directions."),
    max_hamming: z
      .number()
      .int()
      .min(0)
      .max(256)
      .nullable()
      .describe(
        "In how many bits a bucket may differ from the question's; null for argmax, whose buckets have no neighbours.",
      ),
  })
  .refine(({ form, max_hamming }) => (form === "sign") === (max_hamming !== null), {
    path: ["max_hamming"],
    error: "must be a number for the form sign and null for the form argmax",
  })
  .refine(({ form, lsh_nbits }) => form === "sign" || lsh_nbits <= MOST_ARGMAX_BITS, {
    path: ["lsh_nbits"],
    error: `must be at most ${MOST_ARGMAX_BITS} for the form argmax`,
  });
type Options = z.infer<typeof options>;

const NAME = "vector_hash_memory";

export const vectorHashMemory = defineService({
  name: NAME,
  summary: "Hash buckets of similar vectors: a question meets only what fell into a bucket near its own.",
  options,
  aliases: { nbits: "lsh_nbits", top_k: "k_nearest" },
  traits: traitsOf,
  async open(given, deps) {
    const indexes = deps.fields
      .flatMap(({ spaces }) => spaces)
      .map((space) => ({ name: indexNameOf(space.space), kind: "lsh", options: hashOf(given, space) }));
    const store = await deps.manager.open({ name: given.collection_name, profile: "vdb", indexes });
    return new VectorHashMemory(given, store, deps);
  },
});

export class VectorHashMemory extends BaseService {
  protected readonly searches: Searches;
  protected readonly placements = ["targetIndexes"] as const;

  constructor(given: Options, store: Collection, deps: ServiceDeps) {
    super(
      { name: NAME, traits: traitsOf(given), options: { ...given, top_k: given.k_nearest } },
      store,
      deps,
    );
    this.searches = searchesOf(given);
  }

  protected place(_scope: unknown, { entry, params }: Placement): NewItem {
    if ((entry.vectors ?? []).length === 0) {
      throw new MemoryError(
        "vector_invalid",
        `The service ${NAME} finds entries by their vectors alone, and this one has none. Valid: at least one vector in "vectors".`,
      );
    }
    return params.targetIndexes === undefined ? entry : { ...entry, indexes: params.targetIndexes };
  }
}

function traitsOf(given: Options): ServiceTraits {
  return {
    abilities: ["vector"],
    triggers: ["reflection", "forgetting", "summarize"],
    strategies: strategiesOf(searchesOf(given)),
    tiers: [],
    pending: [],
    needsQueryVector: true,
  };
}

function searchesOf({ max_hamming }: Options): Searches {
  if (max_hamming === null) return { semantic: byNearness([], () => ({})) };
  return {
    semantic: byNearness(["max_hamming"], (hints) => ({ max_hamming: hints.max_hamming ?? max_hamming })),
  };
}

function hashOf({ form, lsh_nbits, seed }: Options, { space, dimension }: VectorSpace) {
  const shared = { space, dimension, seed };
  return form === "sign"
    ? { ...shared, form, bits: lsh_nbits }
    : { ...shared, form, buckets: 2 ** lsh_nbits };
}
