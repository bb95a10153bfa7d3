import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { where } from "../base/filter.ts";
import type { Vector } from "../base/vector.ts";
import { ALICE, FIELDS, noteOf, ServiceWorld } from "../testing/service-world.ts";
import { openService } from "./index.ts";
import type { ServiceQuery } from "./service.ts";

const options = { collection_name: "notes", top_k: 2, vitality: null };
const FEELING = { space: "#emotion", dimension: 2 };
const feeling = (joy: number, fear: number): Vector => ({
  space: FEELING.space,
  values: Float32Array.of(joy, fear),
});

describe("neuromem_vdb", () => {
  let world: ServiceWorld;
  beforeEach(async () => {
    const fields = [...FIELDS, { name: "emotion", spaces: [FEELING] }];
    world = new ServiceWorld({ name: "neuromem_vdb", options, fields }, "memory");
    await world.start();
  });
  afterEach(() => world.stop());

  const content = (n: number): Vector[] => world.vectorsOf(n).filter(({ space }) => space !== FEELING.space);
  const remember = (n: number, felt: Vector) => world.remember(ALICE, n, { vectors: [...content(n), felt] });
  const found = async (query: ServiceQuery) =>
    (await world.service.retrieve(ALICE, query)).map((hit) => hit.content);

  test("[S0-3] by meaning where there is a vector, else by words, else by the filter, newest first", async () => {
    for (const n of [0, 1, 2]) await remember(n, feeling(1, 0));
    expect((await found({ vectors: content(1) }))[0]).toBe(noteOf(1));
    expect(await found({ text: "咖啡馆" })).toEqual([noteOf(1)]);
    expect(await found({})).toEqual([noteOf(2), noteOf(1)]);
    expect(await found({ filter: where.contains("content", "violin"), topK: 5 })).toEqual([noteOf(0)]);
    expect(await found({ text: "violin", hints: { keywords: ["Vienna"] } })).toEqual([noteOf(2)]);
  });

  test("[S0-91] top_k is how many come where nobody asks for a number", async () => {
    for (const n of [0, 1, 2, 3]) await remember(n, feeling(1, 0));
    expect(await found({})).toHaveLength(2);
    expect(await found({ topK: 3 })).toHaveLength(3);
    const wide = await openService("neuromem_vdb", { ...options, top_k: 4 }, world.deps);
    expect(await wide.retrieve(ALICE, {})).toHaveLength(4);
  });

  test("fields and weights decide which vectors count, and how much", async () => {
    await remember(0, feeling(0, 1));
    await remember(1, feeling(1, 0));
    const vectors = [...content(0), feeling(1, 0)];
    const ask = (hints = {}) => found({ vectors, hints });
    expect((await ask({ fields: ["content"] }))[0]).toBe(noteOf(0));
    expect((await ask({ fields: ["emotion"] }))[0]).toBe(noteOf(1));
    expect((await ask({ weights: { content: 3, emotion: 1 } }))[0]).toBe(noteOf(0));
    expect((await ask({ weights: { content: 1, emotion: 3 } }))[0]).toBe(noteOf(1));
    await world.refuses("input_invalid", ask({ fields: ["emotions"] }));
    await world.refuses("input_invalid", ask({ weights: { emotions: 1 } }));
  });

  test("[S0-15] an active insert joins the indexes it names, and only those", async () => {
    const place = (targetIndexes: readonly string[]) =>
      world.remember(ALICE, 0, { insertMode: "active", insertParams: { targetIndexes } });
    await place(["text"]);
    expect(await found({ text: "violin" })).toHaveLength(1);
    expect(await found({ vectors: content(0) })).toEqual([]);
    await world.refuses("index_not_found", place(["no such index"]));
    expect((await world.everything(ALICE)).size).toBe(1);
  });

  test("hints of time narrow every way of looking", async () => {
    await remember(0, feeling(1, 0));
    const later = world.clock.now() + 1;
    await remember(1, feeling(1, 0));
    for (const strategy of ["semantic", "structured"] as const) {
      const hints = { strategy, time_range: { from: later } };
      expect(await found({ vectors: content(0), hints })).toEqual([noteOf(1)]);
    }
  });
});
