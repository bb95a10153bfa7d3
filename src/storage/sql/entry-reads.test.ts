import { expect, test } from "vitest";
import { where } from "../../base/filter.ts";
import { parseScope } from "../../base/scope.ts";
import { CollectionManager } from "../../collection/collection-manager.ts";
import { openInMemory } from "../memory.ts";

const ALICE = parseScope("alice");
/** More than any page of a scan, a search for ids, a rebuild or a catch-up. */
const MANY = 9000;

test("scan, find, rebuild and catch-up all go on to the last page", async () => {
  const storage = await openInMemory();
  const writer = new CollectionManager(storage);
  const notes = await writer.create({
    name: "notes",
    profile: "kv",
    indexes: [{ name: "queue", kind: "fifo", options: { capacity: 1 } }],
  });
  const awake = await new CollectionManager(storage).get("notes");
  const itemsOf = async (collection: typeof notes) => (await collection.stats()).indexes[0]?.items;
  expect(await itemsOf(awake)).toBe(0);
  const half = (kind: string) =>
    notes.insertMany(
      ALICE,
      Array.from({ length: MANY / 2 }, (_, n) => ({ content: "x", kind, metadata: { n } })),
    );
  const early = await half("early");
  const late = await half("late");

  expect(await itemsOf(awake)).toBe(MANY);
  expect(await itemsOf(await new CollectionManager(storage).get("notes"))).toBe(MANY);
  expect((await notes.scan(ALICE, { limit: 2 * MANY })).map(({ id }) => id)).toEqual([...early, ...late]);
  // What SQL decides by itself is read in other pages than what the evaluator must look at.
  const lastOnes = where.range("metadata.n", { gte: MANY / 2 - 1 });
  expect((await notes.scan(ALICE, { filter: lastOnes })).map(({ id }) => id)).toEqual([
    early.at(-1),
    late.at(-1),
  ]);
  expect((await storage.find(ALICE, "notes", undefined)).size).toBe(MANY);
  expect([...(await storage.find(ALICE, "notes", lastOnes))]).toEqual([early.at(-1), late.at(-1)]);
  await writer.close();
});
