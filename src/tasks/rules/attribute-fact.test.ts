import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seededRandom } from "../../base/random.ts";
import { sampleText } from "../../testing/sample.ts";
import { attributeFacts, attributeKey, isMorePrecise, isSameValue } from "./attribute-fact.ts";

const said = (text: string, speaker?: string) =>
  attributeFacts(text, speaker).map(
    ({ entity, attribute, value, negated }) => `${entity} | ${attribute} | ${negated ? "not " : ""}${value}`,
  );

describe("[S1-24] entity and attribute of English statements", () => {
  test.each([
    ["Alice's favorite color is blue.", "alice | favourite colour | blue"],
    ["ALICE'S FAVORITE COLOR IS red", "alice | favourite colour | red"],
    ["Alice’s dog's name is Rex", "alice's dog | name | Rex"],
    ["The capital of France is Paris.", "france | capital | Paris"],
    ["Bob is Alice's husband.", "alice | spouse | Bob"],
    ["Alice lives in Paris now.", "alice | residence | Paris"],
    ["Alice no longer lives in Paris.", "alice | residence | not Paris"],
    ["On 8 May 2023, Alice moved from Paris to Berlin.", "alice | residence | Berlin"],
    ["Alice's city is Rome.", "alice | residence | Rome"],
    ["Alice works for Google.", "alice | employer | Google"],
    ["Alice works as a nurse.", "alice | occupation | nurse"],
    ["Alice is thirty-two years old.", "alice | age | thirty-two"],
    ["Alice was born on 3 May 1990.", "alice | birthday | 3 May 1990"],
    ["Alice was born in 1990.", "alice | birth year | 1990"],
    ["Alice is not married to John.", "alice | spouse | not John"],
    ["Alice is divorced.", "alice | marital status | divorced"],
    ["Alice doesn't like green tea.", "alice | opinion of green tea | negative"],
    ["Alice can't stand drinking coffee.", "alice | opinion of coffee | negative"],
    ["Alice has two kids.", "alice | children | two"],
  ])("%s", (text, expected) => expect(said(text)).toEqual([expected]));

  test("several in one sentence, the subject said once", () => {
    expect(said("Ben lives in Boston and works at Google.")).toEqual([
      "ben | residence | Boston",
      "ben | employer | Google",
    ]);
  });
});

describe("[S1-24] and of Chinese ones, simplified and traditional", () => {
  test.each([
    ["小明的职业是医生。", "小明 | occupation | 医生"],
    ["小明的妈妈的名字是李红", "小明的妈妈 | name | 李红"],
    ["小明最喜欢的颜色是蓝色", "小明 | 最喜欢的颜色 | 蓝色"],
    ["小明住在北京", "小明 | residence | 北京"],
    ["張老師住在臺北", "张老师 | residence | 台北"],
    ["小明现在不住在北京了", "小明 | residence | not 北京"],
    ["2023年5月，王芳搬去了深圳", "王芳 | residence | 深圳"],
    ["小明在谷歌工作", "小明 | employer | 谷歌"],
    ["小明是一名老师", "小明 | occupation | 老师"],
    ["小明今年二十八岁", "小明 | age | 二十八"],
    ["小明是四川人", "小明 | origin | 四川"],
    ["李强是小红的丈夫", "小红 | spouse | 李强"],
    ["小红和李强结婚了", "小红 | spouse | 李强"],
    ["小明不再喜欢喝咖啡了", "小明 | opinion of 咖啡 | negative"],
    ["小明有两个孩子", "小明 | children | 两"],
    ["小明在北京大学读书", "小明 | school | 北京大学"],
  ])("%s", (text, expected) => expect(said(text)).toEqual([expected]));

  test("several in one sentence, the subject said once", () => {
    expect(said("大伟2023年4月搬到了北京，现在在腾讯工作。")).toEqual([
      "大伟 | residence | 北京",
      "大伟 | employer | 腾讯",
    ]);
  });
});

test("what states no attribute of anybody gives none", () => {
  for (const text of [
    "It's raining.",
    "What's done is done.",
    "She likes tea.",
    "Let's go.",
    "今天天气很好。",
    "他住在北京。",
    "",
  ]) {
    expect(said(text), text).toEqual([]);
  }
});

test("the first person is the speaker", () => {
  expect(said("My birthday is May 3rd", "Mia")).toEqual(["mia | birthday | May 3rd"]);
  expect(said("I live in Oslo")).toEqual(["i | residence | Oslo"]);
  expect(said("我住在杭州", "小美")).toEqual(["小美 | residence | 杭州"]);
});

test("values and keys are compared beyond their form", () => {
  expect(isSameValue("thirty-two", "32")).toBe(true);
  expect(isSameValue("二十八", "28")).toBe(true);
  expect(isSameValue("The Hague", "the hague")).toBe(true);
  expect(isSameValue("Paris", "Berlin")).toBe(false);
  expect(isMorePrecise("the old town of Paris", "Paris")).toBe(true);
  expect(isMorePrecise("北京市海淀区", "北京")).toBe(true);
  expect(isMorePrecise("Paris", "the old town of Paris")).toBe(false);
  const keys = ["Alice likes running", "Alice hates to run"]
    .flatMap((text) => attributeFacts(text))
    .map(attributeKey);
  expect(new Set(keys).size).toBe(1);
});

test("law: no part is ever empty, for any text", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: "grapheme" }),
        fc.nat().map((seed) => sampleText(seededRandom(seed), 12)),
      ),
      (text) => {
        for (const fact of attributeFacts(text)) {
          expect(fact.entity && fact.attribute && fact.value).not.toBe("");
        }
      },
    ),
  );
});
