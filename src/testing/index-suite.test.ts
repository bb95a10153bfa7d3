/** The suite judges a forty-line index by brute force: it passes, and every deliberate fault is caught by a law. */
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { parseEntryId } from "../base/ids.ts";
import { parseScope } from "../base/scope.ts";
import type { Candidate, Index, IndexItem, IndexQuery } from "../indexes/index-contract.ts";
import { checkIndexLaw, type IndexLaw, type IndexSuite, testIndex } from "./index-suite.ts";
import { sampleEntry, sampleId, sampleScope, sampleText } from "./sample.ts";

/** Scores an item by how many of the asked words it holds. */
function bruteForce(): Index {
  let items = new Map<string, IndexItem>();
  const score = (item: IndexItem, query: IndexQuery): Candidate => {
    const words = item.entry?.content.split(" ") ?? [];
    const overlap = (query.text ?? "").split(" ").filter((word) => words.includes(word)).length;
    return { id: item.id, score: overlap, parts: { overlap } };
  };
  return {
    kind: "brute_force",
    needs: { fields: ["content"] },
    add: (given) => {
      for (const item of given) items.set(item.id, item);
    },
    remove: (ids) => {
      for (const id of ids) items.delete(id);
    },
    query: (query) =>
      [...items.values()]
        .filter(({ id, scope }) => query.scopes.includes(scope) && (query.allow?.has(id) ?? true))
        .map((item) => score(item, query))
        .filter((candidate) => candidate.score > 0)
        .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
        .slice(0, query.limit),
    save: () => {
      const rows = [...items.values()].map((item) => [
        item.id,
        item.scope,
        item.position,
        item.entry?.content,
      ]);
      const body = JSON.stringify(rows);
      return new TextEncoder().encode(createHash("sha256").update(body).digest("hex") + body);
    },
    load: (bytes) => {
      const text = new TextDecoder().decode(bytes);
      const body = text.slice(64);
      if (createHash("sha256").update(body).digest("hex") !== text.slice(0, 64)) throw new Error("not mine");
      const rows = JSON.parse(body) as [string, string, number, string][];
      items = new Map(
        rows.map(([id, scope, position, content]) => [
          id,
          {
            id: parseEntryId(id),
            scope: parseScope(scope),
            position,
            entry: sampleEntry(position, { content }, parseScope(scope)),
          },
        ]),
      );
    },
    stats: () => ({ items: items.size, bytes: 0 }),
  };
}

const suite: IndexSuite = {
  name: "brute_force",
  create: bruteForce,
  item: (n, random) => {
    const scope = sampleScope(random);
    const entry = sampleEntry(n, { content: sampleText(random) }, scope);
    return { id: sampleId(n), scope, position: n, entry };
  },
  query: (random) => ({ text: sampleText(random, 3) }),
};

testIndex(suite);

describe("a fault is caught by its law", () => {
  /** The good index with one method made wrong. */
  const faults: readonly { law: IndexLaw; fault: string; spoil: (index: Index) => Partial<Index> }[] = [
    {
      law: "grown",
      fault: "an answer that depends on the number of batches",
      spoil: (index) => {
        let batches = 0;
        return {
          add: (items) => {
            batches++;
            index.add(items);
          },
          query: async (query) =>
            (await index.query(query)).map((found) => ({ ...found, score: found.score / batches })),
        };
      },
    },
    {
      law: "saved",
      fault: "a save that loses an item",
      spoil: (index) => ({
        load: (bytes) => {
          index.load(bytes);
          index.remove([sampleId(0), sampleId(1), sampleId(2), sampleId(3)]);
        },
      }),
    },
    { law: "damaged", fault: "a load that accepts anything", spoil: () => ({ load: () => undefined }) },
    {
      law: "removed",
      fault: "a remove that forgets the first id",
      spoil: (index) => ({ remove: (ids) => index.remove(ids.slice(1)) }),
    },
    {
      law: "replaced",
      fault: "an add that keeps the first of a batch",
      spoil: (index) => ({ add: (items) => index.add([...items].reverse()) }),
    },
    {
      law: "ordered",
      fault: "ties in descending order of id",
      spoil: (index) => ({
        query: async (query) =>
          [...(await index.query(query))].sort((a, b) => b.score - a.score || (a.id < b.id ? 1 : -1)),
      }),
    },
    {
      law: "explained",
      fault: "a score that is not a number",
      spoil: (index) => ({
        query: async (query) => (await index.query(query)).map((found) => ({ ...found, score: Number.NaN })),
      }),
    },
    {
      law: "empty",
      fault: "a limit of 0 that means all",
      spoil: (index) => ({ query: (query) => index.query({ ...query, limit: query.limit || 10 }) }),
    },
    {
      law: "exact",
      fault: "allowed ids looked for among the best only",
      spoil: (index) => ({
        query: async ({ allow, ...query }) =>
          (await index.query(query)).filter(({ id }) => allow === undefined || allow.has(id)),
      }),
    },
    {
      law: "scoped",
      fault: "a score that counts the items of other scopes",
      spoil: (index) => ({
        query: async (query) =>
          (await index.query(query)).map((found) => ({ ...found, score: found.score / index.stats().items })),
      }),
    },
    {
      law: "counted",
      fault: "a count of what was ever added",
      spoil: () => ({ stats: () => ({ items: 41, bytes: 0 }) }),
    },
  ];

  test.each(faults)("$law: $fault", async ({ law, spoil }) => {
    const create = () => {
      const index = bruteForce();
      return { ...index, ...spoil(index) };
    };
    await expect(checkIndexLaw({ ...suite, create }, law)).rejects.toThrow();
  });
});
