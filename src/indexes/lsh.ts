/**
 * Which entries fell into the same hash bucket as the query? Locality-sensitive buckets per scope (`math/lsh.ts`), and
 * within the reachable ones an exact order by cosine. What lies in no reachable bucket is not found: that is the point
 * of this kind, as in TiM, where thoughts meet only those of their own bucket. "All that match" means all in reach.
 */
import { z } from "zod";
import type { EntryId } from "../base/ids.ts";
import { parseInput } from "../base/parse-input.ts";
import { seededRandom } from "../base/random.ts";
import { createArgmaxHash, createSignHash, hammingDistance, type SignHash } from "../math/lsh.ts";
import { HashBuckets } from "./hash-buckets.ts";
import {
  type Candidate,
  defineIndex,
  type Index,
  type IndexDefinition,
  type IndexDeps,
  type IndexItem,
  type IndexQuery,
  type IndexStats,
} from "./index-contract.ts";
import { Ordinals } from "./ordinals.ts";
import { byCosine, rescore } from "./rescore.ts";
import { SnapshotReader, SnapshotWriter, snapshotCorrupt } from "./snapshot-bytes.ts";
import { itemVector, queryVector, vectorSpaceOptions } from "./vector-input.ts";

const shared = { ...vectorSpaceOptions, seed: z.number().int().min(0).max(0xffff_ffff).default(1) } as const;
const optionsSchema = z.discriminatedUnion("form", [
  /** 2^bits buckets; those that differ in a few bits are neighbours (`max_hamming`). */
  z.strictObject({ ...shared, form: z.literal("sign"), bits: z.number().int().min(1).max(256) }),
  /** TiM's form: an even number of buckets, none a neighbour of another. */
  z.strictObject({
    ...shared,
    form: z.literal("argmax"),
    buckets: z.number().int().min(2).max(4096).multipleOf(2),
  }),
]);

export type LshOptions = z.infer<typeof optionsSchema>;

export const lshIndex: IndexDefinition<LshOptions> = defineIndex({
  kind: "lsh",
  family: "vector",
  summary: "Hash buckets of similar vectors of one embedder; the best of the query's own bucket, by cosine.",
  options: optionsSchema,
  create: (options, deps) => new Lsh(options, deps),
});

const SNAPSHOT_VERSION = 1;
const signParams = z.strictObject({ max_hamming: z.number().int().min(0).max(256).default(0) });
const argmaxParams = z.strictObject({});

class Lsh implements Index {
  readonly kind = lshIndex.kind;
  readonly needs: Index["needs"];
  readonly #options: LshOptions;
  readonly #deps: IndexDeps;
  readonly #hash: SignHash;
  readonly #words: number;
  #ordinals = new Ordinals();
  #buckets: HashBuckets;

  constructor(options: LshOptions, deps: IndexDeps) {
    this.#options = options;
    this.#deps = deps;
    this.needs = { fields: [], space: options.space, dimension: options.dimension };
    this.#hash = hashOf(options);
    this.#words = options.form === "sign" ? Math.ceil(options.bits / 32) : 1;
    this.#buckets = new HashBuckets(this.#words);
  }

  add(items: readonly IndexItem[]): void {
    // All are checked and hashed before any is added: a refused batch leaves no trace.
    const hashed = items.map(({ id, scope, vector }) => ({
      id,
      scope,
      hash: this.#hash(itemVector(id, vector, this.#options)),
    }));
    for (const { id, scope, hash } of hashed) {
      this.#removeOne(id);
      const ordinal = this.#ordinals.add(id, scope);
      this.#buckets.add(ordinal, this.#ordinals.scopeAt(ordinal), hash);
    }
  }

  remove(ids: readonly EntryId[]): void {
    for (const id of ids) this.#removeOne(id);
  }

  async query(query: IndexQuery): Promise<Candidate[]> {
    const vector = queryVector(query, this.#options);
    const reach = this.#reach(query);
    if (query.limit <= 0) return [];
    const hamming = this.#inReach(query, this.#hash(vector), reach);
    const { found } = await rescore([...hamming.keys()], vector, this.#options, this.#deps.fetchVectors);
    return [...found]
      .sort(byCosine)
      .slice(0, query.limit)
      .map(({ id, cosine }) => ({ id, score: cosine, parts: { cosine, hamming: hamming.get(id) ?? 0 } }));
  }

  save(): Uint8Array {
    const writer = new SnapshotWriter(this.kind, SNAPSHOT_VERSION);
    writer.text(JSON.stringify(this.#options));
    this.#ordinals.save(writer);
    writer.uint32(this.#buckets.hashes(this.#ordinals.end));
    return writer.finish();
  }

  load(bytes: Uint8Array): void {
    const reader = new SnapshotReader(bytes, this.kind, SNAPSHOT_VERSION);
    if (reader.text() !== JSON.stringify(this.#options)) throw snapshotCorrupt("its options are others");
    const ordinals = Ordinals.load(reader);
    const hashes = reader.uint32(ordinals.end * this.#words);
    reader.end();
    const buckets = new HashBuckets(this.#words);
    for (let ordinal = 0; ordinal < ordinals.end; ordinal++) {
      const scope = ordinals.scopeAt(ordinal);
      const at = ordinal * this.#words;
      if (scope >= 0) buckets.add(ordinal, scope, hashes.slice(at, at + this.#words));
    }
    this.#ordinals = ordinals;
    this.#buckets = buckets;
  }

  stats(): IndexStats {
    return { items: this.#ordinals.size, bytes: this.#ordinals.bytes + this.#buckets.bytes };
  }

  #removeOne(id: EntryId): void {
    const ordinal = this.#ordinals.ordinalOf(id);
    if (ordinal < 0) return;
    this.#buckets.remove(ordinal, this.#ordinals.scopeAt(ordinal));
    this.#ordinals.remove(id);
  }

  /** In how many bits a reachable bucket may differ from the query's. */
  #reach({ params = {} }: IndexQuery): number {
    if (this.#options.form === "sign")
      return parseInput(signParams, params, "params of an lsh query").max_hamming;
    parseInput(argmaxParams, params, 'params of an lsh query of the form "argmax", which takes none');
    return 0;
  }

  /** The ids in reach, each with the distance of its bucket. */
  #inReach(query: IndexQuery, hash: Uint32Array, reach: number): Map<EntryId, number> {
    const found = new Map<EntryId, number>();
    for (const scope of new Set(query.scopes)) {
      for (const bucket of this.#buckets.near(this.#ordinals.scopeNumber(scope), hash, reach)) {
        const distance = hammingDistance(bucket.hash, hash);
        for (const ordinal of bucket.ordinals) {
          const id = this.#ordinals.idAt(ordinal);
          if (query.allow?.has(id) ?? true) found.set(id, distance);
        }
      }
    }
    return found;
  }
}

/** Both forms as words: the argmax form's bucket number is one of them. */
function hashOf(options: LshOptions): SignHash {
  const random = seededRandom(options.seed);
  if (options.form === "sign") return createSignHash(options, random);
  const bucketOf = createArgmaxHash(options, random);
  return (x) => Uint32Array.of(bucketOf(x));
}
