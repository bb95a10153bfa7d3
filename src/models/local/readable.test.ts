import fc from "fast-check";
import { expect, test } from "vitest";
import { findModelPackage, openTokenizer } from "./model-package.ts";
import { isReadable } from "./readable.ts";

test.each([
  "",
  " \n\t",
  "\u3000",
  "\u200b",
  "\ufeff",
  "\u0301",
  "\ufe0f",
  "\uFFFD",
  "\uE000",
  "\ud800",
  "\0",
])("%j holds nothing", (text) => {
  expect(isReadable(text)).toBe(false);
});

test.each(["a", "中", ".", "🎉", "7", "한", " x\u200b"])("%j holds something", (text) => {
  expect(isReadable(text)).toBe(true);
});

test.each(["en", "zh"] as const)("it is what the tokenizer of %s finds a token in", (language) => {
  const model = findModelPackage(language);
  if (model === undefined) throw new Error(`The package of "${language}" is not linked; run npm install.`);
  const { encode } = openTokenizer(model);
  const strange = fc.constantFrom(" ", "\u200b", "\u0301", "\u3000", "\uFFFD", "\ud83d", "\ude00", "\u0085");
  const unit = fc.oneof(strange, fc.string({ unit: "binary", minLength: 1, maxLength: 1 }));
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 3 }), (units) => {
      const text = units.join("");
      expect(isReadable(text)).toBe(encode(text).length > 0);
    }),
    { numRuns: 2_000 },
  );
});
