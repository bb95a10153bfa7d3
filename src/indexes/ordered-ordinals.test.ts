import fc from "fast-check";
import { expect, test } from "vitest";
import { firstPlace, OrderedOrdinals, takeFirst } from "./ordered-ordinals.ts";

test("any mix of additions, removals, changed keys and readings equals sorting what is left", () => {
  const change = fc.record({ ordinal: fc.nat(15), key: fc.nat(5), read: fc.boolean() });
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      const keys = new Map<number, number>();
      const compare = (a: number, b: number): number => (keys.get(a) ?? 0) - (keys.get(b) ?? 0) || a - b;
      const list = new OrderedOrdinals(compare);
      for (const { ordinal, key, read } of changes) {
        if (keys.has(ordinal)) {
          list.remove(ordinal);
          keys.delete(ordinal);
        }
        if (key > 0) {
          keys.set(ordinal, key);
          list.add(ordinal);
        }
        if (read) expect([...list.all()]).toEqual([...keys.keys()].sort(compare));
        expect(list.size).toBe(keys.size);
      }
      expect([...list.all()]).toEqual([...keys.keys()].sort(compare));
    }),
  );
});

test("the first place is where the test begins to pass", () => {
  const sorted = Uint32Array.of(1, 3, 3, 7);
  const placeOf = (least: number): number => firstPlace(sorted, (ordinal) => ordinal >= least);
  expect([0, 2, 3, 4, 8].map(placeOf)).toEqual([0, 1, 1, 3, 4]);
});

test("takes as many as asked and whatever ties with the last", () => {
  const sorted = Uint32Array.of(10, 11, 20, 21, 22, 30);
  const ties = (a: number, b: number): boolean => Math.floor(a / 10) === Math.floor(b / 10);
  const odd = (ordinal: number): boolean => ordinal % 2 === 1;
  expect(takeFirst({ sorted, backwards: false }, 3, () => true, ties)).toEqual([10, 11, 20, 21, 22]);
  expect(takeFirst({ sorted, backwards: true }, 1, () => true, ties)).toEqual([30]);
  expect(takeFirst({ sorted, backwards: false }, 2, odd, ties)).toEqual([11, 21]);
  expect(takeFirst({ sorted, backwards: false }, 0, () => true, ties)).toEqual([]);
});
