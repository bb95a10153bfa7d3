/**
 * Does an index keep the contract of src/indexes/index-contract.ts? One call per kind:
 *
 *     testIndex({
 *       name: "text_bm25",
 *       create: () => textBm25.create(options, deps),
 *       item: (n, random) => {
 *         const scope = sampleScope(random);
 *         return { id: sampleId(n), scope, position: n, entry: sampleEntry(n, { content: sampleText(random) }, scope) };
 *       },
 *       query: (random) => ({ text: sampleText(random, 3) }),
 *     });
 *
 * Cases are drawn by fast-check from a fixed seed; a failure prints the smallest case it found.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seededRandom } from "../base/random.ts";
import type { Index, IndexItem } from "../indexes/index-contract.ts";
import {
  apply,
  build,
  expectSame,
  expectSameAnswers,
  type IndexCases,
  ITEM_COUNT,
  idOf,
  moved,
  NOBODY,
  numbers,
  picks,
  questions,
  seeds,
  show,
  shuffled,
  steps,
  twin,
} from "./index-cases.ts";

export interface IndexSuite extends IndexCases {
  readonly name: string;
  /** Laws this kind cannot keep, each with the reason; they show as skipped. */
  readonly skip?: readonly { readonly reason: string; readonly laws: readonly IndexLaw[] }[];
  /** Further tests of this kind; `build` makes an index of these items. */
  more?(build: (items: readonly IndexItem[]) => Index): void;
  /** Cases per law (default 25). */
  readonly runs?: number;
}

export type IndexLaw = keyof typeof LAWS;

const LAWS = {
  grown: {
    title:
      "grown step by step through adds, replacements and removals equals built from scratch, in any order",
    check: grown,
  },
  saved: { title: "saved and loaded gives the same answers, and grows on from there", check: saved },
  damaged: { title: "load refuses empty, torn, damaged and foreign bytes", check: damaged },
  removed: { title: "what was removed is gone; removing an unknown id does nothing", check: removed },
  replaced: {
    title: "adding an id that is there replaces it, also within a batch and into another scope",
    check: replaced,
  },
  ordered: { title: "scores descend, ties ascend by id, no id comes twice", check: ordered },
  explained: { title: "every candidate has a finite score and finite parts", check: explained },
  empty: {
    title:
      "no items, scopes or allowed ids, or a limit of 0, give nothing; a limit far beyond the items gives all",
    check: empty,
  },
  exact: {
    title: "a query gives exactly `limit` of the allowed ids in the given scopes, or all that match",
    check: exact,
  },
  scoped: {
    title: "no answer comes from outside the given scopes, and none depends on what lies there",
    check: scoped,
  },
  counted: { title: "stats count the items held", check: counted },
} as const;

export function testIndex(suite: IndexSuite): void {
  const skipped = new Map<string, string>(
    (suite.skip ?? []).flatMap(({ reason, laws }) => laws.map((law) => [law, reason] as const)),
  );
  describe(`index ${suite.name}`, () => {
    for (const [law, { title, check }] of Object.entries(LAWS)) {
      const reason = skipped.get(law);
      if (reason === undefined) test(title, () => check(suite));
      else test.skip(`${title} (${reason})`, () => undefined);
    }
    suite.more?.((items) => build(suite, items));
  });
}

/** One law by itself; rejects with the smallest case that breaks it. */
export async function checkIndexLaw(suite: IndexSuite, law: IndexLaw): Promise<void> {
  await LAWS[law].check(suite);
}

// --- the laws ---

async function grown(suite: IndexSuite): Promise<void> {
  await holds(suite, fc.tuple(steps, seeds, seeds), async ([changes, order, asked]) => {
    const held = apply(suite, changes);
    const rebuilt = build(suite, shuffled(held.items(), order));
    await expectSameAnswers(suite, held.index, rebuilt, asked);
  });
}

async function saved(suite: IndexSuite): Promise<void> {
  await holds(suite, fc.tuple(steps, steps, seeds), async ([before, after, asked]) => {
    const held = apply(suite, before);
    const loaded = suite.create(held.world);
    loaded.load(held.index.save());
    await expectSameAnswers(suite, loaded, held.index, asked);
    held.change(after, loaded);
    await expectSameAnswers(suite, loaded, held.index, asked);
    expect(loaded.stats().items).toBe(held.items().length);
  });
}

async function damaged(suite: IndexSuite): Promise<void> {
  const damage = fc.record({
    at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    bit: fc.nat(7),
  });
  await holds(
    suite,
    fc.tuple(steps, damage, fc.uint8Array({ maxLength: 300 })),
    async ([changes, hit, garbage]) => {
      const held = apply(suite, changes);
      const bytes = held.index.save();
      const at = Math.floor(hit.at * bytes.length);
      const flipped = bytes.slice();
      flipped[at] = (flipped[at] ?? 0) ^ (1 << hit.bit);
      const wrong = { empty: new Uint8Array(), torn: bytes.slice(0, at), damaged: flipped, foreign: garbage };
      for (const [how, given] of Object.entries(wrong)) {
        expect(() => suite.create(held.world).load(given), `load of ${how} bytes must throw`).toThrow();
      }
    },
  );
}

async function removed(suite: IndexSuite): Promise<void> {
  await holds(suite, fc.tuple(steps, numbers, seeds), async ([changes, gone, asked]) => {
    const held = apply(suite, changes);
    const ids = gone.map((n) => idOf(suite, n));
    held.index.remove(ids);
    held.index.remove(ids);
    for (const query of questions(suite, asked)) {
      const found = new Set((await held.index.query(query)).map(({ id }) => id));
      expect(ids.filter((id) => found.has(id))).toEqual([]);
    }
    const left = held.items().filter(({ id }) => !ids.includes(id));
    await expectSameAnswers(suite, held.index, build(suite, left), asked);
  });
}

async function replaced(suite: IndexSuite): Promise<void> {
  await holds(suite, fc.tuple(steps, picks, seeds), async ([changes, again, asked]) => {
    const held = apply(suite, changes);
    held.add(again.map(({ n, seed }) => moved(suite.item(n, seededRandom(seed)), 1)));
    held.add(
      again.flatMap(({ n, seed }) => [1, 2].map((by) => moved(suite.item(n, seededRandom(seed + by)), by))),
    );
    await expectSameAnswers(suite, held.index, build(suite, held.items()), asked);
    expect(held.index.stats().items).toBe(held.items().length);
  });
}

async function ordered(suite: IndexSuite): Promise<void> {
  await holds(suite, fc.tuple(picks, seeds), async ([originals, asked]) => {
    const items = originals.flatMap(({ n, seed }, at) => {
      const item = suite.item(n, seededRandom(seed));
      return [
        item,
        twin(item, idOf(suite, (n + at + 1) % ITEM_COUNT)),
        twin(item, idOf(suite, (n + 7) % ITEM_COUNT)),
      ];
    });
    const index = build(suite, items);
    for (const query of questions(suite, asked)) {
      const found = await index.query(query);
      const sorted = [...found].sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
      expect(found.map(show)).toEqual(sorted.map(show));
      expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
    }
  });
}

async function explained(suite: IndexSuite): Promise<void> {
  await holds(suite, fc.tuple(steps, seeds), async ([changes, asked]) => {
    const { index } = apply(suite, changes);
    expect(index.kind).not.toBe("");
    for (const query of questions(suite, asked)) {
      for (const candidate of await index.query(query)) {
        const { score, parts } = candidate;
        expect([score, ...Object.values(parts)].every(Number.isFinite), show(candidate)).toBe(true);
        expect(Object.keys(parts).length, `parts of ${show(candidate)}`).toBeGreaterThan(0);
      }
    }
  });
}

async function empty(suite: IndexSuite): Promise<void> {
  await holds(suite, fc.tuple(picks, seeds), async ([given, asked]) => {
    const items = given.map(({ n, seed }) => suite.item(n, seededRandom(seed)));
    const index = build(suite, items);
    const drained = build(suite, items);
    drained.remove(items.map(({ id }) => id));
    for (const query of questions(suite, asked)) {
      expect(await suite.create({ vectorOf: () => undefined }).query(query)).toEqual([]);
      expect(await drained.query(query)).toEqual([]);
      expect(await index.query({ ...query, limit: 0 })).toEqual([]);
      expect(await index.query({ ...query, scopes: [] })).toEqual([]);
      expect(await index.query({ ...query, allow: new Set() })).toEqual([]);
      expectSame(await index.query({ ...query, limit: 1_000_000_000 }), await index.query(query));
    }
  });
}

async function exact(suite: IndexSuite): Promise<void> {
  await holds(
    suite,
    fc.tuple(steps, numbers, fc.nat(12), seeds),
    async ([changes, allowed, limit, asked]) => {
      const { index } = apply(suite, changes);
      const allow = new Set(allowed.map((n) => idOf(suite, n)));
      for (const query of questions(suite, asked)) {
        const all = await index.query(query);
        expectSame(await index.query({ ...query, limit }), all.slice(0, limit));
        const matching = all.filter(({ id }) => allow.has(id));
        expectSame(await index.query({ ...query, allow, limit }), matching.slice(0, limit));
      }
    },
  );
}

async function scoped(suite: IndexSuite): Promise<void> {
  await holds(suite, fc.tuple(steps, seeds), async ([changes, asked]) => {
    const held = apply(suite, changes);
    const scopeOf = new Map(held.items().map(({ id, scope }) => [id, scope]));
    for (const query of questions(suite, asked)) {
      const inside = held.items().filter(({ scope }) => query.scopes.includes(scope));
      const found = await held.index.query(query);
      expect(found.filter(({ id }) => !query.scopes.includes(scopeOf.get(id) ?? NOBODY)).map(show)).toEqual(
        [],
      );
      expectSame(found, await build(suite, inside).query(query));
    }
  });
}

async function counted(suite: IndexSuite): Promise<void> {
  await holds(suite, steps, async (changes) => {
    const held = apply(suite, changes);
    const { items, bytes } = held.index.stats();
    expect(items).toBe(held.items().length);
    expect(bytes).toBeGreaterThanOrEqual(0);
  });
}

async function holds<T>(
  suite: IndexSuite,
  cases: fc.Arbitrary<T>,
  law: (given: T) => Promise<void>,
): Promise<void> {
  await fc.assert(fc.asyncProperty(cases, law), { seed: 20250101, numRuns: suite.runs ?? 25 });
}
