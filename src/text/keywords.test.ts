import { expect, test } from "vitest";
import { extractKeywords } from "./keywords.ts";

const words = (text: string, limit = 8): string[] =>
  extractKeywords(text, { limit }).map((keyword) => keyword.text);

test("[S2-9] English: phrases between function words, no small talk", () => {
  const found = words(
    "Hey! I just signed up for a pottery class at the community center. The pottery class is like therapy for me, and the clay smells great.",
  );
  expect(found).toContain("pottery class");
  expect(found).toContain("community center");
  expect(found).not.toContain("Hey");
  expect(found).not.toContain("pottery");
});

test("[S2-9] Chinese: content words", () => {
  const found = words("我昨天和同事去咖啡馆讨论了机器学习项目，机器学习项目的进度很慢。");
  for (const word of ["咖啡馆", "同事", "机器学习项目"]) expect(found).toContain(word);
  for (const word of ["我", "和", "昨天", "的"]) expect(found).not.toContain(word);
});

test("words that every document has count less", () => {
  const text = "The report covers turbines.";
  const common = (token: string): number => (token === "report" ? 99 : 1);
  const found = extractKeywords(text, { documentFrequency: common, documents: 100 });
  const score = (word: string): number => found.find((keyword) => keyword.text.includes(word))?.score ?? 0;
  expect(score("turbines")).toBeGreaterThan(score("report") / 2);
  expect(found.length).toBeGreaterThan(0);
});

test("at most the limit, best first, and nothing from nothing", () => {
  const found = extractKeywords("Red foxes, green parrots, blue whales, grey wolves and white bears.", {
    limit: 3,
  });
  expect(found.length).toBe(3);
  expect(found.map(({ score }) => score)).toEqual(found.map(({ score }) => score).sort((a, b) => b - a));
  expect(extractKeywords("")).toEqual([]);
  expect(extractKeywords("I am, you are, is it?")).toEqual([]);
});
