import { describe, expect, test } from "vitest";
import type { EntryId } from "../base/ids.ts";
import type { JsonObject } from "../base/json.ts";
import { gaussian, type Random, seededRandom } from "../base/random.ts";
import { PUBLIC, parseScope } from "../base/scope.ts";
import { cosine } from "../math/cosine.ts";
import { createArgmaxHash, createSignHash, hammingDistance } from "../math/lsh.ts";
import { testIndex } from "../testing/index-suite.ts";
import { sampleId, sampleScope, sampleVector } from "../testing/sample.ts";
import type { Candidate, Index, IndexDeps } from "./index-contract.ts";
import { type LshOptions, lshIndex } from "./lsh.ts";

const SPACE = "test-embedder";
const DIMENSION = 16;
const SIGN: LshOptions = { space: SPACE, dimension: DIMENSION, seed: 5, form: "sign", bits: 4 };
const LONG_SIGN: LshOptions = { ...SIGN, bits: 70 };
const ARGMAX: LshOptions = { space: SPACE, dimension: DIMENSION, seed: 5, form: "argmax", buckets: 6 };

function create(options: LshOptions, vectorOf: (id: EntryId) => Float32Array | undefined): Index {
  const deps: IndexDeps = {
    tokenize: () => [],
    tokenizerId: "none",
    fetchVectors: (_, ids) => ids.map(vectorOf),
  };
  return lshIndex.create(options, deps);
}

const forms = [
  { name: "lsh, sign", options: SIGN, reach: 1 },
  { name: "lsh, sign of three words", options: LONG_SIGN, reach: 34 },
  { name: "lsh, argmax", options: ARGMAX, reach: undefined },
];
for (const { name, options, reach } of forms) {
  testIndex({
    name,
    create: (world) => create(options, (id) => world.vectorOf(id)),
    item: (n, random) => ({
      id: sampleId(n),
      scope: sampleScope(random),
      position: n,
      vector: sampleVector(DIMENSION, random),
    }),
    query: (random) => ({
      vector: { space: SPACE, values: sampleVector(DIMENSION, random) },
      params: reach === undefined || random.next() < 0.5 ? {} : { max_hamming: reach },
    }),
  });
}

function gaussians(random: Random): Float32Array {
  return Float32Array.from({ length: DIMENSION }, () => gaussian(random));
}

describe("lsh", () => {
  const random = seededRandom(21);
  const vectors = new Map(Array.from({ length: 500 }, (_, n) => [sampleId(n), gaussians(random)]));
  const filled = (options: LshOptions): Index => {
    const index = create(options, (id) => vectors.get(id));
    index.add([...vectors].map(([id, vector], n) => ({ id, scope: PUBLIC, position: n, vector })));
    return index;
  };
  const ask = async (index: Index, values: Float32Array, params: JsonObject = {}): Promise<Candidate[]> =>
    index.query({ scopes: [PUBLIC], limit: 1000, vector: { space: SPACE, values }, params });
  const ranked = (
    values: Float32Array,
    distance: (vector: Float32Array) => number,
    reach: number,
  ): Candidate[] =>
    [...vectors]
      .map(([id, vector]) => ({ id, cosine: cosine(values, vector), hamming: distance(vector) }))
      .filter(({ hamming }) => hamming <= reach)
      .sort((a, b) => b.cosine - a.cosine)
      .map(({ id, cosine: score, hamming }) => ({ id, score, parts: { cosine: score, hamming } }));

  test("sign form: everything within the Hamming distance asked for, by exact cosine", async () => {
    for (const bits of [4, 70]) {
      const options: LshOptions = { ...SIGN, bits };
      const hash = createSignHash({ dimension: DIMENSION, bits }, seededRandom(options.seed));
      const index = filled(options);
      for (const reach of [0, 1, Math.floor(bits / 2), bits]) {
        const values = gaussians(random);
        const distance = (vector: Float32Array) => hammingDistance(hash(vector), hash(values));
        expect(await ask(index, values, { max_hamming: reach })).toEqual(ranked(values, distance, reach));
      }
      expect(await ask(index, gaussians(random), { max_hamming: bits })).toHaveLength(vectors.size);
    }
  });

  test("[S0-70] argmax form: exactly the query's own bucket", async () => {
    const bucketOf = createArgmaxHash({ dimension: DIMENSION, buckets: 6 }, seededRandom(5));
    const values = gaussians(random);
    const distance = (vector: Float32Array) => (bucketOf(vector) === bucketOf(values) ? 0 : 1);
    const found = await ask(filled(ARGMAX), values);
    expect(found).toEqual(ranked(values, distance, 0));
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThan(vectors.size);
  });

  test("an entry finds itself first, and is found again from its double length", async () => {
    for (const options of [SIGN, ARGMAX]) {
      const index = filled(options);
      const own = vectors.get(sampleId(3)) ?? new Float32Array();
      expect((await ask(index, own))[0]).toEqual({
        id: sampleId(3),
        score: 1,
        parts: { cosine: 1, hamming: 0 },
      });
      expect(
        (
          await ask(
            index,
            own.map((value) => 2 * value),
          )
        )[0]?.id,
      ).toBe(sampleId(3));
    }
  });

  test("the seed decides the buckets, and a snapshot of another seed is refused", () => {
    const index = filled(SIGN);
    const corrupt = expect.objectContaining({ code: "storage_corrupt" });
    expect(() => create({ ...SIGN, seed: 6 }, () => undefined).load(index.save())).toThrow(corrupt);
    expect(() => create(ARGMAX, () => undefined).load(index.save())).toThrow(corrupt);
  });

  test("an id whose vector is gone is left out", async () => {
    const index = create(SIGN, () => undefined);
    index.add([{ id: sampleId(1), scope: PUBLIC, position: 0, vector: gaussians(random) }]);
    expect(await ask(index, gaussians(random), { max_hamming: 4 })).toEqual([]);
  });
});

describe("lsh refuses", () => {
  const good = new Float32Array(DIMENSION).fill(1);
  const refused = (code: string) => expect.objectContaining({ code });
  const query = async (options: LshOptions, given: object): Promise<Candidate[]> =>
    create(options, () => good).query({ scopes: [parseScope("alice")], limit: 5, ...given });

  test("bad vectors in items and queries", async () => {
    const zero = new Float32Array(DIMENSION);
    const item = { id: sampleId(1), scope: PUBLIC, position: 0 };
    const index = create(SIGN, () => good);
    expect(() => index.add([item])).toThrow(refused("vector_invalid"));
    expect(() => index.add([{ ...item, vector: zero }])).toThrow(refused("vector_invalid"));
    expect(() =>
      index.add([
        { ...item, vector: good },
        { ...item, vector: good.slice(1) },
      ]),
    ).toThrow(refused("dimension_mismatch"));
    expect(index.stats().items).toBe(0);
    await expect(query(SIGN, {})).rejects.toThrow(refused("input_invalid"));
    await expect(query(SIGN, { vector: { space: "other", values: good } })).rejects.toThrow(
      refused("embedder_mismatch"),
    );
    const unknown = good.map(() => Number.NaN);
    await expect(query(SIGN, { vector: { space: SPACE, values: unknown } })).rejects.toThrow(
      refused("vector_invalid"),
    );
  });

  test("query options of the other form, unknown or out of range", async () => {
    const vector = { space: SPACE, values: good };
    for (const params of [{ max_hamming: -1 }, { max_hamming: 1.5 }, { probes: 3 }]) {
      await expect(query(SIGN, { vector, params })).rejects.toThrow(refused("input_invalid"));
    }
    await expect(query(ARGMAX, { vector, params: { max_hamming: 1 } })).rejects.toThrow(
      refused("input_invalid"),
    );
  });

  test("options that do not belong together", () => {
    const parse = (options: object) =>
      lshIndex.options.safeParse({ space: SPACE, dimension: 8, ...options }).success;
    expect(parse({ form: "sign", bits: 16 })).toBe(true);
    expect(parse({ form: "argmax", buckets: 16, seed: 7 })).toBe(true);
    expect(parse({ form: "sign", buckets: 16 })).toBe(false);
    expect(parse({ form: "argmax", buckets: 15 })).toBe(false);
    expect(parse({ form: "sign", bits: 0 })).toBe(false);
    expect(parse({ form: "random", bits: 16 })).toBe(false);
    expect(parse({ form: "sign", bits: 16, nbits: 16 })).toBe(false);
  });
});
