import fc from "fast-check";
import { expect, test } from "vitest";
import { segmentTopics } from "./segments.ts";

const DOGS = [
  "My dog Rex learned to swim at the lake.",
  "Dogs love the lake, my dog too.",
  "Does Rex bark at other dogs?",
  "Rex barks at dogs only near the lake.",
];
const TAXES = [
  "Did you send the tax form to the office?",
  "The tax office wants another form from me.",
  "Tax forms are hard, ask the office for help.",
  "I will call the tax office about the form.",
];
const CHINESE = [
  "我家的猫昨天生病了",
  "猫吃药了吗？带猫去看医生了吗？",
  "医生给猫开了药，猫不肯吃药",
  "猫吃药确实很难",
  "对了，公司的项目什么时候上线？",
  "项目下周上线，公司很重视这个项目",
  "项目上线前要加班吗？",
  "公司说项目上线后放假",
];

test("a change of topic is a border", () => {
  expect(segmentTopics([...DOGS, ...TAXES])).toEqual([
    { start: 0, end: 4 },
    { start: 4, end: 8 },
  ]);
  expect(segmentTopics(CHINESE)).toEqual([
    { start: 0, end: 4 },
    { start: 4, end: 8 },
  ]);
});

test("one topic is one segment", () => {
  expect(segmentTopics(DOGS)).toEqual([{ start: 0, end: 4 }]);
  expect(segmentTopics(["only one"])).toEqual([{ start: 0, end: 1 }]);
  expect(segmentTopics([])).toEqual([]);
});

test.each([
  [
    "I just got back from Lisbon.",
    "How was it?",
    "Lovely, the tiles and the trams.",
    "Did you eat well?",
    "Yes, grilled sardines every day.",
    "By the way, how is your thesis?",
    "I handed in the second chapter.",
    "What is it about?",
    "Tides in the Wadden Sea.",
  ],
  [
    "我刚从里斯本回来。",
    "怎么样？",
    "很美，到处是瓷砖和电车。",
    "吃得好吗？",
    "天天吃烤沙丁鱼。",
    "对了，你的论文写得如何？",
    "第二章交上去了。",
    "写的是什么？",
    "瓦登海的潮汐。",
  ],
])(
  "short turns that repeat no word are parted where somebody says so, and never before an answer",
  (...turns) => {
    expect(segmentTopics(turns)).toEqual([
      { start: 0, end: 5 },
      { start: 5, end: 9 },
    ]);
  },
);

test("a segment is no longer than asked", () => {
  const turns = Array.from({ length: 25 }, () => "the same dog again");
  expect(segmentTopics(turns, { maxTurns: 10 }).every(({ start, end }) => end - start <= 10)).toBe(true);
});

test("laws: every turn once, in order, no segment shorter than asked unless it is the only one", () => {
  const turn = fc
    .array(fc.constantFrom(..."cat dog tax form lake 猫 项目 药".split(" ")))
    .map((words) => words.join(" "));
  fc.assert(
    fc.property(fc.array(turn, { maxLength: 30 }), fc.integer({ min: 1, max: 5 }), (turns, minTurns) => {
      const segments = segmentTopics(turns, { minTurns });
      expect(segments.flatMap(({ start, end }) => turns.slice(start, end))).toEqual(turns);
      if (segments.length > 1) {
        for (const { start, end } of segments) expect(end - start).toBeGreaterThanOrEqual(minTurns);
      }
    }),
  );
});
