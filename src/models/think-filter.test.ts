import fc from "fast-check";
import { expect, test } from "vitest";
import { createThinkFilter, withoutThoughts } from "./think-filter.ts";

test("thoughts before the answer are left out, thoughts within it are not", () => {
  expect(withoutThoughts("<think>hm</think>\n\nyes")).toBe("yes");
  expect(withoutThoughts("\n <think>\nhm <b>\n</think>yes <think>no</think>")).toBe("yes <think>no</think>");
  expect(withoutThoughts("a < b")).toBe("a < b");
  expect(withoutThoughts("<th")).toBe("<th");
  expect(withoutThoughts("<think>never ends")).toBe("");
});

test("law: how the text is cut into pieces does not matter", () => {
  const text = fc.constantFrom(
    "<think>a</think> b",
    "  <think></think>",
    "<thin air",
    "x</think>",
    "你<think>好",
  );
  fc.assert(
    fc.property(text, fc.array(fc.nat(20)), (whole, cuts) => {
      const filter = createThinkFilter();
      const ends = [...cuts.map((cut) => Math.min(cut, whole.length)), whole.length].sort((a, b) => a - b);
      const out = ends.map((end, at) => filter.push(whole.slice(at === 0 ? 0 : ends[at - 1], end)));
      expect(out.join("") + filter.end()).toBe(withoutThoughts(whole));
    }),
    { seed: 1 },
  );
});
