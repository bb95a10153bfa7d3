import { expect, test } from "vitest";
import { PUBLIC, parseScope } from "../base/scope.ts";
import { openInMemory } from "../storage/memory.ts";
import { CollectionManager } from "./collection-manager.ts";

const ALICE = parseScope("alice");
const BOB = parseScope("鲍勃");

test("[C-31] edges by their ends and type, and how many reach an entry: only what the scope sees", async () => {
  const manager = new CollectionManager(await openInMemory());
  const notes = await manager.open({ name: "notes", profile: "hybrid", indexes: [] });
  const hub = await notes.insert(PUBLIC, { content: "hub" });
  const [one = hub, two = hub, three = hub] = await notes.insertMany(
    ALICE,
    ["one", "二", "three"].map((content) => ({ content, edges: [{ to: hub, type: "contains" }] })),
  );
  await notes.insert(BOB, { content: "his", edges: [{ to: hub, type: "contains" }] });
  await notes.link(ALICE, [{ from: one, to: two, type: "link" }]);
  const key = { from: one, to: two, type: "link" };
  expect(await notes.ownEdges(ALICE, [key])).toMatchObject([key]);
  expect(await notes.ownEdges(ALICE, [{ ...key, type: "contains" }])).toEqual([]);
  expect(await notes.ownEdges(BOB, [key])).toEqual([]);

  await notes.archiveMany(ALICE, [one]);
  await notes.supersede(ALICE, [two], three);
  const count = (scope: typeof ALICE) => notes.countReaching(scope, [two, hub], "contains");
  expect(await count(ALICE)).toEqual([
    { all: 0, current: 0 },
    { all: 3, current: 1 },
  ]);
  expect((await count(BOB))[1]).toEqual({ all: 1, current: 1 });

  const edges = { link: [{ from: three, to: hub, type: "link" }], unlink: [key] };
  expect(await notes.deleteMany(ALICE, [one], undefined, edges)).toBe(true);
  expect((await notes.edges(ALICE, [three])).map(({ type }) => type)).toEqual(["contains", "link"]);
  await manager.close();
});
