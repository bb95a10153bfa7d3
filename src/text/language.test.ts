import { expect, test } from "vitest";
import { detectLanguage, scriptShares } from "./language.ts";

test.each([
  ["I bought a new phone.", "en"],
  ["Jean-François a naïve café", "en"],
  ["我买了一部新手机。", "zh"],
  ["我買了新手機", "zh"],
  ["我的 iPhone 坏了", "zh"],
  ["Tell me what 你好 means in English", "en"],
  ["今日は東京でラーメンを食べました", "other"],
  ["저는 서울에 살아요", "other"],
  ["Привет, как дела?", "other"],
  ["12:30 🎂 !!!", "other"],
  ["", "other"],
])("%s is %s", (text, language) => {
  expect(detectLanguage(text)).toBe(language);
});

test("shares add up", () => {
  const { han, latin, other } = scriptShares("我爱 New York и Москва");
  expect(han + latin + other).toBeCloseTo(1);
  expect(han).toBeCloseTo(2 / 6);
});
