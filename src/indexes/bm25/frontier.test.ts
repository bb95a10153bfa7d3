import fc from "fast-check";
import { expect, test } from "vitest";
import { lengthNorm, wordShare } from "../../math/bm25.ts";
import { frontierOf, largestShare } from "./frontier.ts";
import { FULL } from "./posting-run.ts";

test("the frontier has the largest share of the whole list, whatever the average length", () => {
  const posting = fc.record({
    times: fc.integer({ min: 1, max: 300 }),
    length: fc.integer({ min: 1, max: 400 }),
  });
  const params = fc.record({
    k1: fc.double({ min: 0, max: 3, noNaN: true }),
    b: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(
      fc.array(posting, { minLength: 1 }),
      fc.integer({ min: 1, max: 500 }),
      params,
      (list, average, given) => {
        const run = {
          docs: Uint32Array.from(list.keys()),
          times: Uint8Array.from(list, ({ times }) => Math.min(times, FULL)),
          start: 0,
          end: list.length,
        };
        const lengths = Uint32Array.from(list, ({ length }) => length);
        const frontier = frontierOf(run, lengths, (doc) => list[doc]?.times ?? 0);
        const norm = lengthNorm(average, given);
        const shares = list.map(({ times, length }) =>
          wordShare(2, times, norm.constant + norm.perWord * length),
        );
        expect(largestShare(frontier, 2, norm)).toBe(Math.max(...shares));
      },
    ),
  );
});
