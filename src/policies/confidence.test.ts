import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  behindOthers,
  type ConfidenceOptions,
  confidenceFrom,
  missingWords,
  type SaidTurn,
} from "./confidence.ts";

const OPTIONS: ConfidenceOptions = { base: -2, nearness: 4, missing: 3, behind: 20, lead: 0.1, spaces: [] };

describe("confidence", () => {
  test("is the logistic of its signs", () => {
    const from = (nearness: number, missing: number, behind: number) =>
      confidenceFrom({ nearness, missing, behind }, OPTIONS);
    expect(from(0.5, 0, 0)).toBe(0.5);
    // −2 + 4 · 0.75 = 1
    expect(from(0.75, 0, 0)).toBeCloseTo(1 / (1 + Math.exp(-1)), 12);
    // −2 + 4 · 0.75 − 3 · 0.5 − 20 · 0.05 = −1.5
    expect(from(0.75, 0.5, 0.05)).toBeCloseTo(1 / (1 + Math.exp(1.5)), 12);
    expect(from(-1, 1, 50)).toBeCloseTo(0, 12);
  });

  test("law: from 0 to 1, and never surer by more doubt", () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(share, share, share, share, (nearness, missing, behind, more) => {
        const sure = confidenceFrom({ nearness, missing, behind }, OPTIONS);
        expect(sure).toBeGreaterThanOrEqual(0);
        expect(sure).toBeLessThanOrEqual(1);
        for (const worse of [
          { nearness: nearness - more, missing, behind },
          { nearness, missing: missing + more, behind },
          { nearness, missing, behind: behind + more },
        ])
          expect(confidenceFrom(worse, OPTIONS)).toBeLessThanOrEqual(sure);
      }),
    );
  });
});

test("missing words: the share of those asked for, each once", () => {
  expect(missingWords(["dog", "name", "dog", "mia"], new Set(["dog", "cat"]))).toBeCloseTo(2 / 3, 12);
  expect(missingWords(["咖啡", "上海"], new Set(["上海", "咖啡", "开"]))).toBe(0);
  expect(missingWords(["dog"], new Set())).toBe(1);
  expect(missingWords([], new Set(["dog"]))).toBe(0);
});

describe("behind others", () => {
  const told = (fit: number): SaidTurn => ({ fit, isByNamed: false, isQuestion: false });
  const named = (fit: number): SaidTurn => ({ ...told(fit), isByNamed: true });
  const asks = (turn: SaidTurn): SaidTurn => ({ ...turn, isQuestion: true });

  test("what the best three of one side lack to be ahead of the best three of the other", () => {
    const others = [told(0.9), told(0.1), told(0.6), told(0.75)];
    // (0.9 + 0.75 + 0.6) / 3 = 0.75 against (0.8 + 0.7 + 0.6) / 3 = 0.7
    expect(behindOthers([named(0.6), named(0.8), ...others, named(0.7)], 0.1)).toBeCloseTo(0.15, 12);
    expect(behindOthers([named(0.6), named(0.8), ...others, named(0.7)], 0)).toBeCloseTo(0.05, 12);
  });

  test("nothing where they are ahead by the lead, or only one side said anything", () => {
    expect(behindOthers([named(0.9), told(0.7)], 0.1)).toBe(0);
    expect(behindOthers([named(0.2)], 0.1)).toBe(0);
    expect(behindOthers([told(0.9), told(0.8)], 0.1)).toBe(0);
    expect(behindOthers([], 0.1)).toBe(0);
  });

  test("as many turns of one side as of the other, so that whoever said much besides does not lose by it", () => {
    expect(behindOthers([named(0.9), named(0.1), named(0.1), told(0.7)], 0.1)).toBe(0);
    expect(behindOthers([named(0.7), told(0.9), told(0), told(0)], 0)).toBeCloseTo(0.2, 12);
  });

  test("what only asks tells no more than the least of all", () => {
    const others = [told(0.5), told(0.2)];
    expect(behindOthers([named(0.9), named(0.9), ...others], 0)).toBe(0);
    // 0.2 for both of them against (0.5 + 0.2) / 2
    expect(behindOthers([asks(named(0.9)), asks(named(0.9)), ...others], 0)).toBeCloseTo(0.15, 12);
  });
});
