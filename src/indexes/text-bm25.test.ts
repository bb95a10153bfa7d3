import { inflateRawSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { EntryFields } from "../base/entry.ts";
import type { EntryId } from "../base/ids.ts";
import { seededRandom } from "../base/random.ts";
import { PUBLIC, parseScope, type Scope } from "../base/scope.ts";
import { testIndex } from "../testing/index-suite.ts";
import { sampleEntry, sampleId, sampleOf, sampleScope, sampleText } from "../testing/sample.ts";
import { TOKENIZER_ID, tokenize } from "../text/tokenize.ts";
import type { Candidate, Index, IndexDeps, IndexItem } from "./index-contract.ts";
import { textBm25Index } from "./text-bm25.ts";

const bySpaces = (text: string): string[] => text.split(/\s+/).filter((word) => word !== "");
const deps: IndexDeps = { tokenize: bySpaces, tokenizerId: "spaces", fetchVectors: () => [] };
const alice = parseScope("alice");

function create(given: object = {}, around: IndexDeps = deps): Index {
  return textBm25Index.create(textBm25Index.options.parse(given), around);
}

function item(n: number, fields: EntryFields, scope: Scope = PUBLIC): IndexItem {
  return { id: sampleId(n), scope, position: n, entry: sampleEntry(n, fields, scope) };
}

async function ask(
  index: Index,
  text: string,
  scopes: readonly Scope[] = [PUBLIC],
  limit = 10,
): Promise<Candidate[]> {
  return index.query({ text, scopes, limit });
}

/** BM25 the slow way: every text is read again for every query. */
function textbook(texts: ReadonlyMap<EntryId, string>, query: string, limit: number): Candidate[] {
  const docs = [...texts].map(([id, text]) => ({ id, words: bySpaces(text) }));
  const average = docs.reduce((sum, { words }) => sum + words.length, 0) / docs.length;
  const terms = bySpaces(query).map((term) => {
    const df = docs.filter((doc) => doc.words.includes(term)).length;
    return { term, idf: Math.log(1 + (docs.length - df + 0.5) / (df + 0.5)) };
  });
  const found = docs.map(({ id, words }) => {
    const parts: Record<string, number> = {};
    for (const { term, idf } of terms) {
      const tf = words.filter((word) => word === term).length;
      if (tf === 0) continue;
      const share = (idf * tf * 2.2) / (tf + 1.2 * (0.25 + (0.75 * words.length) / average));
      parts[`term:${term}`] = (parts[`term:${term}`] ?? 0) + share;
    }
    return { id, parts, score: Object.values(parts).reduce((sum, part) => sum + part, 0) };
  });
  const matching = found.filter(({ score }) => score > 0);
  return matching.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, limit);
}

function expectTextbook(actual: readonly Candidate[], expected: readonly Candidate[]): void {
  expect(actual.length).toBe(expected.length);
  const byId = new Map(expected.map((candidate) => [candidate.id, candidate]));
  for (const [rank, { id, score, parts }] of actual.entries()) {
    expect(score).toBeCloseTo(expected[rank]?.score ?? Number.NaN, 9);
    expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(score, 9);
    const same = byId.get(id);
    if (same === undefined) continue;
    expect(Object.keys(parts).sort()).toEqual(Object.keys(same.parts).sort());
    for (const [name, part] of Object.entries(parts))
      expect(part).toBeCloseTo(same.parts[name] ?? Number.NaN, 9);
  }
}

testIndex({
  name: "text_bm25",
  create: () => create(),
  item: (n, random) => {
    const scope = sampleScope(random);
    return item(n, { content: sampleText(random) }, scope);
  },
  query: (random) => ({ text: sampleText(random, 4) }),
});

describe("text_bm25", () => {
  test("[S0-49] search_with_scores: the best texts first, the score in parts per word", async () => {
    const index = create();
    index.add([
      item(0, { content: "green tea in the garden" }),
      item(1, { content: "tea tea tea" }),
      item(2, { content: "coffee in Berlin" }),
    ]);
    const found = await ask(index, "garden tea");
    expect(found.map(({ id }) => id)).toEqual([sampleId(0), sampleId(1)]);
    expect(Object.keys(found[0]?.parts ?? {}).sort()).toEqual(["term:garden", "term:tea"]);
  });

  test("equals the textbook through thousands of additions, replacements, removals and merges", async () => {
    const random = seededRandom(11);
    const words = Array.from({ length: 300 }, (_, rank) => `w${rank}`);
    const common = (): string => words[Math.floor(words.length * random.next() ** 3)] ?? "w0";
    const index = create();
    const truth = new Map<EntryId, string>();
    for (let round = 0; round < 14_000; round++) {
      const n = Math.floor(random.next() * 900);
      if (random.next() < (round > 9000 ? 0.7 : 0.3)) {
        index.remove([sampleId(n)]);
        truth.delete(sampleId(n));
      } else {
        const content = Array.from({ length: 1 + Math.floor(random.next() * 20) }, common).join(" ");
        index.add([item(n, { content })]);
        truth.set(sampleId(n), content);
      }
      if (round % 1000 !== 999) continue;
      for (const query of [`${common()} ${common()} ${common()} w299`, "w0 w1 w2 w0", "w150 w0"]) {
        expectTextbook(await ask(index, query), textbook(truth, query, 10));
      }
    }
    expect(index.stats().items).toBe(truth.size);
  });

  test("a rare word beside common ones: skipping lists changes nothing", async () => {
    const random = seededRandom(5);
    const truth = new Map<EntryId, string>();
    const items = Array.from({ length: 9000 }, (_, n) => {
      const filler = Array.from({ length: 8 }, () => sampleOf(["the", "of", "a", "and", "so"], random));
      const content = [...filler, ...(n % 700 === 3 ? ["zebra"] : [])].join(" ");
      truth.set(sampleId(n), content);
      return item(n, { content });
    });
    const index = create();
    index.add(items);
    for (const limit of [1, 10, 300]) {
      expectTextbook(
        await ask(index, "the zebra and", [PUBLIC], limit),
        textbook(truth, "the zebra and", limit),
      );
    }
  });

  test("a word that stands hundreds of times in one text is counted exactly, also after save and load", async () => {
    const index = create();
    const texts = [`${"a ".repeat(300)}b`, `${"a ".repeat(700)}b`, "a b c"];
    index.add(texts.map((content, n) => item(n, { content })));
    const truth = new Map(texts.map((content, n) => [sampleId(n), content]));
    expectTextbook(await ask(index, "a"), textbook(truth, "a", 10));
    const loaded = create();
    loaded.load(index.save());
    expectTextbook(await ask(loaded, "a"), textbook(truth, "a", 10));
    loaded.remove([sampleId(1)]);
    truth.delete(sampleId(1));
    expectTextbook(await ask(loaded, "a"), textbook(truth, "a", 10));
  });

  test("another scope's texts do not move a score, own and public texts do", async () => {
    const texts = [item(0, { content: "tea time" }), item(1, { content: "train time" })];
    const alone = create();
    alone.add(texts);
    const beside = create();
    beside.add(texts);
    beside.add(Array.from({ length: 50 }, (_, n) => item(100 + n, { content: "tea tea tea" }, alice)));
    expect(await ask(beside, "tea")).toEqual(await ask(alone, "tea"));
    expect((await ask(beside, "tea", [alice, PUBLIC], 100)).length).toBe(51);
  });

  test("English and Chinese are searched through the tokeniser it is given", async () => {
    const index = create({}, { ...deps, tokenize, tokenizerId: TOKENIZER_ID });
    index.add([
      item(0, { content: "小明说晚上去吃火锅" }),
      item(1, { content: "她在北京学小提琴" }),
      item(2, { content: "Melanie runs by the river" }),
    ]);
    const first = async (text: string): Promise<string | undefined> => (await ask(index, text))[0]?.id;
    expect(await first("谁喜欢吃火锅?")).toBe(sampleId(0));
    expect(await first("小提琴")).toBe(sampleId(1));
    expect(await first("Who was running?")).toBe(sampleId(2));
  });

  test("with `dates` a text is found by its day, in English and in both ways Chinese writes a month", async () => {
    const words = { ...deps, tokenize, tokenizerId: TOKENIZER_ID };
    const days = [Date.UTC(2024, 3, 11), Date.UTC(2023, 11, 24), Date.UTC(2024, 1, 3)];
    const items = days.map((happenedAt, n) => item(n, { content: "tea 茶", happenedAt }));
    const [dated, plain] = [create({ dates: true }, words), create({}, words)];
    for (const index of [dated, plain]) index.add(items);
    const asked: [string, number][] = [
      ["What happened on 11 April?", 0],
      ["4月发生了什么？", 0],
      ["四月发生了什么？", 0],
      ["In December 2023?", 1],
      ["十二月发生了什么？", 1],
      ["二月发生了什么？", 2],
    ];
    for (const [question, place] of asked) {
      expect((await ask(dated, question))[0]?.id, question).toBe(sampleId(place));
      expect(await ask(plain, question)).toEqual([]);
    }
  });

  test("a text without words is a member that is never found", async () => {
    const index = create({ field: "metadata.note" });
    index.add([item(0, { metadata: { note: "" } }), item(1, {}), item(2, { metadata: { note: "tea" } })]);
    expect(index.stats().items).toBe(3);
    expect((await ask(index, "tea")).map(({ id }) => id)).toEqual([sampleId(2)]);
    expect(await ask(index, "")).toEqual([]);
  });

  test("any field may be searched, lists as their elements with spaces between", async () => {
    const tagged = create({ field: "tags" });
    tagged.add([item(0, { tags: ["火锅", "小明"] }), item(1, { tags: ["tea"] })]);
    expect((await ask(tagged, "小明")).map(({ id }) => id)).toEqual([sampleId(0)]);
    const deep = create({ field: "metadata.place.cities" });
    expect(deep.needs).toEqual({ fields: ["metadata.place.cities"] });
    deep.add([item(0, { metadata: { place: { cities: ["Berlin", "北京", 7] } } })]);
    expect((await ask(deep, "北京 7")).length).toBe(1);
  });

  test("a query without a text, or with options nobody knows, is refused", () => {
    const index = create();
    const refused = { code: "input_invalid" };
    expect(() => index.query({ scopes: [PUBLIC], limit: 1 })).toThrow(expect.objectContaining(refused));
    expect(() => index.query({ scopes: [PUBLIC], limit: 1, text: "a", params: { boost: 2 } })).toThrow(
      expect.objectContaining(refused),
    );
  });

  test("a snapshot from before there was a choice of `around` and `dates` is read", async () => {
    const earlier =
      "S8o1MmVgYGBgZGBgYGFmAlEMDAqVDsuvOZ5mY4ABX4dqpZL87NS8zKrUIiUrpeKCxOTUYiUdpbTM1JwUJSul5Py8ktS8EiUdpWxDJStDPSMdpSQlKwM9c9NaZrgpAg4gE9nhfAmHgtKknMxkJriIggOMhdDlABErAJMNIGJjpfk8GJ8RRa2GAyuUz4Rik45DelFqal5JauLz3ftf9GxD1sEIVY1qkgHcJYxIGOYPRkYmRoRaBQcmqF5kMQYMM5FdhCqOzAYA";
    const index = create();
    index.load(inflateRawSync(Buffer.from(earlier, "base64")));
    const truth = new Map(["green tea", "绿茶 tea tea"].map((text, n) => [sampleId(n), text]));
    expectTextbook(await ask(index, "tea 绿茶"), textbook(truth, "tea 绿茶", 10));
    expect(() => create({ dates: true }).load(index.save())).toThrow(
      expect.objectContaining({ code: "storage_corrupt" }),
    );
  });

  test("options are strict, and the snapshot of another tokeniser or other options is refused", () => {
    for (const wrong of [{ field: "contents" }, { k1: -1 }, { b: 1.5 }, { stemmer: "porter" }]) {
      expect(textBm25Index.options.safeParse(wrong).success).toBe(false);
    }
    const index = create();
    index.add([item(0, { content: "tea" })]);
    const bytes = index.save();
    const corrupt = expect.objectContaining({ code: "storage_corrupt" });
    expect(() => create({ b: 0.5 }).load(bytes)).toThrow(corrupt);
    expect(() => create({}, { ...deps, tokenizerId: "letters" }).load(bytes)).toThrow(corrupt);
  });
});
