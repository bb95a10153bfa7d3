import { expect, test } from "vitest";
import { createLru } from "./lru.ts";

test("keeps what was used last and makes the rest again", () => {
  const made: string[] = [];
  const lru = createLru<string, string>(2);
  const get = (key: string) =>
    lru.get(key, () => {
      made.push(key);
      return key.toUpperCase();
    });
  expect([get("a"), get("b"), get("a"), get("c"), get("a"), get("b")].join("")).toBe("ABACAB");
  expect(made).toEqual(["a", "b", "c", "b"]);
});
