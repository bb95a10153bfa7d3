import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { instantOf } from "./time/zone.ts";
import { findTimes, makeTimesAbsolute, type TimeReference } from "./time.ts";
import { CHINESE_TIME_CASES, ENGLISH_TIME_CASES, type TimeCase } from "./time-cases.ts";

beforeEach(() => {
  // Far from every date of the table: what is resolved against today's clock cannot pass.
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("1987-02-03T04:05:06Z") });
});
afterEach(() => {
  vi.useRealTimers();
});

function wall(text: string): number {
  return Date.parse(text.length === 10 ? `${text}T00:00Z` : `${text}Z`);
}

function referenceOf(given: TimeCase): TimeReference {
  return { at: instantOf(wall(given.at), given.zone), zone: given.zone };
}

function isExact(given: TimeCase): boolean {
  const found = findTimes(given.text, referenceOf(given));
  const [first] = found;
  return (
    found.length === 1 &&
    first?.start === instantOf(wall(given.from), given.zone) &&
    first.end === instantOf(wall(given.to), given.zone) &&
    first.granularity === given.granularity
  );
}

describe.each([
  ["English", ENGLISH_TIME_CASES],
  ["Chinese", CHINESE_TIME_CASES],
] as const)("[S2-7] %s", (_language, cases) => {
  test("at least 60 sentences, at least 95 % of them exact, under a clock that is decades away", () => {
    expect(cases.length).toBeGreaterThanOrEqual(60);
    const wrong = cases.filter((given) => !isExact(given)).map((given) => given.text);
    expect(wrong.length / cases.length, wrong.join("\n")).toBeLessThanOrEqual(0.05);
  });

  test("made absolute, a text means the same whenever and is not changed again", () => {
    for (const given of cases) {
      const reference = referenceOf(given);
      const absolute = makeTimesAbsolute(given.text, reference);
      const later = { at: reference.at + 987 * 86_400_000, zone: given.zone };
      const before = findTimes(given.text, reference).map(({ start, end }) => [start, end]);
      const after = findTimes(absolute, later).map(({ start, end }) => [start, end]);
      expect(after, `${given.text} → ${absolute}`).toEqual(before);
      expect(makeTimesAbsolute(absolute, later)).toBe(absolute);
    }
  });
});

const FRIDAY: TimeReference = { at: Date.parse("2023-06-09T07:23Z"), zone: "Asia/Shanghai" };

test.each([
  ["I left yesterday and came back today.", "I left on 8 June 2023 and came back on 9 June 2023."],
  ["Last week was hard.", "The week of 29 May 2023 was hard."],
  ["I have known her since last year.", "I have known her since 2022."],
  ["Yesterday's talk was long.", "8 June 2023's talk was long."],
  ["We moved here in 2019.", "We moved here in 2019."],
  ["我昨天去了，今天回来。", "我2023年6月8日去了，2023年6月9日回来。"],
  ["上週末我們去露營。", "2023年6月3日那個週末我們去露營。"],
  ["Mia 昨天 went home.", "Mia 2023年6月8日 went home."],
])("%s → %s", (text, absolute) => {
  expect(makeTimesAbsolute(text, FRIDAY)).toBe(absolute);
});

test.each([
  "The sun was warm when he sat down.",
  "You may go; they march every day.",
  "I usually get up at 7 am.",
  "We play chess every Friday.",
  "She is in her 20s and weighs 2000 grams of 1500 people.",
  "A second later he left, and the fall hurt.",
  "我每周三都去游泳。",
  "我住在三号楼，坐1号线上班。",
  "他十分钟跑完了，打了三天。",
  "这一天都很好。",
  "She soaked them for 24 hours before grilling them.",
  "I arrived on a Friday afternoon, not on Black Friday.",
  "20212023年前",
  "That was 99999999 years ago.",
  "",
])("no time is seen in: %s", (text) => {
  expect(findTimes(text, FRIDAY)).toEqual([]);
});

test.each([
  ["The recital moved to the 18th of July.", "2023-07-18"],
  ["The talk was postponed until 3 July.", "2023-07-03"],
  ["The meeting was moved to Monday.", "2023-06-12"],
  ["I signed the contract: I am moving there in July.", "2023-07"],
  ["On July 5, I went to Rome.", "2022-07-05"],
  ["I moved to Paris in July.", "2022-07"],
  ["演出改到七月十八号了。", "2023-07-18"],
  ["会议推迟到了周一。", "2023-06-12"],
  ["买了，七月三十号从成都飞。", "2023-07-30"],
  ["他七月搬到了北京。", "2022-07"],
])("by the tense of its own clause, and what was put off is not past: %s %s", (text, iso) => {
  expect(findTimes(text, FRIDAY).map((found) => found.iso)).toEqual([iso]);
});

test("the same words in another zone are another range", () => {
  const at = Date.parse("2023-06-09T01:00Z");
  const day = (zone: string): string | undefined => findTimes("I saw it today", { at, zone })[0]?.iso;
  expect([day("Asia/Shanghai"), day("America/New_York"), day("+00:00")]).toEqual([
    "2023-06-09",
    "2023-06-08",
    "2023-06-09",
  ]);
});

test("a day on which clocks change has 23 or 25 hours", () => {
  const hours = (at: string): number => {
    const [found] = findTimes("today", { at: Date.parse(at), zone: "Europe/Berlin" });
    return ((found?.end ?? 0) - (found?.start ?? 0)) / 3_600_000;
  };
  expect([hours("2023-03-26T12:00Z"), hours("2022-10-30T12:00Z"), hours("2023-06-09T12:00Z")]).toEqual([
    23, 25, 24,
  ]);
});

test("an unknown zone is refused with what would be valid", () => {
  expect(() => findTimes("today", { at: 0, zone: "Mars/Olympus" })).toThrow(/IANA/);
});

test("laws: expressions lie in the text, in order, apart, and have a positive length", () => {
  const words = fc.constantFrom(
    ..."last week yesterday 3 pm on Friday May 2021 of the end before 上周 三 前天 2023年 6月 9日 下午 到 and in , . 12:30 ago two days".split(
      " ",
    ),
  );
  fc.assert(
    fc.property(fc.array(words, { maxLength: 12 }), fc.boolean(), (list, spaced) => {
      const text = list.join(spaced ? " " : "");
      let end = 0;
      for (const found of findTimes(text, FRIDAY)) {
        expect(found.index).toBeGreaterThanOrEqual(end);
        expect(text.slice(found.index, found.index + found.text.length)).toBe(found.text);
        expect(found.end).toBeGreaterThan(found.start);
        end = found.index + found.text.length;
      }
      expect(end).toBeLessThanOrEqual(text.length);
    }),
    { numRuns: 300 },
  );
});
