import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../base/json.ts";
import { seededRandom } from "../base/random.ts";
import type { Vector } from "../base/vector.ts";
import { HASH_SPACE } from "../testing/hash-embedder.ts";
import { sampleVector } from "../testing/sample.ts";
import { ALICE, ServiceWorld } from "../testing/service-world.ts";
import { openService, serviceNamed } from "./index.ts";

const options = {
  collection_name: "thoughts",
  vitality: null,
  k_nearest: 100,
  form: "sign",
  lsh_nbits: 16,
  seed: 1,
  max_hamming: 0,
};
const argmax = { ...options, form: "argmax", lsh_nbits: 2, max_hamming: null };

describe("vector_hash_memory", () => {
  let world: ServiceWorld;
  let made = 0;
  beforeEach(async () => {
    world = new ServiceWorld({ name: "vector_hash_memory", options }, "memory");
    await world.start();
  });
  afterEach(() => world.stop());

  const vectorOf = (n: number): Vector => ({ space: HASH_SPACE, values: sampleVector(64, seededRandom(n)) });
  const opposite = ({ space, values }: Vector): Vector => ({
    space,
    values: values.map((value) => 0 - value),
  });
  /** A hundred thoughts in all directions, English and Chinese. */
  const fill = async (changed: JsonObject = {}) => {
    const given = { ...options, ...changed, collection_name: `thoughts${++made}` };
    const service = await openService("vector_hash_memory", given, world.deps);
    for (let n = 0; n < 100; n++)
      await service.insert(ALICE, {
        content: n % 2 === 0 ? `thought ${n}` : `第${n}个想法`,
        vectors: [vectorOf(n)],
      });
    return service;
  };

  test("an entry without a vector, which nothing could find, is refused", async () => {
    const insert = (vectors: Vector[] | undefined) =>
      world.service.insert(ALICE, { content: "想法", vectors });
    for (const none of [undefined, []]) await world.refuses("vector_invalid", insert(none));
    await world.refuses("embedder_mismatch", insert([{ ...vectorOf(0), space: "another" }]));
    expect((await world.everything(ALICE)).size).toBe(0);
  });

  test("[B.0.9-26] max_hamming is the greatest distance of a bucket; the hint overrides it", async () => {
    const service = await fill();
    const ask = (hints = {}) => service.retrieve(ALICE, { vectors: [vectorOf(0)], hints });
    const own = await ask();
    expect(own.map(({ content }) => content)).toContain("thought 0");
    for (const hit of own) expect(hit.scoreParts.hamming).toBe(0);
    let before = own.length;
    for (const max_hamming of [2, 4, 6, 16]) {
      const hits = await ask({ max_hamming });
      expect(Math.max(...hits.map(({ scoreParts }) => scoreParts.hamming ?? 99))).toBeLessThanOrEqual(
        max_hamming,
      );
      expect(hits.length).toBeGreaterThanOrEqual(before);
      before = hits.length;
    }
    expect(before).toBe(100);
    const wide = await fill({ max_hamming: 16 });
    expect(await wide.retrieve(ALICE, { vectors: [vectorOf(0)] })).toHaveLength(100);
    expect((await wide.retrieve(ALICE, { vectors: [vectorOf(0)], hints: { max_hamming: 0 } })).length).toBe(
      own.length,
    );
  });

  test("[S0-91] k_nearest, lsh_nbits and seed each change what is found", async () => {
    const found = async (changed: JsonObject) => {
      const service = await fill(changed);
      return (await service.retrieve(ALICE, { vectors: [vectorOf(1)] })).map(({ content }) => content).sort();
    };
    const coarse = await found({ lsh_nbits: 1 });
    expect(coarse.length).toBeGreaterThan(20);
    expect(await found({ lsh_nbits: 1, k_nearest: 3 })).toHaveLength(3);
    expect((await found({ lsh_nbits: 64 })).length).toBeLessThan(coarse.length);
    expect(await found({ lsh_nbits: 1, seed: 2 })).not.toEqual(coarse);
    expect(await found({ lsh_nbits: 1 })).toEqual(coarse);
  });

  test("TiM's form: one bucket of 2^lsh_nbits, blind to length, never the opposite one", async () => {
    const service = await fill(argmax);
    const vector = vectorOf(3);
    const ask = async (asked: Vector) =>
      (await service.retrieve(ALICE, { vectors: [asked] })).map(({ content }) => content);
    const here = await ask(vector);
    expect(here).toContain("第3个想法");
    expect(here.length).toBeLessThan(100);
    expect(await ask({ ...vector, values: vector.values.map((value) => 7 * value) })).toEqual(here);
    const there = await ask(opposite(vector));
    expect(there.filter((content) => here.includes(content))).toEqual([]);
    const { strategies } = service.traits;
    expect(strategies.semantic).not.toContain("max_hamming");
  });

  test("[B.0.6] a question without a vector is refused, not answered by nothing", async () => {
    const service = await fill();
    expect(service.traits.needsQueryVector).toBe(true);
    for (const query of [{}, { text: "thought 1" }, { text: "想法", vectors: [] }]) {
      await expect(service.retrieve(ALICE, query)).rejects.toMatchObject({
        code: "input_invalid",
        message: expect.stringContaining("Valid: a question with a vector"),
      });
    }
  });

  test("options that do not fit together are refused, and other ones than the collection was made with", async () => {
    const { options: schema } = serviceNamed("vector_hash_memory");
    for (const wrong of [
      { ...options, max_hamming: null },
      { ...argmax, max_hamming: 1 },
      { ...argmax, lsh_nbits: 13 },
      { ...options, lsh_nbits: 0 },
    ]) {
      expect(schema.safeParse(wrong).success, JSON.stringify(wrong)).toBe(false);
    }
    await expect(
      openService("vector_hash_memory", { ...options, lsh_nbits: 8 }, world.deps),
    ).rejects.toMatchObject({ code: "name_taken", message: expect.stringContaining("bits 16") });
  });
});
