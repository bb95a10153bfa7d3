import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { EntryId } from "../../base/ids.ts";
import { PUBLIC, parseScope } from "../../base/scope.ts";
import type { Collection } from "../../collection/collection.ts";
import { CollectionManager } from "../../collection/collection-manager.ts";
import { openInMemory } from "../../storage/memory.ts";
import { batchEvolve, evolveLinks } from "./link-evolution.ts";

const SEED = {
  ...{ similarity_threshold: 0.7, decay_factor: 0.95, drop_below: 0.1, strengthen_factor: 0.2 },
  ...{ max_weight: 2, max_similar: 20, max_neighbours: 100, index_name: "default" },
};
const ALICE = parseScope("alice");

describe("[S1-8] evolveLinks on any collection", () => {
  let manager: CollectionManager;
  let notes: Collection;
  beforeEach(async () => {
    manager = new CollectionManager(await openInMemory());
    notes = await manager.create({
      name: "notes",
      profile: "graph",
      indexes: [
        { name: "default", kind: "vector_flat", options: { space: "s", dimension: 3 } },
        { name: "graph", kind: "graph" },
      ],
    });
  });
  afterEach(() => manager.close());

  const add = (content: string, values?: readonly number[], scope = ALICE): Promise<EntryId> =>
    notes.insert(scope, {
      content,
      vectors: values === undefined ? [] : [{ space: "s", values: Float32Array.from(values) }],
    });
  const weights = async (id: EntryId) =>
    (await notes.edges(ALICE, [id])).map(({ weight }) => Number(weight.toFixed(4)));

  test("[S1-9] what is alike is linked by its likeness, then grows; every step counts", async () => {
    const tea = await add("tea", [1, 0, 0]);
    await add("绿茶", [0.8, 0.6, 0]);
    await add("car", [0, 0, 1]);
    expect(await evolveLinks(notes, ALICE, tea, SEED)).toBe(1);
    expect(await weights(tea)).toEqual([0.8]);
    expect(await evolveLinks(notes, ALICE, tea, SEED)).toBe(2);
    expect(await weights(tea)).toEqual([0.92]);
    for (let n = 0; n < 30; n++) await evolveLinks(notes, ALICE, tea, SEED);
    expect((await weights(tea))[0]).toBeLessThanOrEqual(2);
    const [edge] = await notes.edges(ALICE, [tea]);
    expect(edge).toMatchObject({ type: "link", directed: false, provenance: "evolve_links" });
  });

  test("[S1-9] a link to what is not alike fades and is dropped", async () => {
    const tea = await add("tea", [1, 0, 0]);
    const car = await add("car", [0, 0, 1]);
    await notes.link(ALICE, [{ from: car, to: tea, type: "link", weight: 0.104 }]);
    expect(await evolveLinks(notes, ALICE, tea, { ...SEED, decay_factor: 0.97 })).toBe(1);
    expect(await weights(tea)).toEqual([0.1009]);
    expect(await evolveLinks(notes, ALICE, tea, { ...SEED, decay_factor: 0.97 })).toBe(1);
    expect(await weights(tea)).toEqual([]);
  });

  test("[S1-8] an unknown index, an index without vectors, or an entry without one: nothing is touched", async () => {
    const tea = await add("tea", [1, 0, 0]);
    await add("green tea", [0.8, 0.6, 0]);
    const bare = await add("bare");
    expect(await evolveLinks(notes, ALICE, tea, { ...SEED, index_name: "no such" })).toBe(0);
    expect(await evolveLinks(notes, ALICE, tea, { ...SEED, index_name: "graph" })).toBe(0);
    expect(await evolveLinks(notes, ALICE, bare, SEED)).toBe(0);
    expect(await notes.edges(ALICE, [tea, bare])).toEqual([]);
    await expect(evolveLinks(notes, ALICE, tea, { ...SEED, max_weight: 0 })).rejects.toMatchObject({
      code: "input_invalid",
    });
  });

  test("batchEvolve leaves alone what is archived", async () => {
    const tea = await add("tea", [1, 0, 0]);
    const gone = await add("绿茶", [0.8, 0.6, 0]);
    await notes.link(ALICE, [{ from: gone, to: tea, type: "link", weight: 1 }]);
    await notes.archiveMany(ALICE, [gone, tea]);
    expect(await batchEvolve(notes, ALICE, SEED)).toBe(0);
    expect(await weights(gone)).toEqual([1]);
  });

  test("[S1-10] batchEvolve goes over all the scope's own entries and gives the sum", async () => {
    await add("tea", [1, 0, 0]);
    await add("green tea", [0.8, 0.6, 0]);
    await add("car", [0, 0, 1]);
    await add("public tea", [0.9, 0.1, 0], PUBLIC);
    await add("his tea", [1, 0.1, 0], parseScope("bob"));
    const alone = (await notes.scan(ALICE)).filter(({ scope }) => scope === ALICE);
    expect(alone).toHaveLength(3);
    // tea: two alike; green tea: its link fades, then two alike; car: none.
    expect(await batchEvolve(notes, ALICE, SEED)).toBe(2 + 1 + 2);
    expect(
      await notes.edges(
        PUBLIC,
        (await notes.scan(PUBLIC)).map(({ id }) => id),
      ),
    ).toEqual([]);
  });
});
