import { expect, test } from "vitest";
import { nameWords, saysName } from "./name-words.ts";

test("an English text is known by the words of its names, each once, and not by the first word of a sentence", () => {
  expect(
    nameWords("Published by the American Psychological Association. Critics like the Association too.", []),
  ).toEqual(["American", "Psychological", "Association"]);
  expect(nameWords("It rained on Monday in May, so we stayed in.", [])).toEqual([]);
  expect(nameWords("We saw it with my brother.", [])).toEqual([]);
});

test("a Chinese text is known by its names as wholes", () => {
  expect(nameWords("王老师在北京大学教书，她写了《春天的歌》。", [])).toEqual(
    expect.arrayContaining(["王老师", "北京大学", "春天的歌"]),
  );
  expect(nameWords("今天下雨，我们没有出门。", [])).toEqual([]);
});

test("who talks is no name that leads anywhere", () => {
  expect(nameWords("Then Mia Lang met Ann in Rome.", ["Mia Lang", "Ann"])).toEqual(["Rome"]);
  expect(nameWords("后来王老师去了上海。", ["王老师"])).toEqual(["上海"]);
});

test("a Latin name is held as a whole word, a Han name anywhere, each as it is written", () => {
  expect(saysName("Annette met Ann.", "Ann")).toBe(true);
  expect(saysName("Annette and Joann met.", "Ann")).toBe(false);
  expect(saysName("It will be fun.", "Will")).toBe(false);
  expect(saysName("他住在上海市区", "上海")).toBe(true);
  expect(saysName("我用Rust写的", "Rust")).toBe(true);
});
