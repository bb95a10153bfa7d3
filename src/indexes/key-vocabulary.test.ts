import { expect, test } from "vitest";
import { Vocabulary } from "./key-vocabulary.ts";

test("traditional and simplified characters are one key: added, removed, the same, similar, in a text", () => {
  const keys = new Vocabulary();
  keys.add("咖啡館", 1);
  keys.add("咖啡馆", 2);
  keys.add("圖書館", 3);
  for (const asked of ["咖啡館", "咖啡馆"]) {
    expect([...keys.like(asked, 1)]).toEqual([
      [1, 1],
      [2, 1],
    ]);
    expect([...keys.like(asked, 0.9)]).toEqual([...keys.like(asked, 1)]);
    expect(keys.standingIn(`${asked}在哪儿`).map((found) => [...found.keys()])).toEqual([[1, 2]]);
  }
  keys.remove("咖啡馆", 1);
  expect([...keys.like("咖啡館", 1).keys()]).toEqual([2]);
  keys.remove("咖啡館", 2);
  expect(keys.standingIn("咖啡馆").length).toBe(0);
});
