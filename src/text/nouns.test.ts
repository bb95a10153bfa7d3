import { expect, test } from "vitest";
import { findNouns } from "./nouns.ts";

test("English nouns come in the singular, each once, in the order they are said", async () => {
  expect(await findNouns("Her children love dogs and mice. The child has a dog.", 10)).toEqual([
    "child",
    "dog",
    "mouse",
  ]);
  expect(await findNouns("We watched movies in Paris about physics.", 10)).toEqual([
    "movie",
    "paris",
    "physics",
  ]);
});

test("Chinese content words stand beside them, and there are never more than asked for", async () => {
  const nouns = await findNouns("我喜欢钢琴和吉他，也喜欢 cats。", 10);
  expect(nouns).toEqual(expect.arrayContaining(["钢琴", "吉他", "cat"]));
  expect(await findNouns("我喜欢钢琴和吉他，也喜欢 cats。", 2)).toHaveLength(2);
});
