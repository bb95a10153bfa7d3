import fc from "fast-check";
import { expect, test } from "vitest";
import { where } from "../src/base/filter.ts";
import type { EntryId } from "../src/base/ids.ts";
import { seededRandom } from "../src/base/random.ts";
import { PUBLIC, parseScope, type Scope, visibleScopes } from "../src/base/scope.ts";
import type { TraceEvent } from "../src/base/trace.ts";
import type { Vector } from "../src/base/vector.ts";
import type { Collection } from "../src/collection/collection.ts";
import { CollectionManager } from "../src/collection/collection-manager.ts";
import type { Retrieval } from "../src/collection/retrieve.ts";
import { INDEX_KINDS } from "../src/indexes/index.ts";
import { openInMemory } from "../src/storage/memory.ts";
import { SAMPLE_SCOPES, sampleText, sampleVector } from "../src/testing/sample.ts";

const SPACE = "scopes-8d";
const [ALICE, BOB] = [parseScope("alice"), parseScope("bob")];
const vectorOf = (seed: number): Vector => ({ space: SPACE, values: sampleVector(8, seededRandom(seed)) });

/** One index of every kind there is: a new kind without a row here fails the test. */
const OPTIONS: Readonly<Record<string, Readonly<Record<string, string | number>>>> = {
  text_bm25: {},
  vector_flat: { space: SPACE, dimension: 8 },
  lsh: { space: SPACE, dimension: 8, form: "sign", bits: 2, seed: 1 },
  graph: {},
  fifo: { capacity: 5 },
  sorted: { field: "happenedAt" },
  tag: {},
  key: { field: "tags" },
  segment: { by: "time", gap_seconds: 60 },
};

interface Placed {
  readonly id: EntryId;
  readonly scope: Scope;
}

function questions(all: readonly Placed[], seed: number): readonly Retrieval[] {
  const seeds = Object.fromEntries(all.map(({ id }) => [id, 1]));
  const vector = vectorOf(seed);
  const text = sampleText(seededRandom(seed), 6);
  return [
    { index: "text_bm25", text },
    { index: "vector_flat", vector },
    { index: "lsh", vector },
    { index: "graph", params: { mode: "neighbors", from: all.map(({ id }) => id), hops: 3 } },
    { index: "graph", params: { mode: "ppr", seeds } },
    { index: "graph", params: { mode: "spread", seeds } },
    { index: "fifo" },
    { index: "fifo", params: { mode: "overflow" } },
    { index: "sorted" },
    { index: "tag", text },
    { index: "key", params: { keys: text.split(" "), threshold: 0.5 } },
    { index: "segment" },
    { index: "segment", params: { list: true } },
  ];
}

async function fill(
  notes: Collection,
  places: readonly { scope: Scope; seed: number; links: readonly number[] }[],
): Promise<Placed[]> {
  const all: Placed[] = [];
  for (const { scope, seed } of places) {
    const content = sampleText(seededRandom(seed), 6);
    const id = await notes.insert(scope, {
      content,
      tags: content.split(" "),
      vectors: [vectorOf(seed)],
      happenedAt: seed * 1000,
    });
    all.push({ id, scope });
  }
  for (const [from, { scope, links }] of places.entries()) {
    for (const link of links) {
      const [source, target] = [all[from], all[link % all.length]];
      if (source === undefined || target === undefined || !visibleScopes(scope).includes(target.scope))
        continue;
      await notes.link(scope, [{ from: source.id, to: target.id, type: "link" }]);
    }
  }
  return all;
}

test("every kind of index has its row in this test", () => {
  expect(Object.keys(OPTIONS).sort()).toEqual(Object.keys(INDEX_KINDS).sort());
});

test("[C-31] [S3-22..S3-24] no call of any index or collection returns anything outside the visible scopes", {
  timeout: 60_000,
}, async () => {
  const place = fc.record({
    scope: fc.constantFrom(...SAMPLE_SCOPES),
    seed: fc.nat(1000),
    links: fc.array(fc.nat(), { maxLength: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(place, { minLength: 1, maxLength: 14 }), fc.nat(1000), async (places, seed) => {
      const manager = new CollectionManager(await openInMemory());
      const indexes = Object.entries(OPTIONS).map(([kind, options]) => ({ name: kind, kind, options }));
      const notes = await manager.create({ name: "notes", profile: "hybrid", indexes });
      const all = await fill(notes, places);
      const ownerOf = new Map(all.map(({ id, scope }) => [id, scope]));
      for (const scope of [...SAMPLE_SCOPES, parseScope("nobody")]) {
        const seen: EntryId[] = [];
        for (const question of questions(all, seed)) {
          seen.push(...(await notes.retrieve(scope, { ...question, topK: 100 })).map((hit) => hit.id));
          seen.push(
            ...(
              await notes.retrieve(scope, { ...question, filter: where.in("id", [...ownerOf.keys()]) })
            ).map((hit) => hit.id),
          );
          seen.push(
            ...(await notes.retrieveMulti(scope, { queries: [question], topK: 100 })).map((hit) => hit.id),
          );
        }
        const ids = all.map(({ id }) => id);
        seen.push(...(await notes.scan(scope, { limit: 1000 })).map((entry) => entry.id));
        seen.push(...(await notes.getMany(scope, ids)).flatMap((entry) => entry?.id ?? []));
        seen.push(...(await notes.edges(scope, ids)).flatMap((edge) => [edge.from, edge.to]));
        const foreign = seen.filter(
          (id) => !visibleScopes(scope).includes(ownerOf.get(id) ?? parseScope("unknown")),
        );
        expect(foreign).toEqual([]);
      }
      await manager.close();
    }),
    { numRuns: 40 },
  );
});

test("[C-31] an index that is asked among few allowed ids stays within the visible scopes", async () => {
  let asked = 0;
  const trace = (event: TraceEvent): void => {
    if (event.type === "index-query") asked++;
  };
  const manager = new CollectionManager(await openInMemory(), { trace });
  const options = { ...OPTIONS, fifo: { capacity: 100 }, lsh: { ...OPTIONS.lsh, bits: 1 } };
  const indexes = Object.entries(options).map(([kind, given]) => ({ name: kind, kind, options: given }));
  const notes = await manager.create({ name: "notes", profile: "hybrid", indexes });
  const all: Placed[] = [];
  const picked: EntryId[] = [];
  for (const scope of [ALICE, BOB, PUBLIC]) {
    const items = Array.from({ length: 60 }, (_, n) => ({
      content: `coffee ${sampleText(seededRandom(n), 3)}`,
      tags: ["coffee"],
      vectors: [vectorOf(n)],
      happenedAt: n,
    }));
    const ids = await notes.insertMany(scope, items);
    all.push(...ids.map((id) => ({ id, scope })));
    picked.push(...ids.slice(30, 31));
  }
  const [own, foreign, shared] = picked;
  const thirdTime = new Set<string>();
  for (const question of questions(all, 7)) {
    asked = 0;
    const text = question.text === undefined ? {} : { text: "coffee" };
    const request = { ...question, ...text, filter: where.in("id", picked), topK: 3 };
    const found = (await notes.retrieve(ALICE, request)).map((hit) => hit.id);
    expect(found).not.toContain(foreign);
    if (asked < 3) continue;
    // Twice for candidates that the filter refused, then for what it allows.
    thirdTime.add(question.index);
    expect(found.sort()).toEqual([own, shared]);
  }
  expect([...thirdTime].sort()).toEqual(["fifo", "graph", "sorted", "tag", "text_bm25", "vector_flat"]);
  await manager.close();
});

test("[S3-24] an empty or illegal scope is refused with a code", () => {
  for (const scope of ["", " ", "a b", "../x", "x".repeat(200), "-a", null, undefined, 7]) {
    expect(() => parseScope(scope)).toThrow(expect.objectContaining({ code: "scope_invalid" }));
  }
});
