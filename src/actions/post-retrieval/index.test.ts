import { expect, test } from "vitest";
import { POST_RETRIEVAL } from "./index.ts";

test("[C-24][C-25] every short name stands for a sub-type that there is, and for one thing only", () => {
  const names = POST_RETRIEVAL.flatMap(({ name, shorthands = {} }) => [name, ...Object.keys(shorthands)]);
  expect(names).toEqual([...new Set(names)]);
  expect(names).toEqual(expect.arrayContaining(["ppr", "weighted", "summarize", "multi_tier", "temporal"]));
  for (const { options, subtype, shorthands = {} } of POST_RETRIEVAL) {
    for (const values of Object.values(shorthands)) {
      const wrong = options.safeParse(values).error?.issues.map(({ path }) => path[0]) ?? [];
      expect(Object.keys(values)).toEqual([subtype]);
      expect(wrong).not.toContain(subtype);
    }
  }
  const aliases = POST_RETRIEVAL.flatMap((action) => Object.entries(action.aliases ?? {}));
  expect(aliases).toEqual([
    ["merge_type", "merge_strategy"],
    ["compress_strategy", "compress_type"],
  ]);
});
