import { expect, test } from "vitest";
import { makeEdge, type NewEdge } from "./edge.ts";
import { MemoryError } from "./errors.ts";
import { createIds } from "./ids.ts";
import { PUBLIC } from "./scope.ts";

const ids = createIds();
const [from, to] = [ids.entry(), ids.entry()];

test("[C-35] an edge has two ends, a type, a weight, a direction, a time and what made it", () => {
  expect(makeEdge({ from, to, type: "semantic" }, PUBLIC, 7)).toEqual({
    ...{ from, to, type: "semantic", weight: 1, directed: true, scope: PUBLIC, provenance: "", createdAt: 7 },
  });
  const given = { from, to, type: "同义词", weight: 0.4, directed: false, provenance: "auto_link" };
  expect(makeEdge(given, PUBLIC, 7)).toEqual({ ...given, scope: PUBLIC, createdAt: 7 });
});

test.each([
  ["an end that is no id", { from: "here", to, type: "link" }],
  ["no type", { from, to }],
  ["an empty type", { from, to, type: "" }],
  ["a weight of 0", { from, to, type: "link", weight: 0 }],
  ["a negative weight", { from, to, type: "link", weight: -1 }],
  ["an infinite weight", { from, to, type: "link", weight: Number.POSITIVE_INFINITY }],
  ["an unknown field", { from, to, type: "link", colour: "red" }],
])("%s is refused", (_, edge) => {
  const make = () => makeEdge(edge as NewEdge, PUBLIC, 7);
  expect(make).toThrowError(MemoryError);
  expect(make).toThrowError(expect.objectContaining({ code: "input_invalid" }));
});
