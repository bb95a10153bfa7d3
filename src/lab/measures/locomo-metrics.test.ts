import fc from "fast-check";
import { expect, test } from "vitest";
import { stem } from "../../text/stem.ts";
import { evidenceRecall } from "./evidence-recall.ts";
import { locomoScore, normalizeAnswer, stemF1 } from "./locomo-f1.ts";
import { porterStem } from "./porter-stem.ts";

/** The examples of the published algorithm, step by step, and NLTK's own words. */
const STEMS =
  `caresses caress ponies poni ties tie caress caress cats cat feed feed agreed agre plastered plaster bled bled
  motoring motor sing sing conflated conflat troubled troubl sized size hopping hop tanned tan falling fall hissing hiss
  fizzed fizz failing fail filing file happy happi relational relat conditional condit rational ration valenci valenc
  hesitanci hesit digitizer digit conformabli conform radicalli radic differentli differ vileli vile analogousli analog
  vietnamization vietnam predication predic operator oper feudalism feudal decisiveness decis hopefulness hope
  callousness callous formaliti formal sensitiviti sensit sensibiliti sensibl triplicate triplic formative form
  formalize formal electriciti electr electrical electr hopeful hope goodness good revival reviv allowance allow
  inference infer airliner airlin gyroscopic gyroscop adjustable adjust defensible defens irritant irrit
  replacement replac adjustment adjust dependent depend adoption adopt homologou homolog communism commun activate
  activ angulariti angular homologous homolog effective effect bowdlerize bowdler probate probat rate rate cease ceas
  controll control roll roll died die dies die spied spi enjoy enjoy by by skies sky dying die news news geology geolog
  rationally ration university univers`
    .trim()
    .split(/\s+/);

test("stems are those of Porter's first algorithm in NLTK's default form", () => {
  const pairs = Array.from({ length: STEMS.length / 2 }, (_, i) => [STEMS[2 * i]!, STEMS[2 * i + 1]!]);
  expect(pairs.map(([word]) => [word, porterStem(word!)])).toEqual(pairs);
});

test("they are not those of the stemmer that search uses", () => {
  expect([porterStem("generously"), stem("generously")]).toEqual(["gener", "generous"]);
});

test("laws: a stem is no longer than its word by more than a letter, and case does not matter", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{1,15}$/), (word) => {
      expect(porterStem(word).length).toBeLessThanOrEqual(word.length + 1);
      expect(porterStem(word.toUpperCase())).toBe(porterStem(word));
    }),
  );
});

test("[P11-1] articles, and, case, punctuation and endings do not count", () => {
  expect(stemF1("The cats and dogs", "cat, dog")).toBe(1);
  expect(normalizeAnswer("  The 1,000 “cats”, and a dog! ")).toBe("1000 “cats” dog");
  // No article stands in these, nor between Chinese letters.
  expect(normalizeAnswer("España, à la Theo 甲a乙")).toBe("españa à la theo 甲a乙");
});

test("F1 counts a word as often as both have it", () => {
  expect(stemF1("dog dog dog", "dog cat")).toBeCloseTo(2 / 5);
  expect(stemF1("", "dog")).toBe(0);
  expect(stemF1("猫 狗", "猫")).toBeCloseTo(2 / 3);
});

test("[P11-2] category 1: every part of the reference with the part that fits it best", () => {
  expect(locomoScore("Paris", "a cat, paris", 1)).toBe(0.5);
  expect(locomoScore("Paris, the cat", "a cat, paris", 1)).toBe(1);
});

test("[P11-3] category 3: what stands before the first semicolon is the reference", () => {
  expect(locomoScore("Yes", "yes; because she likes it", 3)).toBe(1);
  expect(locomoScore("Yes", "yes; because she likes it", 4)).toBeLessThan(1);
});

test("[P11-4] category 5: whoever says that it is not mentioned is right", () => {
  expect(locomoScore("It is Not mentioned.", "", 5)).toBe(1);
  expect(locomoScore("No information available", "a dog", 5)).toBe(1);
  expect(locomoScore("a dog", "a dog", 5)).toBe(0);
});

test("[P11-5] summaries are compared by session, turns by their ids", () => {
  expect(evidenceRecall(["S3"], ["D3:4", "D5:1"])).toBe(0.5);
  expect(evidenceRecall(["D3:5", "D5:1"], ["D3:4", "D5:1"])).toBe(0.5);
});

test("a question without evidence or without context counts as recalled there, and not by the strict rule", () => {
  expect([evidenceRecall(["D1:1"], []), evidenceRecall([], ["D1:1"])]).toEqual([1, 1]);
  const strict = { strict: true };
  expect([evidenceRecall(["D1:1"], [], strict), evidenceRecall([], ["D1:1"], strict)]).toEqual([
    undefined,
    0,
  ]);
});
