/** Topics are what people talk about, not the words of the talk. */
import { expect, test } from "vitest";
import { focalTopics } from "./focal-topics.ts";

test("words of the talk and what is done are no topics", async () => {
  const topics = await focalTopics(
    [
      "Sounds lovely, Nora!",
      "Sounds like the garden is growing.",
      "Looks like the garden needs water.",
      "Seeing the garden makes Nora calm.",
    ],
    10,
  );
  const names = topics.map(({ topic }) => topic.toLowerCase());
  expect(names).toContain("garden");
  expect(names).toContain("nora");
  expect(names.filter((name) => /^(?:sounds|looks|seeing|lovely)$/.test(name))).toEqual([]);
});

test("the same in Chinese", async () => {
  const topics = await focalTopics(
    ["谢谢你的建议，我会尝试陶艺。", "我觉得陶艺课的建议很好。", "最近我在陶艺课做了杯子。"],
    10,
  );
  const names = topics.map(({ topic }) => topic);
  expect(names.some((name) => name.startsWith("陶艺"))).toBe(true);
  expect(names.filter((name) => /^(?:建议|尝试|觉得|最近|谢谢)$/.test(name))).toEqual([]);
});
