import { afterEach, describe, expect, test, vi } from "vitest";
import type { EntryId } from "../base/ids.ts";
import { gaussian, type Random, seededRandom } from "../base/random.ts";
import { PUBLIC, parseScope, type Scope } from "../base/scope.ts";
import { cosine } from "../math/cosine.ts";
import { testIndex } from "../testing/index-suite.ts";
import { sampleId, sampleScope, sampleVector } from "../testing/sample.ts";
import type { Candidate, Index, IndexDeps, IndexItem, IndexQuery } from "./index-contract.ts";
import { type VectorFlatOptions, vectorFlatIndex } from "./vector-flat.ts";

const SPACE = "test-embedder";

/** An index and the truth it rescores from. */
class World {
  readonly truth = new Map<EntryId, Float32Array>();
  readonly scopes = new Map<EntryId, Scope>();
  readonly index: Index;
  readonly #options: VectorFlatOptions;
  fetched = 0;
  /** Called while a query waits for vectors. */
  onFetch: () => void = () => undefined;

  constructor(dimension: number) {
    this.#options = { space: SPACE, dimension };
    this.index = this.create();
  }

  create(): Index {
    const deps: IndexDeps = {
      tokenize: () => [],
      tokenizerId: "none",
      fetchVectors: async (space, ids) => {
        expect(space).toBe(SPACE);
        this.fetched += ids.length;
        await Promise.resolve();
        this.onFetch();
        return ids.map((id) => this.truth.get(id));
      },
    };
    return vectorFlatIndex.create(this.#options, deps);
  }

  add(vectors: readonly Float32Array[], scopeOf: (n: number) => Scope = () => PUBLIC): this {
    const items: IndexItem[] = vectors.map((vector, n) => ({
      id: sampleId(n),
      scope: scopeOf(n),
      position: n,
      vector,
    }));
    for (const { id, scope, vector } of items) {
      if (vector !== undefined) this.truth.set(id, vector);
      this.scopes.set(id, scope);
    }
    this.index.add(items);
    return this;
  }

  /** The oracle: every vector in float64, no index. */
  bruteForce(values: Float32Array, { scopes, limit, allow }: Omit<IndexQuery, "vector">): Candidate[] {
    return [...this.truth]
      .filter(([id]) => scopes.includes(this.scopes.get(id) ?? PUBLIC) && (allow?.has(id) ?? true))
      .map(([id, vector]) => ({ id, score: cosine(values, vector) }))
      .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
      .slice(0, limit)
      .map(({ id, score }) => ({ id, score, parts: { cosine: score } }));
  }

  async expectExact(values: Float32Array, query: Partial<IndexQuery> = {}): Promise<void> {
    const asked = { scopes: [PUBLIC], limit: 10, ...query };
    const found = await this.index.query({ ...asked, vector: { space: SPACE, values } });
    expect(found).toEqual(this.bruteForce(values, asked));
  }
}

for (const rough of [false, true]) {
  testIndex({
    name: rough ? "vector_flat, asked roughly" : "vector_flat",
    create: (world) =>
      vectorFlatIndex.create(
        { space: SPACE, dimension: 20 },
        {
          tokenize: () => [],
          tokenizerId: "none",
          fetchVectors: (_, ids) => ids.map((id) => world.vectorOf(id)),
        },
      ),
    item: (n, random) => ({
      id: sampleId(n),
      scope: sampleScope(random),
      position: n,
      vector: sampleVector(20, random),
    }),
    query: (random) => ({ rough, vector: { space: SPACE, values: sampleVector(20, random) } }),
  });
}

function gaussians(dimension: number, random: Random): Float32Array {
  return Float32Array.from({ length: dimension }, () => gaussian(random));
}

function noisy(vector: Float32Array, noise: number, random: Random): Float32Array {
  return vector.map((value) => value + noise * gaussian(random));
}

/** The float32 next to a value, some steps up. */
function steppedUp(value: number, steps: number): number {
  const bits = new Int32Array(Float32Array.of(value).buffer);
  bits[0] = (bits[0] ?? 0) + steps;
  return new Float32Array(bits.buffer)[0] ?? 0;
}

test("least: all that score so much are found, and few of the others are read", async () => {
  const random = seededRandom(7);
  const centre = gaussians(64, random);
  const near = Array.from({ length: 30 }, () => noisy(centre, 0.3, random));
  const far = Array.from({ length: 2000 }, () => gaussians(64, random));
  const world = new World(64).add([...near, ...far]);
  const asked = { scopes: [PUBLIC], limit: 100 };
  const vector = { space: SPACE, values: centre };
  const found = await world.index.query({ ...asked, vector, least: 0.9 });
  const alike = world.bruteForce(centre, asked).filter(({ score }) => score >= 0.9);
  expect(alike.length).toBeGreaterThan(20);
  expect(found.filter(({ score }) => score >= 0.9)).toEqual(alike);
  expect(world.fetched).toBeLessThan(40);
});

describe("vector_flat equals a float64 brute force", () => {
  const dimension = 96;
  const count = 3000;
  const random = seededRandom(42);
  const centres = Array.from({ length: 30 }, () => gaussians(dimension, random));
  const base = gaussians(dimension, random);
  const make = (one: (n: number) => Float32Array): Float32Array[] =>
    Array.from({ length: count }, (_, n) => one(n));
  const oneHot = (n: number): Float32Array =>
    new Float32Array(dimension).fill(n % 5 === 0 ? -1 : 1, n % dimension, (n % dimension) + 1);

  const data: Record<string, Float32Array[]> = {
    clustered: make((n) => noisy(centres[n % 30] ?? base, 0.5, random)),
    random: make(() => gaussians(dimension, random)),
    "thousands of near-identical vectors": make(() => noisy(base, 1e-6, random)),
    "thousands of identical vectors": make(() => base),
    "vectors that differ in the last bits": make((n) =>
      base.map((value, i) => (i === n % dimension ? steppedUp(value, Math.floor(n / dimension)) : value)),
    ),
    "one-hot vectors": make(oneHot),
    "huge outlier components": make((n) => {
      const vector = gaussians(dimension, random);
      vector[n % 7] = (n % 2 === 0 ? 1 : -1) * 10 ** (n % 30);
      return vector;
    }),
    "lengths from the smallest to the largest float32": make((n) => {
      const factor = [1e-38, 1e-20, 1, 1e20, 1e37][n % 5] ?? 1;
      return noisy(centres[n % 3] ?? base, 0.1, random).map((value) => value * factor);
    }),
    "the same direction in many lengths": make((n) => base.map((value) => value * 2 ** ((n % 40) - 20))),
    "opposite pairs": make((n) => noisy(base, 0.01, random).map((value) => (n % 2 === 0 ? value : -value))),
  };

  test.each(Object.keys(data))("on %s", async (name) => {
    const vectors = data[name] ?? [];
    const world = new World(dimension).add(vectors);
    const queries = [
      ...vectors.slice(0, 3),
      base,
      noisy(base, 1e-4, random),
      noisy(vectors[7] ?? base, 0.3, random),
      gaussians(dimension, random),
      oneHot(1),
      vectors[5]?.map((value) => -value) ?? base,
    ];
    for (const query of queries) {
      await world.expectExact(query);
      await world.expectExact(query, { limit: 1 });
    }
    await world.expectExact(queries[0] ?? base, { limit: count + 1 });
  });

  test.each([1, 2, 15, 16, 17, 33, 2100, 8192])("in %i dimensions, where sums are largest", async (size) => {
    const draw = seededRandom(size);
    const ones = new Float32Array(size).fill(1);
    const vectors = [
      ...Array.from({ length: 60 }, () => gaussians(size, draw)),
      ...Array.from({ length: 20 }, () => noisy(ones, 0.01, draw)),
      ...Array.from({ length: 20 }, () => noisy(ones, 0.01, draw).map((value) => -value)),
      ones,
    ];
    const world = new World(size).add(vectors);
    for (const query of [ones, ones.map((value) => -value), gaussians(size, draw)])
      await world.expectExact(query);
  });

  test("under any mixture of scopes and allowed ids", async () => {
    const scopes = [PUBLIC, parseScope("alice"), parseScope("bob")];
    const world = new World(dimension).add(data.clustered ?? [], (n) => scopes[n % 7] ?? PUBLIC);
    const every = (step: number): Set<EntryId> =>
      new Set(Array.from({ length: count / step }, (_, n) => sampleId(n * step)));
    for (const asked of [scopes, scopes.slice(1), scopes.slice(2), [PUBLIC, PUBLIC]]) {
      for (const allow of [
        undefined,
        every(1),
        every(2),
        every(500),
        new Set([sampleId(4), sampleId(999_999)]),
      ]) {
        await world.expectExact(noisy(base, 1, random), { scopes: asked, allow });
      }
    }
  });

  test("after rows were removed, replaced and moved to another scope, and after save and load", async () => {
    const alice = parseScope("alice");
    const world = new World(dimension).add(data.clustered ?? [], (n) => (n % 3 === 0 ? alice : PUBLIC));
    for (let n = 0; n < count; n += 2) {
      world.index.remove([sampleId(n)]);
      world.truth.delete(sampleId(n));
    }
    world.add((data.random ?? []).slice(0, 500), (n) => (n % 3 === 0 ? PUBLIC : alice));
    const loaded = world.create();
    loaded.load(world.index.save());
    for (const index of [world.index, loaded]) {
      expect(index.stats().items).toBe(world.truth.size);
      for (const scopes of [[PUBLIC], [alice], [alice, PUBLIC]]) {
        const query = { scopes, limit: 25 };
        const values = noisy(centres[4] ?? base, 0.4, random);
        const found = await index.query({ ...query, vector: { space: SPACE, values } });
        expect(found).toEqual(world.bruteForce(values, query));
      }
    }
  });

  describe("without WebAssembly", () => {
    afterEach(() => {
      vi.unstubAllGlobals();
    });

    test("too, and either reads what the other saved", async () => {
      const fast = new World(dimension).add(data.clustered ?? []);
      vi.stubGlobal("WebAssembly", undefined);
      const plain = new World(dimension).add(data.clustered ?? []);
      expect(plain.index.save()).toEqual(fast.index.save());
      const values = noisy(centres[9] ?? base, 0.4, random);
      await plain.expectExact(values);
      const loaded = plain.create();
      loaded.load(fast.index.save());
      const query: IndexQuery = { scopes: [PUBLIC], limit: 10, vector: { space: SPACE, values } };
      expect(await loaded.query(query)).toEqual(await fast.index.query(query));
    });
  });
});

describe("vector_flat reads little of the truth", () => {
  test("and in one go, on vectors like those of texts", async () => {
    const random = seededRandom(3);
    const centres = Array.from({ length: 40 }, () => gaussians(384, random));
    const vectors = Array.from({ length: 4000 }, (_, n) =>
      noisy(centres[n % 40] ?? new Float32Array(384), 1, random),
    );
    const world = new World(384).add(vectors);
    for (let n = 0; n < 10; n++)
      await world.expectExact(noisy(centres[n] ?? new Float32Array(384), 1, random));
    expect(world.fetched / 10).toBeLessThan(60);
  });

  test("and asked roughly none, for cosines that are off by less than two thousandths", async () => {
    const random = seededRandom(5);
    const vectors = Array.from({ length: 4000 }, () => gaussians(384, random));
    const world = new World(384).add(vectors);
    for (const values of [gaussians(384, random), noisy(vectors[7] ?? new Float32Array(384), 0.3, random)]) {
      const asked = { scopes: [PUBLIC], limit: 60 };
      const found = await world.index.query({ ...asked, rough: true, vector: { space: SPACE, values } });
      const last = world.bruteForce(values, asked).at(-1)?.score ?? 0;
      expect(found).toHaveLength(60);
      for (const { id, score, parts } of found) {
        const truth = cosine(values, world.truth.get(id) ?? values);
        expect(Math.abs(score - truth)).toBeLessThan(0.002);
        expect(truth).toBeGreaterThan(last - 0.004);
        expect(parts).toEqual({ cosine: score });
      }
    }
    expect(world.fetched).toBe(0);
    expect(
      await world.index.query({
        scopes: [PUBLIC],
        limit: 1,
        rough: true,
        vector: { space: SPACE, values: vectors[3] ?? new Float32Array(384) },
      }),
    ).toEqual([expect.objectContaining({ id: sampleId(3), score: expect.closeTo(1, 3) })]);
  });

  test("unless the codes are coarse: one component outgrows all others", async () => {
    const random = seededRandom(6);
    const vectors = Array.from({ length: 500 }, () => gaussians(384, random).with(5, 100));
    const world = new World(384).add(vectors);
    await world.expectExact(gaussians(384, random), { rough: true });
    expect(world.fetched).toBeGreaterThan(0);
  });

  test("asked roughly, too, who scores too little is left out, and a twin scores at most 1", async () => {
    const random = seededRandom(7);
    const vectors = Array.from({ length: 300 }, (_, n) =>
      gaussians(384, random).map((value) => value + n / 30),
    );
    const world = new World(384).add(vectors);
    const values = vectors[299] ?? new Float32Array(384);
    const asked = { scopes: [PUBLIC], limit: 300, rough: true, vector: { space: SPACE, values } };
    const all = await world.index.query(asked);
    const some = await world.index.query({ ...asked, least: 0.9 });
    expect(some.filter(({ score }) => score >= 0.9)).toEqual(all.filter(({ score }) => score >= 0.9));
    expect(some.length).toBeGreaterThan(10);
    expect(some.length).toBeLessThan(250);
    expect(Math.max(...all.map(({ score }) => score))).toBeLessThanOrEqual(1);
  });

  test("ten thousand scopes of one vector each cost little, and each sees its own", async () => {
    const random = seededRandom(4);
    const scopeOf = (n: number): Scope => parseScope(`user-${n}`);
    const world = new World(64).add(
      Array.from({ length: 10_000 }, () => gaussians(64, random)),
      scopeOf,
    );
    expect(world.index.stats().bytes).toBeLessThan(6_000_000);
    await world.expectExact(gaussians(64, random), { scopes: [scopeOf(77), PUBLIC] });
  });

  test("an empty index takes no memory for codes", () => {
    expect(new World(8192).index.stats().bytes).toBeLessThan(1000);
  });
});

describe("vector_flat and a truth that moves on", () => {
  const random = seededRandom(8);
  const vectors = Array.from({ length: 200 }, () => gaussians(32, random));
  const values = gaussians(32, random);

  test("ids whose vector is gone make room for the next best", async () => {
    const world = new World(32).add(vectors);
    const best = world.bruteForce(values, { scopes: [PUBLIC], limit: 60 });
    for (const { id } of best) world.truth.delete(id);
    await world.expectExact(values);
    await world.expectExact(values, { limit: 500 });
  });

  test("rows removed and ordinals given out again while a query waits do not mix ids up", async () => {
    const world = new World(32).add(vectors);
    const gone = world.bruteForce(values, { scopes: [PUBLIC], limit: 50 }).map(({ id }) => id);
    world.onFetch = () => {
      world.onFetch = () => undefined;
      world.index.remove(gone);
      for (const id of gone) world.truth.delete(id);
      const id = sampleId(5000);
      world.truth.set(id, new Float32Array(32).fill(1));
      world.index.add([{ id, scope: PUBLIC, position: 0, vector: new Float32Array(32).fill(1) }]);
    };
    await world.expectExact(values);
  });
});

describe("vector_flat refuses", () => {
  const good = Float32Array.of(1, 2, 3);
  const query = (vector: IndexQuery["vector"], params: IndexQuery["params"] = {}) =>
    new World(3).add([good]).index.query({ scopes: [PUBLIC], limit: 5, vector, params });
  const refused = (code: string) => expect.objectContaining({ code });

  test.each([
    { what: "a vector of another dimension", vector: Float32Array.of(1, 2), code: "dimension_mismatch" },
    { what: "NaN", vector: Float32Array.of(1, Number.NaN, 2), code: "vector_invalid" },
    { what: "infinity", vector: Float32Array.of(1, Number.POSITIVE_INFINITY, 2), code: "vector_invalid" },
    { what: "all zeros", vector: new Float32Array(3), code: "vector_invalid" },
  ])("$what, in an item and in a query, and then holds what it held", async ({ vector, code }) => {
    const world = new World(3).add([good]);
    const items = [good, vector].map((given, n) => ({
      id: sampleId(n + 5),
      scope: PUBLIC,
      position: n,
      vector: given,
    }));
    expect(() => world.index.add(items)).toThrow(refused(code));
    expect(world.index.stats().items).toBe(1);
    await expect(query({ space: SPACE, values: vector })).rejects.toThrow(refused(code));
  });

  test("an item without a vector, and a query without one", async () => {
    const item = { id: sampleId(1), scope: PUBLIC, position: 0 };
    expect(() => new World(3).index.add([item])).toThrow(refused("vector_invalid"));
    await expect(query(undefined)).rejects.toThrow(refused("input_invalid"));
  });

  test("[C-22] another embedder's vector", async () => {
    await expect(query({ space: "other", values: good })).rejects.toThrow(refused("embedder_mismatch"));
  });

  test("query options it does not have", async () => {
    await expect(query({ space: SPACE, values: good }, { ef: 10 })).rejects.toThrow(refused("input_invalid"));
  });

  test("options out of range or unknown", () => {
    const parse = (options: unknown) => vectorFlatIndex.options.safeParse(options).success;
    expect(parse({ space: SPACE, dimension: 8192 })).toBe(true);
    for (const dimension of [0, 1.5, 8193, "3"]) expect(parse({ space: SPACE, dimension })).toBe(false);
    expect(parse({ space: "", dimension: 3 })).toBe(false);
    expect(parse({ space: SPACE, dimension: 3, metric: "l2" })).toBe(false);
  });

  test("a snapshot of another space or dimension, and keeps what it holds", () => {
    const world = new World(3).add([good]);
    const other = vectorFlatIndex.create(
      { space: "other", dimension: 3 },
      { tokenize: () => [], tokenizerId: "none", fetchVectors: () => [] },
    );
    for (const bytes of [other.save(), new World(4).index.save()]) {
      expect(() => world.index.load(bytes)).toThrow(refused("storage_corrupt"));
    }
    expect(world.index.stats().items).toBe(1);
  });
});
