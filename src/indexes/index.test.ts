import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createIndexOf, INDEX_KINDS, indexDefinition } from "./index.ts";
import type { IndexDeps } from "./index-contract.ts";

const deps: IndexDeps = { tokenize: () => [], tokenizerId: "none", fetchVectors: () => [] };

test("[S0-49] one factory makes every kind, each under its own name", () => {
  expect(Object.keys(INDEX_KINDS)).toEqual(Object.values(INDEX_KINDS).map(({ kind }) => kind));
  expect(createIndexOf("fifo", { capacity: 10 }, deps).kind).toBe("fifo");
  expect(createIndexOf("text_bm25", undefined, deps).needs).toEqual({ fields: ["content"] });
});

test("[S0-43] every kind belongs to one of the three families", () => {
  const families = Object.values(INDEX_KINDS).map(({ family }) => family);
  expect(new Set(families)).toEqual(new Set(["vector", "text", "graph"]));
});

test("every file that defines an index is registered", () => {
  const folder = new URL(".", import.meta.url);
  const defined = readdirSync(folder)
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && name !== "index-contract.ts")
    .flatMap((name) => /= defineIndex/.exec(readFileSync(new URL(name, folder), "utf8")) ?? []);
  expect(defined.length).toBe(Object.keys(INDEX_KINDS).length);
});

test("an unknown kind names the valid ones, wrong options say what is wrong", () => {
  expect(() => createIndexOf("text_bm52", {}, deps)).toThrow(
    expect.objectContaining({ code: "unknown_name", message: expect.stringContaining('"text_bm25"?') }),
  );
  expect(() => indexDefinition("toString")).toThrow(expect.objectContaining({ code: "unknown_name" }));
  expect(() => createIndexOf("fifo", { capacity: "ten" }, deps)).toThrow(
    expect.objectContaining({ code: "option_invalid", message: expect.stringContaining("capacity") }),
  );
});
