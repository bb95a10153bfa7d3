import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Entry, EntryFields } from "../base/entry.ts";
import { PUBLIC, parseScope, type Scope } from "../base/scope.ts";
import { testIndex } from "../testing/index-suite.ts";
import {
  SAMPLE_START,
  SAMPLE_WORDS,
  sampleEntry,
  sampleId,
  sampleOf,
  sampleScope,
  sampleText,
} from "../testing/sample.ts";
import type { Candidate, Index, IndexDeps, IndexItem } from "./index-contract.ts";
import { tagIndex } from "./tag.ts";
import { TagMirror } from "./tag-mirror.ts";

const deps: IndexDeps = { tokenize: () => [], tokenizerId: "none", fetchVectors: () => [] };
const alice = parseScope("alice");
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

function create(given: object = {}): Index {
  return tagIndex.create(tagIndex.options.parse(given), deps);
}

function item(n: number, fields: EntryFields, scope: Scope = PUBLIC, createdAt = SAMPLE_START): IndexItem {
  const entry: Entry = { ...sampleEntry(n, fields, scope), createdAt };
  return { id: sampleId(n), scope, position: n, entry };
}

async function ask(index: Index, text: string, scopes: readonly Scope[] = [PUBLIC]): Promise<Candidate[]> {
  return index.query({ text, scopes, limit: 50 });
}

async function order(index: Index, text: string, scopes?: readonly Scope[]): Promise<number[]> {
  const numbers = new Map(Array.from({ length: 20 }, (_, n) => [sampleId(n), n]));
  return (await ask(index, text, scopes)).map(({ id }) => numbers.get(id) ?? -1);
}

testIndex({
  name: "tag",
  create: () => create(),
  item: (n, random) => {
    const tags = Array.from({ length: Math.floor(random.next() * 4) }, () => sampleOf(SAMPLE_WORDS, random));
    const strength = Math.floor(random.next() * 3);
    const createdAt = SAMPLE_START + Math.floor(random.next() * 4) * 9 * HOUR;
    return item(n, { tags, strength }, sampleScope(random), createdAt);
  },
  query: (random) => ({ text: sampleText(random, 12) }),
});

describe("tag", () => {
  test("[S3-21] the hot pot: two tags beat one", async () => {
    const index = create();
    index.add([
      item(1, { tags: ["小明"] }),
      item(0, { tags: ["小明", "火锅"] }),
      item(2, { tags: ["聚餐", "周报"] }),
    ]);
    const found = await ask(index, "小明说晚上去吃火锅");
    expect(found.map(({ id }) => id)).toEqual([sampleId(0), sampleId(1)]);
    expect(found.map(({ parts }) => parts.hits)).toEqual([2, 1]);
  });

  test("[S3-20] order: hits, then the UTC day, then strength, then the moment, then id", async () => {
    const index = create();
    index.add([
      item(0, { tags: ["tea"], strength: 9 }, PUBLIC, SAMPLE_START + 23 * HOUR),
      item(1, { tags: ["tea"], strength: 1 }, PUBLIC, SAMPLE_START + DAY + HOUR),
      item(2, { tags: ["tea"], strength: 5 }, PUBLIC, SAMPLE_START + DAY),
      item(3, { tags: ["tea"], strength: 1 }, PUBLIC, SAMPLE_START + DAY + 2 * HOUR),
      item(4, { tags: ["tea", "time"], strength: 0 }, PUBLIC, SAMPLE_START - 100 * DAY),
      item(5, { tags: ["tea"], strength: 1 }, PUBLIC, SAMPLE_START + DAY + 2 * HOUR),
    ]);
    const equal = [3, 5].sort((a, b) => (sampleId(a) < sampleId(b) ? -1 : 1));
    expect(await order(index, "tea time")).toEqual([4, 2, ...equal, 1, 0]);
    const scores = (await ask(index, "tea time")).map(({ score }) => score);
    expect(scores).toEqual([2 + 1 / 2, 1 + 1 / 2, 1 + 1 / 3, 1 + 1 / 3, 1 + 1 / 5, 1 + 1 / 6]);
  });

  test("[S3-19] [S3-20] no tag in the text, no answer; a tag counts once however often it stands there", async () => {
    const index = create();
    index.add([item(0, { tags: ["tea"] })]);
    expect(await ask(index, "coffee")).toEqual([]);
    expect(await ask(index, "")).toEqual([]);
    expect((await ask(index, "tea tea steam"))[0]?.parts.hits).toBe(1);
  });

  test("[S3-22] [S3-23] scopes are kept strictly", async () => {
    const index = create();
    index.add([item(0, { tags: ["tea"] }), item(1, { tags: ["tea", "time"] }, alice)]);
    expect(await order(index, "tea time")).toEqual([0]);
    expect(await order(index, "tea time", [alice, PUBLIC])).toEqual([1, 0]);
  });

  test("[S3-14] [S3-15] an update rebinds the entry and only adds to the mirror", async () => {
    const index = create();
    index.add([item(0, { tags: ["tea", "milk"] })]);
    index.add([item(0, { tags: ["milk", "honey"] })]);
    expect(await ask(index, "tea")).toEqual([]);
    expect((await ask(index, "milk and honey"))[0]?.parts.hits).toBe(2);
    expect(index.stats()).toMatchObject({ items: 1, tags: 3 });
  });

  test("[S3-16] [S3-17] [S3-18] [C-32] orphan tags stay in the mirror without effect until it is loaded or rebuilt", async () => {
    const index = create();
    index.add([item(0, { tags: ["火锅", "小明"] }), item(1, { tags: ["小明"] })]);
    index.remove([sampleId(0)]);
    expect(index.stats()).toMatchObject({ items: 1, tags: 2 });
    expect(await order(index, "小明吃火锅")).toEqual([1]);
    const loaded = create();
    loaded.load(index.save());
    expect(loaded.stats()).toMatchObject({ items: 1, tags: 1 });
    expect(await order(loaded, "小明吃火锅")).toEqual([1]);
  });

  test("[S3-17] [C-32] tidying makes the mirror anew of the tags that are carried; answers stay the same", async () => {
    const index = create();
    index.add([item(0, { tags: ["火锅", "小明"] }), item(1, { tags: ["小明"] }), item(2, { tags: ["tea"] })]);
    index.remove([sampleId(0), sampleId(2)]);
    const before = await ask(index, "小明吃火锅, tea");
    index.tidy?.();
    expect(index.stats()).toMatchObject({ items: 1, tags: 1 });
    expect(await ask(index, "小明吃火锅, tea")).toEqual(before);
    index.add([item(3, { tags: ["火锅"] })]);
    expect(await order(index, "火锅")).toEqual([3]);
  });

  test("[S3-30] who asks can hear how many match in its scopes, beyond the limit", async () => {
    const index = create();
    index.add([...[0, 1, 2].map((n) => item(n, { tags: ["茶"] })), item(3, { tags: ["茶"] }, alice)]);
    const counts: number[] = [];
    const heard = { onMatch: (count: number) => counts.push(count) };
    await index.query({ text: "喝茶", scopes: [PUBLIC], limit: 1, ...heard });
    await index.query({ text: "喝茶", scopes: [alice, PUBLIC], limit: 1, ...heard });
    expect(counts).toEqual([3, 4]);
  });

  test("[S3-13] [S3-20] the mirror finds what testing every tag finds", () => {
    const letters = fc.string({
      unit: fc.constantFrom("a", "b", "火", "锅", "😀"),
      minLength: 1,
      maxLength: 7,
    });
    fc.assert(
      fc.property(
        fc.array(letters),
        fc.string({ unit: fc.constantFrom("a", "b", "火", "锅", "😀") }),
        (tags, text) => {
          const mirror = new TagMirror<{ readonly tag: string }>();
          for (const tag of new Set(tags)) mirror.set(tag, { tag });
          const naive = [...new Set(tags)].filter((tag) => text.includes(tag));
          expect(
            mirror
              .scan(text)
              .map(({ tag }) => tag)
              .sort(),
          ).toEqual(naive.sort());
        },
      ),
    );
  });

  test("letter case counts unless the index is told otherwise", async () => {
    const entries = [item(0, { tags: ["Tea", "tea"] }), item(1, { tags: ["TEA"] })];
    const strict = create();
    strict.add(entries);
    expect(await order(strict, "some Tea")).toEqual([0]);
    const loose = create({ case_sensitive: false });
    loose.add(entries);
    expect((await ask(loose, "some tEA")).map(({ parts }) => parts.hits)).toEqual([1, 1]);
    expect(() => loose.load(strict.save())).toThrow(expect.objectContaining({ code: "storage_corrupt" }));
  });

  test("a query without a text is refused", () => {
    const refused = expect.objectContaining({ code: "input_invalid" });
    expect(() => create().query({ scopes: [PUBLIC], limit: 1 })).toThrow(refused);
    expect(() => create().query({ scopes: [PUBLIC], limit: 1, text: "a", params: { fuzzy: true } })).toThrow(
      refused,
    );
  });
});
