import { expect, test } from "vitest";
import { nearestName, validNames } from "./nearest-name.ts";

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
