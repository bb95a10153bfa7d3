import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seededRandom } from "../../base/random.ts";
import { sampleText } from "../../testing/sample.ts";
import { type ConflictKind, CRUD_OF_KIND, judgeConflict, KIND_OF_CRUD } from "./conflict.ts";

const kind = (fresh: string, old: string) => judgeConflict({ text: fresh }, { text: old }).kind;

/** New statement, old statement, what the new one does to the old one. */
const CASES: readonly (readonly [string, string, ConflictKind])[] = [
  ["Alice lives in Paris.", "alice lives in Paris", "duplicate"],
  ["Alice loves tea very much.", "Alice loves tea", "duplicate"],
  ["Alice is 32.", "Alice is thirty-two years old", "duplicate"],
  ["Alice lives in the old town of Paris.", "Alice lives in Paris.", "refinement"],
  ["Alice adopted a grey cat named Tom", "Alice adopted a cat", "refinement"],
  ["Alice lives in Berlin.", "Alice lives in Paris.", "update"],
  ["Alice's employer is Meta", "Alice works at Google", "update"],
  ["Alice no longer likes tea", "Alice loves tea", "update"],
  ["Alice stopped smoking", "Alice smokes", "update"],
  ["Alice's favorite color is red", "Alice's favourite colour is blue", "update"],
  ["Alice has 5 apple trees in the garden", "Alice has 3 apple trees in the garden", "update"],
  ["Alice hates tea", "Alice loves tea", "contradiction"],
  ["Alice was born in Rome", "Alice was born in Lyon", "contradiction"],
  ["Alice goes to bed late", "Alice goes to bed early", "contradiction"],
  ["Alice does not eat meat", "Alice eats meat", "contradiction"],
  ["Alice is unhappy with her job", "Alice is happy with her job", "contradiction"],
  ["Alice likes coffee", "Alice likes tea", "none"],
  ["Bob does not eat meat", "Alice eats meat", "none"],
  [
    "Bob doesn't enjoy drinking green tea every single day",
    "Alice enjoys drinking green tea every single day",
    "none",
  ],
  ["Alice is not happy", "Alice is sad", "none"],
  ["Alice does not live in Rome", "Alice lives in Paris", "none"],
  ["Alice bought a red car", "Alice bought a blue car", "none"],
  ["The weather is nice", "Alice adopted a cat", "none"],
  ["Alice went hiking in June", "Alice went hiking in May", "none"],
  ["小明住在北京。", "小明住在北京", "duplicate"],
  ["小明今年28岁", "小明今年二十八岁", "duplicate"],
  ["小明住在北京市海淀区", "小明住在北京", "refinement"],
  ["小明住在上海", "小明住在北京", "update"],
  ["小明在腾讯工作", "小明的公司是谷歌", "update"],
  ["小明不再喜欢喝咖啡了", "小明喜欢咖啡", "update"],
  ["小明已经离婚了", "小明结婚了", "update"],
  ["王芳养了3只猫", "王芳养了两只猫", "update"],
  ["小明讨厌咖啡", "小明喜欢喝咖啡", "contradiction"],
  ["小明的生日是5月3日", "小明的生日是6月1日", "contradiction"],
  ["小明不吃辣", "小明吃辣", "contradiction"],
  ["小明喜歡咖啡", "小明讨厌咖啡", "contradiction"],
  ["小明喜欢茶", "小明喜欢咖啡", "none"],
  ["小红不吃辣", "小明吃辣", "none"],
  ["今天天气不错", "小明住在北京", "none"],
  ["小明不住在上海", "小明住在北京", "none"],
  ["小明每天早上跑步", "小明每天晚上跑步", "none"],
];

describe("[C-10] what a new statement does to an old one", () => {
  test.each(CASES)("%s · %s → %s", (fresh, old, expected) => expect(kind(fresh, old)).toBe(expected));
});

/** Both may hold. To retire what is true is worse than to keep what is not. */
const SIDE_BY_SIDE: readonly (readonly [string, string])[] = [
  ["Mia's sister is Lucy", "Mia's sister is Anna"],
  ["Mia's best friend is Sarah", "Mia's best friend is Tom"],
  ["Mia's hobby is painting", "Mia's hobby is chess"],
  ["Mia's dream is to see Japan", "Mia's dream is to open a bakery"],
  ["Mia's daughter's name is Eva", "Mia's daughter's name is Zoe"],
  ["Mia's son is tall", "Mia's son is a doctor"],
  ["Mia's job is in Berlin", "Mia's job is stressful"],
  ["Mia's house is old", "Mia's house is near the lake"],
  ["Mia's favorite part was the food", "Mia's favorite part was the music"],
  ["Mia is from a big family", "Mia is from Ohio"],
  ["Mia lives in a small flat", "Mia lives in Boston"],
  ["Mia works at a bank", "Mia works at the shelter on weekends"],
  ["Mia likes tea in the morning", "Mia doesn't like tea in the evening"],
  ["Mia doesn't eat meat at home", "Mia eats meat"],
  ["Mia ran 5 miles in the race", "Mia ran 3 miles in the race"],
  ["Mia has a meeting on 28 April 2026", "Mia has a meeting on 27 April 2026"],
  ["The train goes from Rome to Paris", "The train goes from Paris to Rome"],
  ["小美的姐姐是小兰", "小美的姐姐是小红"],
  ["小美的朋友是小刚", "小美的朋友是小明"],
  ["小美的爱好是画画", "小美的爱好是下棋"],
  ["小美的梦想是去日本", "小美的梦想是开面包店"],
  ["小美的女儿叫小丽", "小美的女儿叫小云"],
  ["小美的计划是住两晚", "小美的计划是六点出发"],
  ["小美不喜欢晚上喝茶", "小美喜欢早上喝茶"],
  ["小美星期五上班", "小美星期一上班"],
  ["小美2026年4月28日有会议", "小美2026年4月27日有会议"],
];

describe("[C-10] what may hold side by side does", () => {
  test.each(SIDE_BY_SIDE)("%s · %s", (fresh, old) => {
    expect(kind(fresh, old)).toBe("none");
    expect(kind(old, fresh)).toBe("none");
  });

  test.each([
    ["Mia's hobby is now painting", "Mia's hobby is chess"],
    ["Mia's job is baker", "Mia's job is teacher"],
    ["Mia's sister now lives in Rome", "Mia's sister lives in Paris"],
    ["The capital of Romania is Rajanpur", "The capital of Romania is Bucharest"],
    ["小美的爱好现在是画画", "小美的爱好是下棋"],
    ["小美的老板是小明", "小美的老板是小红"],
  ])("and what cannot, or is said to have changed, does not: %s · %s", (fresh, old) =>
    expect(kind(fresh, old)).toBe("update"),
  );

  test.each([
    ["Mia lives in Rome.", "Mia lives in Paris. Her old dog Rex died last spring."],
    ["Mia lives in Rome.", "Mia lives in Paris and works at Google."],
    ["小美住在上海。", "小美住在北京。她的老狗去年春天死了。"],
  ])("a text that tells more than what has changed does not give way: %s · %s", (fresh, old) =>
    expect(kind(fresh, old)).toBe("none"),
  );

  test.each([
    ["Mia lives in Paris. Her old dog Rex died last spring.", "Mia lives in Paris."],
    ["小美住在北京。她的老狗去年春天死了。", "小美住在北京。"],
  ])("a text that tells what is known and more is not known: %s · %s", (fresh, old) => {
    expect(kind(fresh, old)).toBe("refinement");
    expect(kind(old, fresh)).toBe("duplicate");
  });
});

test("[C-10] the four events of Mem0 and the verdicts", () => {
  expect(KIND_OF_CRUD).toEqual({ ADD: "none", UPDATE: "update", DELETE: "contradiction", NOOP: "duplicate" });
  for (const [event, verdict] of Object.entries(KIND_OF_CRUD)) expect(CRUD_OF_KIND[verdict]).toBe(event);
});

test("what was said earlier brings nothing later up to date", () => {
  const [early, late] = [1000, 2000];
  const judge = (freshAt: number, oldAt: number) =>
    judgeConflict(
      { text: "Alice lives in Berlin", happenedAt: freshAt },
      { text: "Alice lives in Paris", happenedAt: oldAt },
    ).kind;
  expect(judge(late, early)).toBe("update");
  expect(judge(early, late)).toBe("none");
});

test("the evidence says what was seen", () => {
  expect(judgeConflict({ text: "Alice lives in Berlin" }, { text: "Alice lives in Paris" }).evidence).toEqual(
    ["alice, residence: Paris → Berlin"],
  );
});

test("laws: confidence is a part of one; a text repeats itself; nothing contradicts an unrelated text", () => {
  const text = fc.nat().map((seed) => sampleText(seededRandom(seed), 10));
  fc.assert(
    fc.property(text, text, (a, b) => {
      const { confidence } = judgeConflict({ text: a }, { text: b });
      expect(confidence).toBeGreaterThanOrEqual(0);
      expect(confidence).toBeLessThanOrEqual(1);
      expect(kind(a, a)).toBe("duplicate");
      expect(kind(a, "Zorblax quuxes")).toBe("none");
    }),
  );
});
