import fc from "fast-check";
import { expect, test } from "vitest";
import { BitFilter, docBits, WINDOW } from "./bit-filter.ts";

const docEnd = 2 * WINDOW;

test("passes exactly the documents whose words' bounds reach the threshold", () => {
  const words = fc.array(
    fc.record({
      bound: fc.integer({ min: 1, max: 9 }),
      docs: fc.uniqueArray(fc.oneof(fc.nat(40), fc.nat(docEnd - 1)), { maxLength: 30 }),
    }),
    { minLength: 1, maxLength: 7 },
  );
  const window = fc.nat(WINDOW / 32).map((steps) => 32 * steps);
  fc.assert(
    fc.property(words, fc.integer({ min: 1, max: 30 }), window, (given, threshold, first) => {
      const filter = new BitFilter();
      const bounds = given.map(({ bound }) => bound);
      expect(filter.aim([9, 9, 9], 10)).toBe(true);
      expect(filter.aim(bounds, threshold)).toBe(true);
      const bits = given.map(({ docs }) => docBits(runOf(docs), docEnd));
      const found = new Uint32Array(WINDOW);
      const count = filter.pass(bits, first, found);
      const naive: number[] = [];
      for (let doc = first; doc < first + WINDOW; doc++) {
        const sum = given.reduce((total, { bound, docs }) => total + (docs.includes(doc) ? bound : 0), 0);
        if (sum >= threshold) naive.push(doc);
      }
      expect([...found.subarray(0, count)]).toEqual(naive);
    }),
    { numRuns: 60 },
  );
});

test("says so when there are too many ways to reach the threshold", () => {
  const bounds = Array.from({ length: 24 }, (_, i) => 1 + 1 / (i + 2));
  expect(new BitFilter().aim(bounds, 15)).toBe(false);
});

test("says so at once for a question of hundreds of words", () => {
  const bounds = Array.from({ length: 400 }, (_, i) => 1 + 1 / (i + 2));
  for (const threshold of [2, 15, 200, 390]) expect(new BitFilter().aim(bounds, threshold)).toBe(false);
});

test("marks where a word stands and where it is repeated", () => {
  const bits = docBits({ ...runOf([0, 31, 33]), times: Uint8Array.of(1, 2, 255) }, 40);
  expect([...bits.present.subarray(0, 3)]).toEqual([1 | (1 << 31), 2, 0]);
  expect([...bits.repeated.subarray(0, 3)]).toEqual([1 << 31, 2, 0]);
});

function runOf(docs: readonly number[]) {
  const sorted = Uint32Array.from(docs).sort();
  return { docs: sorted, times: new Uint8Array(docs.length).fill(1), start: 0, end: docs.length };
}
