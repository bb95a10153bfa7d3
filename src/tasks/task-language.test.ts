import { expect, test } from "vitest";
import { isOtherLanguage, languageOf } from "./task-language.ts";

test.each([
  ["I moved to Berlin.", "en"],
  ["我搬到了柏林。", "zh"],
  ["我在用 TypeScript 写 NeuroMem 的代码", "zh"],
  ["Je viens de Paris.", "en"],
  ["東京に引っ越しました。", "en"],
  ["", "en"],
])("%s is asked about in %s", (text, language) => expect(languageOf(text)).toBe(language));

const ZH = "小美昨天搬到了上海，她很开心。";
const EN = "Mia moved to Berlin yesterday and is happy.";

test.each([
  [ZH, ["Xiaomei moved to Shanghai and is happy."], true],
  [ZH, ["小美搬到了上海。"], false],
  [ZH, ["小美 moved to Shanghai"], false],
  [ZH, ["Shanghai"], false],
  [ZH, [], false],
  ["我们用 TypeScript、Node、Vitest、Biome 和 zod。", ["TypeScript, Node, Vitest, Biome, zod"], false],
  [EN, ["米娅搬到了柏林。"], true],
  [EN, ["Mia moved."], false],
  ["Mia said 你好 to me.", ["你好"], false],
  ["Je viens de Paris.", ["Vient de Paris"], false],
  ["123", ["一二三"], false],
])("a reply to %s that says %j is foreign: %s", (text, said, expected) => {
  expect(isOtherLanguage(said, text)).toBe(expected);
});

test.each([
  [EN, "米娅住在柏林", ["柏林"], false],
  [EN, "米娅住在柏林", ["米娅搬到了柏林。"], true],
  [ZH, "Mia was born in the old town of Berlin", ["the old town of Berlin"], false],
  [ZH, "Mia was born in Berlin", ["She moved from somewhere else"], true],
])("a reply to %s, of what was shown (%s), that says %j is foreign: %s", (text, shown, said, expected) => {
  expect(isOtherLanguage(said, text, shown)).toBe(expected);
});
