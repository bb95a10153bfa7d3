/**
 * The cases the index laws are tried on: arbitrary histories of one index, the questions asked of it, and what it means
 * that two answers are the same.
 */
import fc from "fast-check";
import { expect } from "vitest";
import type { EntryId } from "../base/ids.ts";
import { type Random, seededRandom } from "../base/random.ts";
import { PUBLIC, parseScope, type Scope } from "../base/scope.ts";
import type { Candidate, Index, IndexItem, IndexQuery } from "../indexes/index-contract.ts";
import { SAMPLE_SCOPES } from "./sample.ts";

export interface IndexCases {
  /** A fresh, empty index. Kinds that rescore hand `world` on as `deps.fetchVectors`. */
  create(world: IndexWorld): Index;
  /** An arbitrary item the kind can hold; the id depends on n only, all else on `random` too. n < `ITEM_COUNT`. */
  item(n: number, random: Random): IndexItem;
  /** An arbitrary question; the suite adds scopes, limit and allowed ids. */
  query(random: Random): Pick<IndexQuery, "text" | "vector" | "params">;
}

/** What the index may ask of its surroundings: the truth, kept in step with the items added to it. */
export interface IndexWorld {
  vectorOf(id: EntryId): Float32Array | undefined;
}

/** Items are numbered from 0 up to, not including, this. */
export const ITEM_COUNT = 40;

export interface Draw {
  readonly n: number;
  readonly seed: number;
}

export type Step = { readonly add: readonly Draw[] } | { readonly remove: readonly number[] };

const number = fc.nat(ITEM_COUNT - 1);
export const numbers = fc.array(number, { maxLength: ITEM_COUNT });
export const seeds = fc.nat(1_000_000);
export const picks: fc.Arbitrary<Draw[]> = fc.array(fc.record({ n: number, seed: fc.nat(1000) }), {
  minLength: 1,
  maxLength: 10,
});
export const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ add: picks }) },
    { weight: 1, arbitrary: fc.record({ remove: fc.array(number, { maxLength: 12 }) }) },
  ),
  { maxLength: 10 },
);

/** A scope no item is in. */
export const NOBODY: Scope = parseScope("nobody");

/** An index and the truth beside it: the items it should hold, and their vectors. */
export interface Held {
  readonly index: Index;
  readonly world: IndexWorld;
  /** What is left after all changes, in order of id. */
  items(): readonly IndexItem[];
  add(items: readonly IndexItem[], also?: Index): void;
  /** Applies the steps to the truth, the index and, if given, a second index over the same truth. */
  change(steps: readonly Step[], also?: Index): void;
}

export function apply(cases: IndexCases, given: readonly Step[]): Held {
  const truth = new Map<EntryId, IndexItem>();
  const world: IndexWorld = { vectorOf: (id) => truth.get(id)?.vector };
  const index = cases.create(world);
  const add = (items: readonly IndexItem[], also?: Index): void => {
    for (const item of items) truth.set(item.id, item);
    index.add(items);
    also?.add(items);
  };
  const remove = (ids: readonly EntryId[], also?: Index): void => {
    for (const id of ids) truth.delete(id);
    index.remove(ids);
    also?.remove(ids);
  };
  const change = (changes: readonly Step[], also?: Index): void => {
    for (const step of changes) {
      if ("add" in step) {
        add(
          step.add.map(({ n, seed }) => cases.item(n, seededRandom(seed))),
          also,
        );
      } else {
        remove(
          step.remove.map((n) => idOf(cases, n)),
          also,
        );
      }
    }
  };
  change(given);
  return { index, world, items: () => [...truth.values()].sort(byId), add, change };
}

/** An index made from scratch in one batch. */
export function build(cases: IndexCases, items: readonly IndexItem[]): Index {
  const held = apply(cases, []);
  held.add(items);
  return held.index;
}

export function idOf(cases: IndexCases, n: number): EntryId {
  return cases.item(n, seededRandom(0)).id;
}

/** The same item in another scope. */
export function moved(item: IndexItem, by: number): IndexItem {
  const at = SAMPLE_SCOPES.indexOf(item.scope) + by;
  const scope = SAMPLE_SCOPES[at % SAMPLE_SCOPES.length] ?? PUBLIC;
  return { ...item, scope, entry: item.entry && { ...item.entry, scope } };
}

/** The same item under another id: whatever is asked, nothing but the id can tell the two apart. */
export function twin(item: IndexItem, id: EntryId): IndexItem {
  return {
    ...item,
    id,
    entry: item.entry && { ...item.entry, id },
    edges: item.edges?.map((edge) => ({ ...edge, from: id })),
  };
}

/** One arbitrary question for each kind of reader, with a limit beyond all items. */
export function questions(cases: IndexCases, seed: number): readonly IndexQuery[] {
  const own = SAMPLE_SCOPES.filter((scope) => scope !== PUBLIC);
  const readers = [
    [PUBLIC],
    ...own.map((scope) => [scope, PUBLIC]),
    own.slice(0, 1),
    SAMPLE_SCOPES,
    [NOBODY],
  ];
  const random = seededRandom(seed);
  return readers.map((scopes) => ({ ...cases.query(random), scopes, limit: ITEM_COUNT + 5 }));
}

export async function expectSameAnswers(cases: IndexCases, a: Index, b: Index, seed: number): Promise<void> {
  for (const query of questions(cases, seed)) {
    expectSame(await a.query(query), await b.query(query));
    expectSame(await a.query({ ...query, limit: 3 }), await b.query({ ...query, limit: 3 }));
  }
}

/**
 * The same ids with the same scores. Sums taken in another order differ in the last digits, so scores may differ by
 * 1e-9 of their size, and two ids whose scores differ by no more than that may change places, at the cut too.
 */
export function expectSame(actual: readonly Candidate[], expected: readonly Candidate[]): void {
  const scores = new Map(expected.map(({ id, score }) => [id, score]));
  const last = expected.at(-1)?.score ?? 0;
  const same =
    actual.length === expected.length &&
    actual.every(
      ({ id, score }, rank) =>
        close(score, expected[rank]?.score ?? Number.NaN) && close(score, scores.get(id) ?? last),
    );
  if (!same) expect(actual.map(show)).toEqual(expected.map(show));
}

export function show({ id, score }: Candidate): string {
  return `${id} ${score}`;
}

export function shuffled<T>(list: readonly T[], seed: number): T[] {
  const random = seededRandom(seed);
  return list
    .map((value) => ({ value, key: random.next() }))
    .sort((a, b) => a.key - b.key)
    .map(({ value }) => value);
}

function byId(a: IndexItem, b: IndexItem): number {
  return a.id < b.id ? -1 : 1;
}

function close(a: number, b: number): boolean {
  return Math.abs(a - b) <= Math.max(1e-12, 1e-9 * Math.max(Math.abs(a), Math.abs(b)));
}
