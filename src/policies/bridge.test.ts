import { expect, test } from "vitest";
import { bridgeBonus } from "./bridge.ts";

const plain = { weight: 0.2, ignored: [] };
const at = (score: number, text: string) => ({ text, score });

test("a memory that shares with the best find a name that the question does not say gets a bonus", () => {
  const pool = [
    at(0.4, "The first president of the American Chess Federation was Hall."),
    at(1, "The Journal of Openings is published by the Federation in Leeds."),
    at(0.6, "A journal of cooking is published monthly."),
    at(0.5, "The Journal of Openings had a good year."),
  ];
  const bonus = bridgeBonus(
    "Who was the first president of what publishes the Journal of Openings?",
    pool,
    plain,
  );
  // "Federation" leads to one memory; "Journal" and "Openings" stand in the question.
  expect(bonus).toEqual([0.2, 0, 0, 0]);
});

test("the same in Chinese", () => {
  const pool = [
    at(1, "教小美小提琴的是陈雨轩，她很耐心。"),
    at(0.5, "陈雨轩住在成都。"),
    at(0.6, "小美昨天去买菜。"),
  ];
  expect(bridgeBonus("教小美小提琴的人住在哪里？", pool, plain)).toEqual([0, 0.2, 0]);
});

test("the more memories hold a name, the less it says; of several names the best one counts", () => {
  const pool = [
    at(1, "They moved from Oslo to Bergen."),
    at(0.1, "Rain in Oslo."),
    at(0.1, "Snow in Oslo."),
    at(0.1, "A ship left Bergen for Oslo."),
    at(0.1, "Another ship left Bergen."),
  ];
  const [first, ...others] = bridgeBonus("Where did they move?", pool, plain);
  expect(first).toBe(0);
  expect(others.map((one) => Number(one.toFixed(4)))).toEqual([0.0667, 0.0667, 0.1, 0.1]);
});

test("nothing is lifted above what led to it, and what was better stays better", () => {
  const pool = [at(1, "She met Viorst."), at(0.95, "About Viorst."), at(0.9, "More of Viorst.")];
  const [, one = 0, other = 0] = bridgeBonus("Whom did she meet?", pool, plain);
  expect(0.95 + one).toBeLessThan(1);
  expect(0.95 + one).toBeGreaterThan(0.9 + other);
  expect(other).toBeGreaterThan(0);
});

test("names of those who talk lead nowhere", () => {
  const pool = [at(1, "So I told Melanie."), at(0.5, "Then Melanie laughed.")];
  expect(bridgeBonus("Who was told?", pool, plain)).toEqual([0, 0.2]);
  expect(bridgeBonus("Who was told?", pool, { weight: 0.2, ignored: ["Melanie"] })).toEqual([0, 0]);
});

test("without memories, without names or without weight there is none", () => {
  expect(bridgeBonus("Who?", [], plain)).toEqual([]);
  expect(bridgeBonus("Who?", [at(1, "it rained"), at(0.5, "it snowed")], plain)).toEqual([0, 0]);
  const named = [at(1, "He met Viorst."), at(0.5, "About Viorst.")];
  expect(bridgeBonus("Whom did he meet?", named, { weight: 0, ignored: [] })).toEqual([0, 0]);
});

test("two hundred long memories take a moment", () => {
  const names = Array.from({ length: 60 }, (_, n) => `Name${n}`);
  const text = (n: number) =>
    `${"some words that say nothing at all, ".repeat(40)} of ${names[n % 60]} and ${names[(n * 7) % 60]}.`;
  const pool = Array.from({ length: 200 }, (_, n) =>
    at(1 - n / 400, n === 0 ? `of ${names.join(" and ")}` : text(n)),
  );
  const started = performance.now();
  const bonus = bridgeBonus("Who?", pool, plain);
  expect(bonus.filter((one) => one > 0).length).toBeGreaterThan(100);
  expect(performance.now() - started).toBeLessThan(200);
});
