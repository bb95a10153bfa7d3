/** The part of the collection suite that is about what is refused, also from callers without types. */
import { expect, test } from "vitest";
import { where } from "../base/filter.ts";
import { SPACE, vectorOf } from "./collection-model.ts";
import { ALICE, BOB, type CollectionWorld, untyped } from "./collection-world.ts";

export function inputLaws(world: CollectionWorld): void {
  const refuses = world.refuses.bind(world);
  const insert = (item: object) => world.notes.insert(ALICE, { content: "x", ...item });

  test("bad input is refused with its code, and nothing is written", async () => {
    await refuses("dimension_mismatch", insert({ vectors: [{ space: SPACE, values: Float32Array.of(1) }] }));
    await refuses("vector_invalid", insert({ vectors: [{ space: SPACE, values: new Float32Array(4) }] }));
    await refuses(
      "vector_invalid",
      insert({ vectors: [{ space: SPACE, values: Float32Array.of(Number.NaN, 1, 1, 1) }] }),
    );
    await refuses("vector_invalid", insert({ indexes: ["meaning"] }));
    await refuses("index_not_found", insert({ indexes: ["wrods"] }));
    await refuses("text_too_large", insert({ content: "x".repeat(10_000_000) }));
    await refuses("text_invalid", insert({ content: "half \ud800 pair" }));
    await refuses("text_invalid", insert({ content: "nul \u0000 byte" }));
    await refuses("text_invalid", insert({ content: "bell \u0007" }));
    await refuses("text_invalid", insert({ content: "  " }));
    await refuses("input_invalid", insert({ importance: 2 }));
    await refuses("input_invalid", insert({ unknownField: 1 }));
    await refuses(
      "embedder_mismatch",
      world.notes.retrieve(ALICE, {
        index: "meaning",
        vector: { space: "other", values: new Float32Array(4).fill(1) },
      }),
    );
    await refuses(
      "input_invalid",
      world.notes.retrieve(ALICE, { index: "words", text: "x", filter: where.eq("knid", "x") }),
    );
    await refuses("input_invalid", world.notes.retrieve(ALICE, { index: "words", text: "x", topK: -1 }));
    await refuses("name_taken", world.manager.create({ name: "notes", profile: "kv" }));
    await refuses(
      "name_taken",
      world.notes.createIndex({ name: "words", kind: "fifo", options: { capacity: 1 } }),
    );
    await refuses("unknown_name", world.notes.createIndex({ name: "n", kind: "vektor", options: {} }));
    await refuses(
      "option_invalid",
      world.notes.createIndex({ name: "n", kind: "fifo", options: { capacity: 0 } }),
    );
    await refuses(
      "option_invalid",
      world.notes.createIndex({ name: "../n", kind: "fifo", options: { capacity: 1 } }),
    );
    await refuses("unknown_name", world.manager.create({ name: "other", profile: "hybird" }));
    expect(await world.notes.scan(ALICE)).toEqual([]);
  });

  test("vectors that would poison a search are refused", async () => {
    const plain = { space: SPACE, values: [1, 0, 0, 0] };
    await refuses("vector_invalid", insert({ vectors: [plain] }));
    await refuses("vector_invalid", insert({ vectors: [vectorOf(1), vectorOf(2)] }));
    const values = Float32Array.of(1);
    for (const space of ["a,b", "a\nb", "", "x".repeat(300)])
      await refuses("input_invalid", insert({ vectors: [{ space, values }] }));
    const id = await insert({ content: "kept" });
    await refuses("vector_invalid", world.notes.update(ALICE, id, { vectors: untyped([plain]) }));
    await refuses("vector_invalid", world.notes.update(ALICE, id, { vectors: [vectorOf(1), vectorOf(2)] }));
    expect(await world.notes.scan(ALICE)).toHaveLength(1);
  });

  test("[S3-24] a call without a scope is refused, whatever the call", async () => {
    const id = await insert({ content: "kept" });
    for (const nobody of ["", undefined, null, "a b"]) {
      const scope = untyped<typeof ALICE>(nobody);
      await refuses("scope_invalid", world.notes.insert(scope, { content: "x" }));
      await refuses("scope_invalid", world.notes.get(scope, id));
      await refuses("scope_invalid", world.notes.scan(scope));
      await refuses("scope_invalid", world.notes.retrieve(scope, { index: "recent" }));
      await refuses("scope_invalid", world.notes.update(scope, id, { content: "y" }));
      await refuses("scope_invalid", world.notes.delete(scope, id));
      await refuses("scope_invalid", world.notes.edges(scope, [id]));
      await refuses("scope_invalid", world.storage.events(scope, { limit: 9 }));
    }
    expect(await world.queue()).toEqual(["kept"]);
  });

  test("a collection does not reach into another one", async () => {
    const other = await world.manager.create({
      name: "other",
      profile: "hybrid",
      indexes: [{ name: "recent", kind: "fifo", options: { capacity: 5 } }],
    });
    const id = await other.insert(ALICE, { content: "elsewhere" });
    const twin = await other.insert(ALICE, { content: "elsewhere too" });
    await other.link(ALICE, [{ from: id, to: twin, type: "link" }]);
    const here = await insert({ content: "here" });
    await refuses("entry_not_found", world.notes.update(ALICE, id, { content: "y" }));
    await refuses("entry_not_found", world.notes.update(ALICE, id, { vectors: [vectorOf(1)] }));
    await refuses("entry_not_found", world.notes.touch(ALICE, [{ id, addAccess: 1 }]));
    await refuses("entry_not_found", world.notes.insertToIndex(ALICE, id, "words"));
    await refuses("entry_not_found", world.notes.removeFromIndex(ALICE, id, "recent"));
    await refuses("entry_not_found", world.notes.move(ALICE, id, { from: [], to: ["words"] }));
    await refuses("entry_not_found", world.notes.link(ALICE, [{ from: id, to: twin, type: "x" }]));
    await refuses("entry_not_found", world.notes.link(ALICE, [{ from: here, to: id, type: "x" }]));
    await refuses("entry_not_found", insert({ edges: [{ to: id, type: "x" }] }));
    expect(await world.notes.delete(ALICE, id)).toBe(false);
    expect(await world.notes.get(ALICE, id)).toBeUndefined();
    expect(await world.notes.edges(ALICE, [id])).toEqual([]);
    expect(await other.get(ALICE, id)).toMatchObject({ content: "elsewhere", accessCount: 0 });
  });

  test("a touch of another shape, or that counts down, is refused", async () => {
    const id = await insert({});
    for (const touch of [
      { addAccess: -1 },
      { addUseful: -1 },
      { addAccess: 0.5 },
      { addUseful: Number.NaN },
      { strength: Number.NaN },
      { lastAccessAt: Number.NaN },
      { energyAnchor: { value: Number.POSITIVE_INFINITY, at: 0 } },
      { boostEnergy: { by: 0.1, initial: 0.5, at: 0 } },
      { boostEnergy: { by: Number.NaN, initial: 0.5, decayPerHour: 0.1, at: 0 } },
      { boostEnergy: { by: 0.1, initial: 0.5, decayPerHour: 0.1, at: 0 }, energyAnchor: null },
      { accessCount: 5 },
      { content: "y" },
    ])
      await refuses("input_invalid", world.notes.touch(ALICE, [untyped({ id, ...touch })]));
    expect(await world.notes.get(ALICE, id)).toMatchObject({ content: "x", accessCount: 0, usefulCount: 0 });
  });

  test("a question with an unknown word or a number that is none is refused", async () => {
    const query = { index: "words", text: "x" };
    for (const wrong of [{ topk: 3 }, { topK: 1.5 }, { topK: Number.NaN }, { topK: -1 }, { limit: 3 }]) {
      await refuses("input_invalid", world.notes.retrieve(ALICE, untyped({ ...query, ...wrong })));
      await refuses(
        "input_invalid",
        world.notes.retrieveMulti(ALICE, untyped({ queries: [query], ...wrong })),
      );
    }
    for (const wrong of [{ rrfK: -1 }, { rrfK: Number.NaN }, { fusion: "average" }, { filters: [] }])
      await refuses(
        "input_invalid",
        world.notes.retrieveMulti(ALICE, untyped({ queries: [query], ...wrong })),
      );
    for (const wrong of [{ weight: -1 }, { weight: Number.NaN }, { wieght: 1 }, { topK: 3 }])
      await refuses(
        "input_invalid",
        world.notes.retrieveMulti(ALICE, untyped({ queries: [{ ...query, ...wrong }] })),
      );
    for (const wrong of [{ limit: -1 }, { limit: 1.5 }, { limit: Number.NaN }, { topK: 3 }])
      await refuses("input_invalid", world.notes.scan(BOB, untyped(wrong)));
  });
}
