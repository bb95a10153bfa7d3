import { expect, test } from "vitest";
import { findTriples } from "./triples.ts";

async function told(text: string): Promise<string[]> {
  return (await findTriples(text)).map(
    ({ subject, relation, object }) => `${subject} | ${relation} | ${object}`,
  );
}

test.each([
  ["Mia loves her dog.", ["Mia | loves | her dog"]],
  ["Mia lives in Oslo with her sister.", ["Mia | lives in | Oslo", "Mia | lives with | her sister"]],
  ["Ben doesn't really like coffee.", ["Ben | does not like | coffee"]],
  [
    "Caroline works at Google and plays the violin.",
    ["Caroline | works at | Google", "Caroline | plays | violin"],
  ],
  ["Ben is a teacher.", ["Ben | is | teacher"]],
  ["Mia bought a red bike yesterday.", ["Mia | bought | red bike"]],
  ["Last week Mia met Ben in Paris.", ["Mia | met | Ben", "Mia | met in | Paris"]],
  ["Mia likes tea and Ben likes coffee.", ["Mia | likes | tea", "Ben | likes | coffee"]],
  ["It rained.", []],
])("English: %s", async (text, expected) => {
  const found = await told(text);
  for (const triple of expected) expect(found).toContain(triple);
  if (expected.length === 0) expect(found).toEqual([]);
});

test.each([
  ["小明喜欢打篮球。", ["小明 | 喜欢 | 打篮球"]],
  ["小红不喜欢咖啡。", ["小红 | 不喜欢 | 咖啡"]],
  ["我养了一只狗。", ["我 | 养 | 狗"]],
  ["小明的生日是五月三日。", ["小明 | 生日 | 五月三日"]],
  ["李老师在北京大学工作。", ["李老师 | 在…工作 | 北京大学"]],
  ["因为小明昨天去了上海，所以没有参加会议。", ["小明 | 去 | 上海", "小明 | 没有参加 | 会议"]],
  ["小明想去日本，还打算学习日语。", ["小明 | 想去 | 日本", "小明 | 打算学习 | 日语"]],
  ["張老師住在臺北。", ["張老師 | 住在 | 臺北"]],
  ["你喜欢什么？", []],
  ["阿雅很喜欢旅游和看电影。", ["阿雅 | 喜欢 | 旅游和看电影"]],
  ["阿雅昨天和妈妈去了植物园。", ["阿雅 | 去 | 植物园"]],
  ["阿雅在学习烹饪。", ["阿雅 | 学习 | 烹饪"]],
  ["阿雅换工作了。", ["阿雅 | 换 | 工作"]],
])("Chinese: %s", async (text, expected) => {
  const found = await told(text);
  for (const triple of expected) expect(found).toContain(triple);
  if (expected.length === 0) expect(found).toEqual([]);
});

test.each([
  ["Nora wanted to tell Ben about the flood.", "Nora | wanted to tell | Ben"],
  ["Nora is lucky to have two sisters.", "Nora | is lucky to have | two sisters"],
  ["Nora went to the shelter to feed the dogs.", "Nora | went to feed | dogs"],
])("what is only meant to be done hangs on its verb: %s", async (text, expected) => {
  const found = await told(text);
  expect(found).toContain(expected);
  expect(found.filter((triple) => /^Nora \| (?:tell|have|feed)/.test(triple))).toEqual([]);
});

test("no part of a triple is empty, and no triple comes twice", async () => {
  const text = "Mia loves tea. Mia loves tea. 小明喜欢茶。小明喜欢茶。I am happy. What do you want? 我是。";
  const found = await findTriples(text);
  for (const triple of found) for (const part of Object.values(triple)) expect(part.trim()).not.toBe("");
  expect(new Set(found.map((triple) => JSON.stringify(triple))).size).toBe(found.length);
  expect(await findTriples("")).toEqual([]);
});
