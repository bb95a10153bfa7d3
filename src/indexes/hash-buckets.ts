/** Who has the same hash? Per scope, a table from hash to the ordinals that have it; adding and removing take O(1). */
import { hammingDistance } from "../math/lsh.ts";
import { grow } from "./grow.ts";

export interface Bucket {
  readonly hash: Uint32Array;
  readonly ordinals: readonly number[];
}

interface OpenBucket extends Bucket {
  readonly ordinals: number[];
}

export class HashBuckets {
  readonly #words: number;
  /** By scope number, then by the hash's words. */
  readonly #scopes = new Map<number, Map<string, OpenBucket>>();
  /** By ordinal: its hash, and its place in the bucket. */
  #hashes: Uint32Array = new Uint32Array(0);
  #places: Int32Array = new Int32Array(0);

  /** Hashes are of so many 32-bit words. */
  constructor(words: number) {
    this.#words = words;
  }

  get bytes(): number {
    return this.#hashes.byteLength + 2 * this.#places.byteLength;
  }

  add(ordinal: number, scope: number, hash: Uint32Array): void {
    this.#hashes = grow(this.#hashes, (ordinal + 1) * this.#words, (length) => new Uint32Array(length));
    this.#places = grow(this.#places, ordinal + 1, (length) => new Int32Array(length));
    this.#hashes.set(hash, ordinal * this.#words);
    const buckets = this.#scopes.get(scope) ?? new Map<string, OpenBucket>();
    const bucket = buckets.get(hash.join()) ?? { hash, ordinals: [] };
    this.#places[ordinal] = bucket.ordinals.push(ordinal) - 1;
    buckets.set(hash.join(), bucket);
    this.#scopes.set(scope, buckets);
  }

  /** The last of the bucket takes the removed one's place. */
  remove(ordinal: number, scope: number): void {
    const buckets = this.#scopes.get(scope);
    const key = this.#hashes.subarray(ordinal * this.#words, (ordinal + 1) * this.#words).join();
    const ordinals = buckets?.get(key)?.ordinals ?? [];
    const last = ordinals.pop();
    if (last !== undefined && last !== ordinal) {
      const place = this.#places[ordinal] as number;
      ordinals[place] = last;
      this.#places[last] = place;
    }
    if (ordinals.length === 0) buckets?.delete(key);
  }

  /** The scope's buckets whose hash differs in at most `reach` bits. */
  near(scope: number, hash: Uint32Array, reach: number): readonly Bucket[] {
    const buckets = this.#scopes.get(scope) ?? new Map<string, OpenBucket>();
    if (reach > 0)
      return [...buckets.values()].filter((bucket) => hammingDistance(bucket.hash, hash) <= reach);
    const own = buckets.get(hash.join());
    return own === undefined ? [] : [own];
  }

  /** The hashes of ordinals 0 to end − 1, one after another. */
  hashes(end: number): Uint32Array {
    const all = new Uint32Array(end * this.#words);
    all.set(this.#hashes.subarray(0, all.length));
    return all;
  }
}
