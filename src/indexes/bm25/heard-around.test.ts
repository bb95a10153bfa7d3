import { describe, expect, test } from "vitest";
import { type EntryId, parseEntryId } from "../../base/ids.ts";
import { type Random, seededRandom } from "../../base/random.ts";
import { PUBLIC, parseScope, type Scope } from "../../base/scope.ts";
import { testIndex } from "../../testing/index-suite.ts";
import { sampleEntry, sampleId, sampleOf, sampleScope, sampleText } from "../../testing/sample.ts";
import { TOKENIZER_ID, tokenize } from "../../text/tokenize.ts";
import type { Candidate, Index, IndexDeps, IndexItem } from "../index-contract.ts";
import { textBm25Index } from "../text-bm25.ts";

const bySpaces = (text: string): string[] => text.split(/\s+/).filter((word) => word !== "");
const deps: IndexDeps = { tokenize: bySpaces, tokenizerId: "spaces", fetchVectors: () => [] };
const alice = parseScope("alice");
const bob = parseScope("bob");
const AROUND = [0.5, 0.25];

function create(given: object = {}, surroundings: IndexDeps = deps): Index {
  return textBm25Index.create(textBm25Index.options.parse({ around: AROUND, ...given }), surroundings);
}

interface Said {
  readonly id: EntryId;
  readonly scope: Scope;
  readonly session: string | undefined;
  readonly text: string;
}

/** The n-th id in rising order, unlike those of the samples. */
function risingId(n: number): EntryId {
  return parseEntryId(`00000000-0000-7000-8000-${n.toString(16).padStart(12, "0")}`);
}

function said(n: number, text: string, session: string | undefined = "s", scope: Scope = PUBLIC): Said {
  return { id: risingId(n), scope, session, text };
}

function itemOf({ id, scope, session, text }: Said, happenedAt = 0): IndexItem {
  const metadata = session === undefined ? {} : { session };
  const entry = { ...sampleEntry(0, { content: text, metadata, happenedAt }, scope), id };
  return { id, scope, position: 0, entry };
}

async function ask(index: Index, text: string, scopes: readonly Scope[] = [PUBLIC]): Promise<Candidate[]> {
  return index.query({ text, scopes, limit: 10_000 });
}

async function scoresOf(index: Index, text: string, scopes?: readonly Scope[]): Promise<Map<string, number>> {
  return new Map((await ask(index, text, scopes)).map(({ id, score }) => [id, score]));
}

/** The slow way: every text is written out with what is heard around it, for every query again. */
function slowly(
  all: readonly Said[],
  query: string,
  scopes: readonly Scope[],
  around: readonly number[],
): Candidate[] {
  const visible = all.filter(({ scope }) => scopes.includes(scope));
  const written = visible.map((one) => {
    const together = visible
      .filter(({ scope, session }) => scope === one.scope && session === one.session)
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    const at = together.findIndex(({ id }) => id === one.id);
    const counts = new Map<string, number>();
    const write = (other: Said | undefined, share: number): void => {
      for (const word of bySpaces(other?.text ?? "")) counts.set(word, (counts.get(word) ?? 0) + share);
    };
    write(one, 1);
    for (const [i, share] of around.entries()) {
      if (one.session === undefined) continue;
      write(together[at - i - 1], share);
      write(together[at + i + 1], share);
    }
    return { id: one.id, counts, length: [...counts.values()].reduce((sum, count) => sum + count, 0) };
  });
  const words = visible.reduce((sum, { text }) => sum + bySpaces(text).length, 0);
  const average = (words / visible.length) * (1 + 2 * around.reduce((sum, share) => sum + share, 0));
  const found = written.map(({ id, counts, length }) => {
    const parts: Record<string, number> = {};
    for (const word of bySpaces(query)) {
      const times = counts.get(word);
      if (times === undefined) continue;
      const df = written.filter((other) => other.counts.has(word)).length;
      const idf = Math.log(1 + (written.length - df + 0.5) / (df + 0.5));
      const share = (idf * times * 2.2) / (times + 1.2 * (0.25 + (0.75 * length) / average));
      parts[`term:${word}`] = (parts[`term:${word}`] ?? 0) + share;
    }
    return { id, parts, score: Object.values(parts).reduce((sum, part) => sum + part, 0) };
  });
  return found.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}

/** Lengths are kept in single precision, so scores agree to seven digits. */
function expectAsSlowly(actual: readonly Candidate[], expected: readonly Candidate[]): void {
  const byId = new Map(expected.map((candidate) => [candidate.id, candidate]));
  expect(actual.length).toBe(expected.length);
  for (const [rank, { id, score, parts }] of actual.entries()) {
    const same = byId.get(id);
    expect(score).toBeCloseTo(same?.score ?? Number.NaN, 6);
    expect(score).toBeCloseTo(expected[rank]?.score ?? Number.NaN, 6);
    expect(Object.keys(parts).sort()).toEqual(Object.keys(same?.parts ?? {}).sort());
    for (const [name, part] of Object.entries(parts)) {
      expect(part).toBeCloseTo(same?.parts[name] ?? Number.NaN, 6);
    }
    expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(score, 12);
  }
}

for (const around of [AROUND, [0.3, 0.2, 0.1]]) {
  testIndex({
    name: `text_bm25 that hears ${around.join(" and ")} of what was said around, and dates`,
    create: () => create({ around, dates: true }),
    item: (n, random) => {
      const scope = sampleScope(random);
      const session = sampleOf(["monday", "周二", ""], random);
      const fields = { content: sampleText(random), happenedAt: Date.UTC(2025, n % 3, 1 + (n % 5)) };
      const metadata = session === "" ? {} : { session };
      return { id: sampleId(n), scope, position: n, entry: sampleEntry(n, { ...fields, metadata }, scope) };
    },
    query: (random) => ({
      text: `${sampleText(random, 3)} ${sampleOf(["March", "2月", "2025", ""], random)}`,
    }),
  });
}

describe("text_bm25 with what was said around", () => {
  test("a session of four turns, by hand", async () => {
    const index = create();
    index.add(["a b", "c", "a d d", "e"].map((text, n) => itemOf(said(n, text))));
    // Heard of "a", and words around: 2.5 times 7 words in 4 texts are 4.375 on average; all four texts hear "a".
    const byHand = [
      { heard: 1 + 0.25, words: 2 + 0.5 * 1 + 0.25 * 3 },
      { heard: 0.5 + 0.5, words: 1 + 0.5 * (2 + 3) + 0.25 * 1 },
      { heard: 1 + 0.25, words: 3 + 0.5 * (1 + 1) + 0.25 * 2 },
      { heard: 0.5, words: 1 + 0.5 * 3 + 0.25 * 1 },
    ];
    const scores = await scoresOf(index, "a");
    expect(scores.size).toBe(4);
    for (const [n, { heard, words }] of byHand.entries()) {
      const score = (Math.log(1 + 0.5 / 4.5) * 2.2 * heard) / (heard + 1.2 * (0.25 + (0.75 * words) / 4.375));
      expect(scores.get(risingId(n))).toBeCloseTo(score, 12);
    }
    // "e" is not heard three turns before.
    expect([...(await scoresOf(index, "e")).keys()].sort()).toEqual([1, 2, 3].map(risingId));
  });

  test("a reply answers by the question before it, in English and Chinese", async () => {
    const index = create({}, { ...deps, tokenize, tokenizerId: TOKENIZER_ID });
    const turns = [
      "Did you ever go surfing?",
      "Yes, twice!",
      "And you?",
      "Not me.",
      "你吃过火锅吗?",
      "吃过两次!",
    ];
    index.add(turns.map((text, n) => itemOf(said(n, text))));
    const ids = async (text: string): Promise<string[]> => (await ask(index, text)).map(({ id }) => id);
    expect((await ids("surfing")).slice(0, 2)).toEqual([risingId(0), risingId(1)]);
    expect((await ids("火锅")).slice(0, 2)).toEqual([risingId(4), risingId(5)]);
  });

  test("nothing is heard across sessions or scopes, nor by a text without a session", async () => {
    const index = create();
    const all = [
      said(0, "tea", "monday"),
      said(1, "x", "tuesday"),
      said(2, "x", "monday", alice),
      said(3, "x", "monday"),
      { ...said(4, "tea"), session: undefined },
      { ...said(5, "x"), session: undefined },
    ];
    index.add(all.map((one) => itemOf(one)));
    const found = [...(await scoresOf(index, "tea", [PUBLIC, alice])).keys()].sort();
    expect(found).toEqual([0, 3, 4].map(risingId));
  });

  test("own and public texts together; what others said moves nothing", async () => {
    const mine = [said(0, "tea a", "s", alice), said(1, "b c d", "s", alice)];
    const everybodys = [said(2, "tea tea"), said(3, "b")];
    const others = [said(4, "tea", "s", bob), said(5, "tea b", "s", bob)];
    const index = create();
    index.add([...others, ...mine, ...everybodys].map((one) => itemOf(one)));
    const scopes = [alice, PUBLIC];
    const expected = slowly([...mine, ...everybodys], "tea b", scopes, AROUND);
    expectAsSlowly(await ask(index, "tea b", scopes), expected);
    expect(expected.length).toBe(4);
  });

  test("neighbours follow the order of ids, whatever comes, goes or is replaced in the middle", async () => {
    const index = create({ around: [0.5] });
    const holders = async (): Promise<string[]> => [...(await scoresOf(index, "tea")).keys()].sort();
    const [first, tea, second, last] = [said(0, "a"), said(2, "tea"), said(4, "b"), said(6, "c")];
    index.add([last, first, second, tea].map((one) => itemOf(one)));
    expect(await holders()).toEqual([first, tea, second].map(({ id }) => id));
    index.add([itemOf(said(3, "between"))]);
    expect(await holders()).toEqual([first.id, tea.id, risingId(3)]);
    index.remove([risingId(3), second.id]);
    expect(await holders()).toEqual([first, tea, last].map(({ id }) => id));
    index.add([itemOf({ ...tea, text: "coffee" }), itemOf({ ...last, text: "tea" })]);
    expect(await holders()).toEqual([tea.id, last.id]);
    index.add([itemOf({ ...tea, text: "coffee", session: "elsewhere" })]);
    expect(await holders()).toEqual([first.id, last.id]);
    const loaded = create({ around: [0.5] });
    loaded.load(index.save());
    expect(await ask(loaded, "tea")).toEqual(await ask(index, "tea"));
    loaded.add([itemOf(said(5, "new"))]);
    expect([...(await scoresOf(loaded, "tea")).keys()].sort()).toEqual([risingId(5), last.id]);
  });

  test.each([[AROUND], [[0.3, 0.17, 0.1, 0.07, 0.01]]])(
    "equals the slow way through thousands of changes and merges: %j",
    async (around) => {
      const random = seededRandom(29);
      const index = create({ around });
      const truth = new Map<EntryId, Said>();
      for (let round = 0; round < 4000; round++) {
        const one = arbitrary(Math.floor(random.next() * 400), random);
        if (random.next() < (round > 2500 ? 0.6 : 0.3)) {
          index.remove([one.id]);
          truth.delete(one.id);
        } else {
          index.add([itemOf(one)]);
          truth.set(one.id, one);
        }
        if (round % 500 !== 499) continue;
        const all = [...truth.values()];
        const rebuilt = create({ around });
        rebuilt.add(all.map((each) => itemOf(each)));
        // Saving merges, so it waits until merges have come by themselves.
        const loaded = create({ around });
        if (round > 2000) loaded.load(index.save());
        else loaded.load(rebuilt.save());
        for (const query of ["w0 w1 w30", "w5 w5 w39 w2 nowhere", "w20"]) {
          for (const scopes of [[PUBLIC], [alice, PUBLIC], [alice, bob, PUBLIC]]) {
            const found = await ask(index, query, scopes);
            expectAsSlowly(found, slowly(all, query, scopes, around));
            expect(await index.query({ text: query, scopes, limit: 7 })).toEqual(found.slice(0, 7));
            // Not a digit differs, however the index came about.
            expect(await ask(rebuilt, query, scopes)).toEqual(found);
            expect(await ask(loaded, query, scopes)).toEqual(found);
          }
        }
      }
    },
  );

  test("words that stand in thousands of texts: what is kept of them and whom they are read for changes nothing", async () => {
    const random = seededRandom(31);
    const index = create();
    const truth = new Map<EntryId, Said>();
    const put = (all: readonly Said[]): void => {
      index.add(all.map((one) => itemOf(one)));
      for (const one of all) truth.set(one.id, one);
    };
    const check = async (): Promise<void> => {
      const rebuilt = create();
      rebuilt.add([...truth.values()].map((one) => itemOf(one)));
      for (const query of ["the of rare7", "the the of often3 rare3 rare40", "of"]) {
        const all = await ask(rebuilt, query, [PUBLIC, alice]);
        expect(await ask(index, query, [PUBLIC, alice])).toEqual(all);
        const few = { text: query, scopes: [PUBLIC, alice], limit: 9 };
        expect(await index.query(few)).toEqual(all.slice(0, 9));
        const allow = new Set(all.filter((_, rank) => rank % 3 === 1).map(({ id }) => id));
        const allowed = await index.query({ ...few, allow });
        expect(allowed).toEqual(all.filter(({ id }) => allow.has(id)).slice(0, 9));
      }
    };
    put(Array.from({ length: 5000 }, (_, n) => crowded(10 * n, random)));
    await check();
    // At the end of a session, between two texts, and as a session of its own; one, some, and more than are looked at singly.
    for (const [round, count] of [1, 2, 30, 2000].entries()) {
      put(Array.from({ length: count }, (_, n) => crowded(100_000 * (round + 1) + 10 * n, random)));
      await check();
      put(Array.from({ length: count }, (_, n) => crowded(count + 10 * (n % 5000), random)));
      await check();
    }
    const gone = [...truth.keys()].filter((_, n) => n % 50 === 0);
    index.remove(gone);
    for (const id of gone) truth.delete(id);
    await check();
  });

  test("what comes after a snapshot, in the place of what was gone before it, scores as if there had been none", async () => {
    const items = ["tea", "x", "tea tea", "y"].map((text, n) => itemOf(said(n, text)));
    const index = create({ b: 1 });
    index.add(items);
    index.remove([risingId(1)]);
    const loaded = create({ b: 1 });
    loaded.load(index.save());
    const late = itemOf(said(9, "tea"));
    const rebuilt = create({ b: 1 });
    rebuilt.add([...items.filter(({ id }) => id !== risingId(1)), late]);
    loaded.add([late]);
    expect(await ask(loaded, "tea")).toEqual(await ask(rebuilt, "tea"));
  });

  test("words that nobody ever said leave nothing behind", async () => {
    const index = create();
    index.add([itemOf(said(0, "tea"))]);
    await ask(index, "tea nobody0");
    const before = index.stats().bytes;
    for (let n = 0; n < 1000; n++) await ask(index, `nobody${n} said${n}`);
    expect(index.stats().bytes).toBe(before);
  });

  test("a word that stands hundreds of times is heard as often", async () => {
    const index = create();
    const all = [said(0, "a ".repeat(300)), said(1, "b"), said(2, "a b")];
    index.add(all.map((one) => itemOf(one)));
    expectAsSlowly(await ask(index, "a"), slowly(all, "a", [PUBLIC], AROUND));
  });

  test("only what is allowed comes back, though others are heard", async () => {
    const index = create();
    index.add(["tea", "x", "y"].map((text, n) => itemOf(said(n, text))));
    const all = await ask(index, "tea");
    const allow = new Set([risingId(1)]);
    const found = await index.query({ text: "tea", scopes: [PUBLIC], limit: 5, allow });
    expect(found).toEqual(all.filter(({ id }) => id === risingId(1)));
    expect(found.length).toBe(1);
  });

  test("the day is among the words, in English and Chinese", async () => {
    const index = create({ around: [], dates: true }, { ...deps, tokenize, tokenizerId: TOKENIZER_ID });
    const days = [Date.UTC(2023, 4, 7), Date.UTC(2024, 9, 21, 23, 59), Date.UTC(1999, 11, 31)];
    index.add(days.map((day, n) => itemOf(said(n, "tea"), day)));
    const first = async (text: string): Promise<string | undefined> => (await ask(index, text))[0]?.id;
    expect(await first("What happened in May 2023?")).toBe(risingId(0));
    expect(await first("2024年10月21日")).toBe(risingId(1));
    expect(await first("on 31 December")).toBe(risingId(2));
    expect(index.needs.fields).toEqual(["content", "happenedAt"]);
  });

  test("bytes say what sessions, links and the room to work in take: little for each text", async () => {
    const index = create();
    const plain = create({ around: [] });
    const items = Array.from({ length: 4096 }, (_, n) => itemOf(said(n, "tea", `session ${n >> 4}`)));
    index.add(items);
    plain.add(items);
    const links = 3 * 4 * 4096;
    expect(index.stats().bytes - plain.stats().bytes).toBeGreaterThan(links);
    await ask(index, "tea");
    const perText = (index.stats().bytes - plain.stats().bytes) / items.length;
    expect(perText).toBeGreaterThan(3 * 4 + 4 + 2 * 8 + 2 * 4 + 2);
    expect(perText).toBeLessThan(64);
  });

  test("a snapshot is refused by an index of another hearing", () => {
    const index = create();
    index.add([itemOf(said(0, "tea"))]);
    const corrupt = expect.objectContaining({ code: "storage_corrupt" });
    expect(() => create({ around: [0.5] }).load(index.save())).toThrow(corrupt);
    expect(() => create({ around: [] }).load(index.save())).toThrow(corrupt);
    expect(() => create({ dates: true }).load(index.save())).toThrow(corrupt);
  });
});

function arbitrary(n: number, random: Random): Said {
  const word = (): string => `w${Math.floor(40 * random.next() ** 2)}`;
  const text = Array.from({ length: 1 + Math.floor(random.next() * 8) }, word).join(" ");
  const session = sampleOf(["a", "b", "c", "d", ""], random) || undefined;
  return { id: sampleId(n), scope: sampleOf([PUBLIC, alice, bob], random), session, text };
}

/** Two words that stand in half of all texts, ten that are common, and many that are not. */
function crowded(n: number, random: Random): Said {
  const words = [
    ...(random.next() < 0.5 ? ["the"] : []),
    ...(random.next() < 0.4 ? ["of"] : []),
    `often${Math.floor(10 * random.next())}`,
    `rare${Math.floor(500 * random.next())}`,
  ];
  const session = sampleOf(["a", "b", `own ${n}`], random);
  return said(n, words.join(" "), session, sampleOf([PUBLIC, PUBLIC, alice], random));
}
