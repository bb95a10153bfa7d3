import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Vector } from "../../base/vector.ts";
import { cosine } from "../../math/cosine.ts";
import { ALICE, ServiceWorld } from "../../testing/service-world.ts";
import { openService } from "../index.ts";
import type { ServiceQuery } from "../service.ts";

const FIELDS = ["content", "摘要"].map((name) => ({ name, spaces: [{ space: `#${name}`, dimension: 2 }] }));
const KEY_VALUE = {
  ...{ collection_name: "keys", top_k: 10, vitality: null, match_type: "semantic", key_extractor: "none" },
  ...{ max_keys: null, fuzzy_threshold: 0.8, semantic_threshold: 0.6, case_sensitive: false },
};

/** By degrees, one vector per field. */
const at = (...degrees: readonly number[]): Vector[] =>
  degrees.map((degree, place) => {
    const angle = (degree * Math.PI) / 180;
    return {
      space: FIELDS[place]?.spaces[0]?.space ?? "",
      values: Float32Array.of(Math.cos(angle), Math.sin(angle)),
    };
  });

describe("several vector fields", () => {
  let world: ServiceWorld;
  beforeEach(async () => {
    const options = { collection_name: "notes", top_k: 10, vitality: null };
    world = new ServiceWorld({ name: "neuromem_vdb", options, fields: FIELDS }, "memory");
    await world.start();
  });
  afterEach(() => world.stop());

  const add = (content: string, ...degrees: readonly number[]) =>
    world.service.insert(ALICE, { content, vectors: at(...degrees) });
  const ask = async (query: ServiceQuery) => world.service.retrieve(ALICE, query);

  test("[C-33] what is second in both wins over what is first in one, even where one hit is asked for", async () => {
    await add("first by content", 0, 170);
    await add("first by summary", 170, 0);
    await add("第二", 10, 20);
    const [best] = await ask({ vectors: at(0, 0), topK: 1 });
    expect(best?.content).toBe("第二");
    expect(best?.scoreParts).toEqual({
      content: expect.closeTo(Math.cos(Math.PI / 18), 5),
      摘要: expect.closeTo(Math.cos(Math.PI / 9), 5),
      "content.cosine": expect.closeTo(Math.cos(Math.PI / 18), 5),
      "摘要.cosine": expect.closeTo(Math.cos(Math.PI / 9), 5),
    });
    expect(best?.score).toBeCloseTo(Math.cos(Math.PI / 18) + Math.cos(Math.PI / 9), 5);
  });

  test("[C-33] the best of any entries are those with the greatest weighted sum of cosines", async () => {
    const angle = fc.integer({ min: 0, max: 359 });
    const weight = fc.constantFrom(0, 0.5, 1, 3);
    let made = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(angle, angle), { minLength: 1, maxLength: 60 }),
        fc.tuple(weight, weight),
        fc.integer({ min: 1, max: 5 }),
        async (entries, [a, b], topK) => {
          const options = { collection_name: `notes${++made}`, top_k: 10, vitality: null };
          const service = await openService("neuromem_vdb", options, world.deps);
          for (const degrees of entries)
            await service.insert(ALICE, { content: "note 笔记", vectors: at(...degrees) });
          const question = at(0, 0);
          const sums = entries.map((degrees) => {
            const [x = 0, y = 0] = at(...degrees).map(({ values }, place) =>
              cosine(values, question[place]?.values ?? []),
            );
            return a * x + b * y;
          });
          const weights = { content: a, 摘要: b };
          const hits = await service.retrieve(ALICE, { vectors: question, topK, hints: { weights } });
          const expected = sums.sort((x, y) => y - x).slice(0, topK);
          expect(hits).toHaveLength(expected.length);
          for (const [place, { score }] of hits.entries()) expect(score).toBeCloseTo(expected[place] ?? 9, 4);
        },
      ),
      { numRuns: 25 },
    );
  }, 60_000);

  test("an entry without a vector in a field has 0 there, and no part of it", async () => {
    await world.service.insert(ALICE, { content: "只有内容", vectors: at(0) });
    const [hit] = await ask({ vectors: at(0, 0) });
    expect(hit?.scoreParts).toEqual({ content: 1, "content.cosine": 1 });
  });

  test("one field alone keeps the names of its index", async () => {
    await add("note", 0, 90);
    const [hit] = await ask({ vectors: at(0, 0), hints: { fields: ["content"] } });
    expect(hit).toMatchObject({ score: 1, scoreParts: { cosine: 1 } });
  });

  test("[B.0.9-1] a hinted field of which the question has no vector is refused, not answered by nothing", async () => {
    await add("note", 0, 0);
    for (const fields of [["摘要"], ["content", "摘要"]]) {
      await expect(ask({ vectors: at(0), hints: { fields } })).rejects.toMatchObject({
        code: "input_invalid",
        message: expect.stringContaining('"摘要"'),
      });
    }
  });

  test("a threshold of nearness is one of the weighted mean of the fields, whichever comes last", async () => {
    const service = await openService("key_value_memory", KEY_VALUE, world.deps);
    const insert = (content: string, ...degrees: readonly number[]) =>
      service.insert(ALICE, { content, vectors: at(...degrees) });
    await insert("near in both", 20, 30);
    await insert("only by content", 0, 120);
    await insert("只有摘要近", 120, 0);
    const found = async (hints = {}) =>
      (await service.retrieve(ALICE, { vectors: at(0, 0), hints })).map(({ content }) => content);
    expect(await found()).toEqual(["near in both"]);
    expect(await found({ weights: { 摘要: 0 } })).toEqual(["only by content", "near in both"]);
    expect(await found({ fields: ["摘要"] })).toEqual(["只有摘要近", "near in both"]);
  });
});
