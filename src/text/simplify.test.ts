import fc from "fast-check";
import { expect, test } from "vitest";
import { simplify } from "./simplify.ts";

/** Any UTF-16 unit, halves of pairs among them. */
const CODE_UNIT = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));

test("traditional becomes simplified, simplified and everything else stays", () => {
  expect(simplify("臺灣的國家圖書館很漂亮,we 愛它")).toBe("台湾的国家图书馆很漂亮,we 爱它");
  expect(simplify("著名的北京大学")).toBe("著名的北京大学");
});

test("laws: same length, and simplifying twice changes nothing", () => {
  fc.assert(
    fc.property(fc.string({ unit: CODE_UNIT }), (text) => {
      const once = simplify(text);
      expect(once.length).toBe(text.length);
      expect(simplify(once)).toBe(once);
    }),
  );
});
