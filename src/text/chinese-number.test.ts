import { expect, test } from "vitest";
import { chineseNumber } from "./chinese-number.ts";

test.each([
  ["七", 7],
  ["十", 10],
  ["十二", 12],
  ["二十", 20],
  ["二十三", 23],
  ["两百", 200],
  ["一百零五", 105],
  ["三千二百", 3200],
  ["一万两千", 12_000],
  ["二〇二一", 2021],
  ["一九九八", 1998],
  ["廿一", 21],
  ["42", 42],
  ["3万", 30_000],
])("%s is %d", (text, value) => {
  expect(chineseNumber(text)).toBe(value);
});

test("what is no number is undefined", () => {
  expect(chineseNumber("好几")).toBeUndefined();
  expect(chineseNumber("")).toBeUndefined();
});
