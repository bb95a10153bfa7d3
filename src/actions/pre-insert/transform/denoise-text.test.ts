import fc from "fast-check";
import { expect, test } from "vitest";
import { denoiseText } from "./denoise-text.ts";

test.each([
  ["Ann: Well, I really bought a red bicycle in Rome!", 0.8, "Ann: I bought a red bicycle in Rome!"],
  ["小美：嗯，我其实在罗马买了一辆红色的自行车。", 0.85, "小美：在罗马买了一辆红色的自行车。"],
])("fillers leave first, then function words; the speaker and the marks stay: %s", (text, ratio, key) => {
  expect(denoiseText(text, ratio)).toBe(key);
});

test("what has digits leaves last, lines stay lines, and a ratio of 1 leaves all", () => {
  const text = "Bob: The train leaves at 7:15 tomorrow.\nAnn: Track 9, I think.";
  expect(denoiseText(text, 0.6)).toMatch(/^Bob:.*7:15.*\nAnn:.*9/);
  expect(denoiseText(text, 1)).toBe(text);
});

test("laws: no longer than the text, something is left of a text with words", () => {
  const word = fc.constantFrom(..."the dog bought well 我 自行车 其实 42 um Rome , .".split(" "));
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 30 }),
      fc.double({ min: 0.05, max: 1, noNaN: true }),
      (words, ratio) => {
        const text = `dog ${words.join(" ")}`;
        const key = denoiseText(text, ratio);
        expect(key.length).toBeLessThanOrEqual(text.length);
        expect(key).toMatch(/[\p{L}\p{N}]/u);
      },
    ),
  );
});
