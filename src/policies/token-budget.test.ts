import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { estimateTokens } from "../text/token-count.ts";
import {
  countTokensByLength,
  filterByBudget,
  type TokenBudgetOptions,
  tokenBudgetOptions,
} from "./token-budget.ts";

const items = (...contents: string[]) => contents.map((content) => ({ content }));
const contents = (kept: readonly { readonly content: string }[]) => kept.map(({ content }) => content);
const length = (text: string) => text.length;
const options = (change: Partial<TokenBudgetOptions>): TokenBudgetOptions =>
  tokenBudgetOptions.parse({ budget: 10, reserve: 0, mode: "stop", ...change });

describe("[S1-20] counting", () => {
  test("the seed's floor(length / 4), for parity", () => {
    expect([3, 4, 7, 8].map((n) => countTokensByLength("x".repeat(n)))).toEqual([0, 1, 1, 2]);
  });

  test("a tokenizer if given, else an estimate that knows Chinese", () => {
    const chinese = items("我昨天和小明一起去公园散步，天气非常好。");
    const { tokens } = filterByBudget(chinese, options({ budget: 100 }));
    expect(tokens).toBe(estimateTokens(chinese[0]?.content ?? ""));
    expect(tokens).toBeGreaterThan(2 * countTokensByLength(chinese[0]?.content ?? ""));
    expect(filterByBudget(chinese, options({ budget: 100 }), length).tokens).toBe(20);
  });
});

describe("[S1-21] filtering by budget", () => {
  const given = items("aaaa", "bbbb", "cccccc", "dd", "e");

  test("stop: ends at the first that would overflow, though a later one would fit", () => {
    const result = filterByBudget(given, options({}), length);
    expect(contents(result.kept)).toEqual(["aaaa", "bbbb"]);
    expect(result.tokens).toBe(8);
    expect(result.dropped.map(({ item, reason }) => [item.content, reason])).toEqual([
      ["cccccc", "too_long"],
      ["dd", "after_end"],
      ["e", "after_end"],
    ]);
  });

  test("skip_and_fill: passes over what is too long and goes on", () => {
    const result = filterByBudget(given, options({ mode: "skip_and_fill" }), length);
    expect(contents(result.kept)).toEqual(["aaaa", "bbbb", "dd"]);
    expect(result.dropped.map(({ item, reason }) => [item.content, reason])).toEqual([
      ["cccccc", "too_long"],
      ["e", "too_long"],
    ]);
  });

  test("truncate: cuts the one that overflows at the end of a sentence, in English and Chinese, and ends", () => {
    const truncate = (text: string, budget: number) =>
      filterByBudget(items("ab", text, "z"), options({ budget, mode: "truncate" }), length);
    const english = truncate("I met Ann. We had tea. It rained.", 26);
    expect(contents(english.kept)).toEqual(["ab", "I met Ann. We had tea."]);
    expect(english).toMatchObject({
      tokens: 24,
      truncated: { content: "I met Ann. We had tea. It rained." },
    });
    expect(english.dropped).toEqual([{ item: { content: "z" }, reason: "after_end" }]);
    expect(contents(truncate("我见了小明。我们喝了茶。下雨了。", 15).kept)).toEqual([
      "ab",
      "我见了小明。我们喝了茶。",
    ]);
  });

  test("truncate: what has no sentence that fits is cut after a word, and dropped where there is no room at all", () => {
    const truncate = (text: string, budget: number) =>
      filterByBudget(items(text), options({ budget, mode: "truncate" }));
    expect(contents(truncate("One endless sentence without a stop", 3).kept)).toEqual([
      "One endless sentence",
    ]);
    const [han = ""] = contents(truncate("我们在公园里散步".repeat(50), 100).kept);
    expect(estimateTokens(han)).toBeGreaterThan(90);
    expect(estimateTokens(han)).toBeLessThanOrEqual(100);
    expect(truncate("Nothing fits.", 0)).toMatchObject({
      kept: [],
      truncated: undefined,
      tokens: 0,
      dropped: [{ reason: "too_long" }],
    });
  });

  test("a reserve is left free, and may be the whole budget", () => {
    expect(contents(filterByBudget(given, options({ reserve: 3 }), length).kept)).toEqual(["aaaa"]);
    expect(filterByBudget(given, options({ reserve: 99 }), length).kept).toEqual([]);
  });

  test("never over budget; the order is kept; nothing is lost and nothing invented", () => {
    const text = fc.array(fc.constantFrom("Ann came. ", "下雨了。", "ok ", "Dr. Li said no! "), {
      maxLength: 8,
    });
    const mode = fc.constantFrom("stop", "truncate", "skip_and_fill");
    const counter = fc.constantFrom(length, countTokensByLength, estimateTokens);
    fc.assert(
      fc.property(
        fc.array(text),
        mode,
        fc.nat(60),
        fc.nat(20),
        counter,
        (texts, mode, budget, reserve, count) => {
          const given = texts.map((parts, place) => ({ content: parts.join(""), place }));
          const result = filterByBudget(given, options({ budget, reserve, mode }), count);
          const spent = result.kept.reduce((sum, { content }) => sum + count(content), 0);
          expect(result.tokens).toBe(spent);
          expect(spent).toBeLessThanOrEqual(Math.max(0, budget - reserve));
          const places = result.kept.map(({ place }) => place);
          expect(places).toEqual([...places].sort((a, b) => a - b));
          const all = [...places, ...result.dropped.map(({ item }) => item.place)].sort((a, b) => a - b);
          expect(all).toEqual(given.map(({ place }) => place));
          for (const { place, content } of result.kept) expect(given[place]?.content).toContain(content);
        },
      ),
    );
  });
});
