import fc from "fast-check";
import { expect, test } from "vitest";
import { editDistance, nearestName, validNames } from "./nearest-name.ts";

const names = ["rerank_rrf", "rerank_mmr", "text_bm25", "graph", "标签"];

test("finds what was meant", () => {
  expect(nearestName("rerank_rff", names)).toBe("rerank_rrf");
  expect(nearestName("text_bm52", names)).toBe("text_bm25");
  expect(nearestName("grpah", names)).toBe("graph");
  expect(nearestName("标笺", names)).toBe("标签");
  expect(nearestName("graph", names)).toBe("graph");
});

test("does not guess when nothing is near", () => {
  expect(nearestName("elephant", names)).toBeUndefined();
  expect(nearestName("anything", [])).toBeUndefined();
  expect(nearestName("x".repeat(1_000_000), names)).toBeUndefined();
});

test("the sentence lists what is valid, and the likely one", () => {
  expect(validNames("grap", ["tag", "graph"])).toBe('Valid: graph, tag. Did you mean "graph"?');
  expect(validNames("elephant", ["tag", "graph"])).toBe("Valid: graph, tag.");
  expect(validNames("x", [])).toBe("There are none yet.");
});

test("the distance is that of the whole table, or one more than the most that counts", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "北", "京"), maxLength: 8 });
  fc.assert(
    fc.property(letters, letters, fc.nat(8), (a, b, most) => {
      const distance = wholeTable(a, b);
      expect(editDistance(a, b)).toBe(distance);
      expect(editDistance(a, b, most)).toBe(Math.min(distance, most + 1));
      expect(editDistance([...a], [...b])).toBe(distance);
    }),
  );
  expect(editDistance("kitten", "sitting")).toBe(3);
});

/** As the definition says, without any saving. */
function wholeTable(a: string, b: string): number {
  if (a === "" || b === "") return a.length + b.length;
  const [shortA, shortB] = [a.slice(1), b.slice(1)];
  if (a[0] === b[0]) return wholeTable(shortA, shortB);
  return 1 + Math.min(wholeTable(shortA, b), wholeTable(a, shortB), wholeTable(shortA, shortB));
}
