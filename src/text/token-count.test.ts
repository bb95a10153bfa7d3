import { encode } from "gpt-tokenizer";
import { expect, test } from "vitest";
import { countTokens, estimateTokens } from "./token-count.ts";

const ENGLISH = [
  "Hey Mia! I'm so glad you called. I've been meaning to tell you about the pottery class I joined last week.",
  "The Treaty of Westphalia, signed in 1648, ended the Thirty Years' War in the Holy Roman Empire.",
  "Could you remind me to pick up milk, eggs and two loaves of bread on the way home? Thanks a lot!",
  "Personalised PageRank walks the graph from a set of seed nodes and restarts with probability 0.15 at every step.",
  "Don't worry, it's fine; we'll find another date. My sister can't come before the 23rd of September anyway.",
  "She studied biochemistry at the University of Copenhagen before moving to Montreal with her husband Fernando.",
  "Order #48213 was shipped on 2023-06-09 and should arrive within 3-5 business days at 221B Baker Street.",
  "My dog Rex ate my homework again. Honestly, I don't even know why I leave anything on the kitchen table.",
];
const CHINESE = [
  "我昨天和小明一起去爬山了，山上的风景非常漂亮，我们拍了很多照片。",
  "最近工作压力很大，每天都要加班到晚上十点，感觉身体有点吃不消。",
  "你好，请问明天的会议是几点开始？我想提前准备一下材料。",
  "李老师说这次考试的题目比较难，让我们好好复习第三章和第四章的内容。",
  "去年夏天我在青海湖边骑行了整整一周，晒得很黑，但是心情特别好。",
  "这家餐厅的麻婆豆腐和回锅肉都很正宗，下次带你妈妈一起来吃吧。",
  "机器学习模型需要大量的训练数据，数据的质量往往比数量更重要。",
  "她从小就喜欢弹钢琴，后来考上了中央音乐学院，现在是一名音乐老师。",
];

test.each([
  ["English", ENGLISH],
  ["Chinese", CHINESE],
] as const)("%s: the mean error against a real tokenizer is at most 10 %%", (_language, texts) => {
  const errors = texts.map(
    (text) => Math.abs(estimateTokens(text) - encode(text).length) / encode(text).length,
  );
  expect(errors.reduce((sum, error) => sum + error, 0) / errors.length).toBeLessThanOrEqual(0.1);
});

test("an empty text has no tokens, anything else at least one, and more text never fewer", () => {
  expect(estimateTokens("")).toBe(0);
  expect(estimateTokens(" ")).toBe(1);
  expect(estimateTokens("😀")).toBeGreaterThanOrEqual(1);
  const words = "one two three four five six seven eight".split(" ");
  const counts = words.map((_, i) => estimateTokens(words.slice(0, i + 1).join(" ")));
  expect(counts).toEqual([...counts].sort((a, b) => a - b));
});

test("[S1-20] tokens are counted by the tokenizer if one is given, else estimated", () => {
  for (const text of [ENGLISH[0] ?? "", "上周三我们在上海见了张伟。"]) {
    expect(countTokens(text, encode)).toBe(encode(text).length);
    expect(countTokens(text)).toBe(estimateTokens(text));
  }
});
