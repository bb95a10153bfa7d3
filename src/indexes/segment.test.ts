import { describe, expect, test } from "vitest";
import type { EntryFields } from "../base/entry.ts";
import type { JsonObject } from "../base/json.ts";
import { PUBLIC, parseScope, type Scope } from "../base/scope.ts";
import { testIndex } from "../testing/index-suite.ts";
import { SAMPLE_START, sampleEntry, sampleId, sampleOf, sampleScope } from "../testing/sample.ts";
import type { Candidate, Index, IndexDeps, IndexItem } from "./index-contract.ts";
import { segmentIndex } from "./segment.ts";

const deps: IndexDeps = { tokenize: () => [], tokenizerId: "none", fetchVectors: () => [] };
const alice = parseScope("alice");
const MINUTE = 60_000;
const TOPICS = ["茶", "travel", "work"];

function create(given: object): Index {
  return segmentIndex.create(segmentIndex.options.parse(given), deps);
}

const byTime = (): Index => create({ by: "time", gap_seconds: 600 });
const byTopic = (): Index => create({ by: "field", field: "metadata.topic" });

/** The n-th entry, `minute` minutes after the start. */
function item(n: number, minute: number, fields: EntryFields = {}, scope: Scope = PUBLIC): IndexItem {
  const happenedAt = SAMPLE_START + minute * MINUTE;
  return { id: sampleId(n), scope, position: n, entry: sampleEntry(n, { ...fields, happenedAt }, scope) };
}

async function ask(
  index: Index,
  params: JsonObject = {},
  scopes: readonly Scope[] = [PUBLIC],
): Promise<Candidate[]> {
  return index.query({ scopes, limit: 100, params });
}

async function order(index: Index, params?: JsonObject, scopes?: readonly Scope[]): Promise<number[]> {
  const numbers = new Map(Array.from({ length: 20 }, (_, n) => [sampleId(n), n]));
  return (await ask(index, params, scopes)).map(({ id }) => numbers.get(id) ?? -1);
}

testIndex({
  name: "segment by time",
  create: byTime,
  item: (n, random) => item(n, Math.floor(random.next() * 20) * 4, {}, sampleScope(random)),
  query: (random) => {
    const moment = SAMPLE_START + Math.floor(random.next() * 80) * MINUTE;
    return { params: sampleOf([{}, { list: true }, { at: moment }, { segment: String(moment) }], random) };
  },
});

testIndex({
  name: "segment by field",
  create: byTopic,
  item: (n, random) => {
    const topic = sampleOf([...TOPICS, null], random);
    return item(n, Math.floor(random.next() * 9), { metadata: { topic } }, sampleScope(random));
  },
  query: (random) => {
    const at = SAMPLE_START + Math.floor(random.next() * 9) * MINUTE;
    return { params: sampleOf([{}, { list: true }, { at }, { segment: sampleOf(TOPICS, random) }], random) };
  },
});

describe("segment", () => {
  test("a pause longer than the gap starts a new segment, one as long does not", async () => {
    const index = byTime();
    index.add([item(0, 0), item(1, 10), item(2, 20), item(3, 31), item(4, 90)]);
    const starts = (await ask(index, { list: true })).map(({ parts }) => parts);
    const at = (minute: number): number => SAMPLE_START + minute * MINUTE;
    expect(starts).toEqual([
      { start: at(90), end: at(90), size: 1 },
      { start: at(31), end: at(31), size: 1 },
      { start: at(0), end: at(20), size: 3 },
    ]);
    expect(await order(index, { list: true })).toEqual([4, 3, 0]);
    expect(await order(index, { segment: String(at(0)) })).toEqual([0, 1, 2]);
    expect(await order(index, { segment: String(at(10)) })).toEqual([]);
  });

  test("a late arrival between two segments makes them one, its removal parts them again", async () => {
    const index = byTime();
    index.add([item(0, 0), item(1, 15)]);
    expect(await order(index)).toEqual([1]);
    index.add([item(2, 8)]);
    expect(await order(index)).toEqual([0, 2, 1]);
    index.remove([sampleId(2)]);
    expect(await order(index)).toEqual([1]);
  });

  test("a moment finds the segment around it, or else the nearest", async () => {
    const index = byTime();
    index.add([item(0, 0), item(1, 8), item(2, 60)]);
    const near = (minute: number): Promise<number[]> => order(index, { at: SAMPLE_START + minute * MINUTE });
    expect(await near(4)).toEqual([0, 1]);
    expect(await near(20)).toEqual([0, 1]);
    expect(await near(50)).toEqual([2]);
    expect(await near(-999)).toEqual([0, 1]);
  });

  test("entries that share a value are a segment, in the order they happened; others are in none", async () => {
    const index = byTopic();
    index.add([
      item(0, 5, { metadata: { topic: "茶" } }),
      item(1, 3, { metadata: { topic: "travel" } }),
      item(2, 1, { metadata: { topic: "茶" } }),
      item(3, 9),
    ]);
    expect(index.stats().items).toBe(4);
    expect(await order(index, { segment: "茶" })).toEqual([2, 0]);
    expect(await order(index)).toEqual([2, 0]);
    expect(await order(index, { list: true })).toEqual([2, 1]);
  });

  test("every scope has segments of its own; a key joins those the caller sees", async () => {
    const index = byTopic();
    index.add([
      item(0, 1, { metadata: { topic: "work" } }),
      item(1, 0, { metadata: { topic: "work" } }, alice),
    ]);
    expect(await order(index, { segment: "work" })).toEqual([0]);
    expect(await order(index, { segment: "work" }, [alice, PUBLIC])).toEqual([1, 0]);
    expect((await ask(index, { list: true }, [alice, PUBLIC])).map(({ parts }) => parts.size)).toEqual([
      1, 1,
    ]);
  });

  test("two ways to choose at once, a text, or options that do not fit are refused", async () => {
    const index = byTime();
    const refused = expect.objectContaining({ code: "input_invalid" });
    expect(() => index.query({ scopes: [PUBLIC], limit: 1, text: "tea" })).toThrow(refused);
    await expect(ask(index, { at: 1, list: true })).rejects.toThrow(refused);
    for (const wrong of [
      { by: "time" },
      { by: "field" },
      { by: "time", gap_seconds: 5, field: "kind" },
      { by: "mood" },
    ]) {
      expect(segmentIndex.options.safeParse(wrong).success).toBe(false);
    }
    expect(() => byTopic().load(index.save())).toThrow(expect.objectContaining({ code: "storage_corrupt" }));
  });
});
