/**
 * Small, repeatable things to test with: the n-th id, the n-th entry, a scope, a text, a vector. The same arguments
 * always give the same value, so a failing case can be run again from its seed.
 */
import { createHash } from "node:crypto";
import { type Entry, type EntryFields, makeEntry } from "../base/entry.ts";
import { MemoryError } from "../base/errors.ts";
import { type EntryId, parseEntryId } from "../base/ids.ts";
import { gaussian, type Random } from "../base/random.ts";
import { PUBLIC, parseScope, type Scope } from "../base/scope.ts";

/** 2025-01-01T00:00:00Z; the n-th sample is n minutes later. */
export const SAMPLE_START = Date.UTC(2025, 0, 1);

export const SAMPLE_SCOPES: readonly Scope[] = [PUBLIC, ...["alice", "bob", "王芳"].map(parseScope)];

/** Few and repeated words, so that arbitrary texts share some and differ in others. */
export const SAMPLE_WORDS: readonly string[] = [
  ..."coffee tea garden river train ticket doctor birthday Berlin Melanie violin runs blue seven".split(" "),
  ..."咖啡 喝茶 花园 火车票 医生 生日 北京 小提琴 跑步 周末".split(" "),
];

/** Unique for every n from 0 to 2³²−1, and in no order that follows n: slot order must not pass for id order. */
export function sampleId(n: number): EntryId {
  const scattered = (Math.imul(n, 0x9e3779b1) >>> 0).toString(16).padStart(8, "0");
  return parseEntryId(`${scattered}-0000-7000-8000-${n.toString(16).padStart(12, "0")}`);
}

export function sampleEntry(n: number, fields: EntryFields = {}, scope: Scope = PUBLIC): Entry {
  const content = fields.content ?? `note ${n} 第${n}条笔记`;
  const contentHash = createHash("sha256").update(content).digest("hex");
  const now = SAMPLE_START + n * 60_000;
  return makeEntry(
    { ...fields, content },
    { id: sampleId(n), collection: "sample", scope, now, contentHash },
  );
}

export function sampleScope(random: Random): Scope {
  return sampleOf(SAMPLE_SCOPES, random);
}

/** One to `most` sample words, English and Chinese mixed. */
export function sampleText(random: Random, most = 8): string {
  const count = 1 + Math.floor(random.next() * most);
  return Array.from({ length: count }, () => sampleOf(SAMPLE_WORDS, random)).join(" ");
}

/** A vector of length one in a random direction. */
export function sampleVector(dimension: number, random: Random): Float32Array {
  const values = Float32Array.from({ length: dimension }, () => gaussian(random));
  const norm = Math.hypot(...values);
  return values.map((value) => value / norm);
}

export function sampleOf<T>(choices: readonly T[], random: Random): T {
  const chosen = choices[Math.floor(random.next() * choices.length)];
  if (chosen === undefined)
    throw new MemoryError("input_invalid", "Nothing to choose from. Valid: a list of at least one.");
  return chosen;
}
