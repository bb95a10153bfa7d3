import fc from "fast-check";
import { expect, test } from "vitest";
import { type AnswerKind, askedKind, holdsKind } from "./answer-kind.ts";

test.each<[string, AnswerKind | null]>([
  ["Who painted the fence?", "name"],
  ["Whose bike is that?", "name"],
  ["With whom did Mia travel?", "name"],
  ["Where does Ben live?", "name"],
  ["Which city did they visit?", "name"],
  ["In which country was she born?", "name"],
  ["What Italian restaurant did she like?", "name"],
  ["At which university did I speak?", "name"],
  ["What is the name of her dog?", "name"],
  ["What's her dog's name?", "name"],
  ["What is her boat called?", "name"],
  ["What did she name her boat?", "name"],
  ["Which team won?", "name"],
  ["Can you remind me of the name of that shop?", "name"],
  ["Do you know who came?", "name"],
  ["When did Mia move?", "time"],
  ["when was it", "time"],
  ["Since when has she had it?", "time"],
  ["Can you tell me when she moved?", "time"],
  ["How long did it take?", "time"],
  ["How long ago was that?", "time"],
  ["For how long has he had it?", "time"],
  ["What year did he retire?", "time"],
  ["On what date did it open?", "time"],
  ["What was the date of the party?", "time"],
  ["How many weeks ago did I move?", "time"],
  ["How many days passed between the two trips?", "time"],
  ["How many cats does she have?", "number"],
  ["How many hours did I work?", "number"],
  ["How much did it cost?", "number"],
  ["How often do they meet?", "number"],
  ["How old is Ben?", "number"],
  ["At what age did he start?", "number"],
  ["What is the total cost of the trip?", "number"],
  ["My sister called. How many cakes did she bake?", "number"],
  ["What did she do when it rained?", null],
  ["When it rained, what did she do?", null],
  ["What did the friend who moved say?", null],
  ["What does she do in the city?", null],
  ["Why did she leave?", null],
  ["How did she feel?", null],
  ["What is her profession?", null],
  ["Did she like it?", null],
  ["Whatever.", null],
  ["", null],
  ["🎂?", null],
])("asks %s → %s", (question, kind) => {
  expect(askedKind(question)).toBe(kind);
});

test.each<[string, AnswerKind | null]>([
  ["谁送了她花？", "name"],
  ["她住在哪里？", "name"],
  ["他们在哪儿认识的？", "name"],
  ["她在什么地方工作？", "name"],
  ["我去过哪个城市？", "name"],
  ["我看了哪一部电影？", "name"],
  ["她的猫叫什么？", "name"],
  ["我读了一本书，它的名字是？", "name"],
  ["妳的貓叫什麼名字？", "name"],
  ["她什么时候搬家？", "time"],
  ["何时出发？", "time"],
  ["他哪年毕业？", "time"],
  ["哪天开会？", "time"],
  ["我跑了多久？", "time"],
  ["几月几号开学？", "time"],
  ["她几点到？", "time"],
  ["她幾點到？", "time"],
  ["那是几年前的事？", "time"],
  ["她有几只猫？", "number"],
  ["一共花了多少钱？", "number"],
  ["他多大了？", "number"],
  ["她去过多少次？", "number"],
  ["你推荐过几个节目，名字是？", "name"],
  ["这几天她做了什么？", null],
  ["她几乎没睡，为什么？", null],
  ["她为什么难过？", null],
  ["她喜欢什么颜色？", null],
])("asks %s → %s", (question, kind) => {
  expect(askedKind(question)).toBe(kind);
});

const people = ["Mia", "Ben Hart", "小明", "陈雨轩"];

test.each<[string, boolean]>([
  ["Mia: I moved to Lisbon.", true],
  ["Mia: Great to see you, Ben!", false],
  ["Ben: Hart is my family name, Mia.", false],
  ["We saw Mia's brother Paul.", true],
  ["Wonderful news. Everything went well!", false],
  ["So happy 😀 Thanks a lot", false],
  ["I think I'm late.", false],
  ["See you on Monday in July.", false],
  ["France was lovely.", true],
  ["We met Dr. Hopkins.", true],
  ["It was AMAZING", false],
  ["She works at NASA now", true],
  ["I read “Silent Rivers” twice", true],
  ['He said "No way!"', false],
  ["the grand canyon", false],
  ["McDonald came.", false],
  ["我搬到了杭州。", true],
  ["我在讀《家》。", true],
  ["她给我推荐了“小岛来信”。", true],
  ["王老师来过。", true],
  ["我叫周立。", true],
  ["我和陈雨轩去吃饭。", false],
  ["我和李雨轩去吃饭。", true],
  ["她在朝阳公园跑步。", true],
  ["我们去附近的公园走走。", false],
  ["我在一家公司上班。", false],
  ["我今天很高兴，周末见。", false],
  ["小时候我很安静。", false],
  ["我住在Lisbon。", true],
  ["", false],
  ["🎉🎉🎉", false],
])("a name in %s: %s", (text, holds) => {
  expect(holdsKind(text, "name", people)).toBe(holds);
});

test.each<[string, boolean]>([
  ["I went yesterday.", true],
  ["We met last Friday.", true],
  ["It was on Tuesday", true],
  ["three weeks ago", true],
  ["I have lived here since school", true],
  ["We fly next month.", true],
  ["See you tonight!", true],
  ["at 7 pm", true],
  ["at 14:30", true],
  ["on 2023-05-07", true],
  ["back in 1998", true],
  ["In May we moved.", true],
  ["It took 10 minutes", true],
  ["for a couple of years", true],
  ["this summer", true],
  ["It may rain and they march on.", false],
  ["May I ask?", false],
  ["The sun sat low.", false],
  ["She is sincere and sagacious.", false],
  ["I love my 5 cats", false],
  ["我昨天去了。", true],
  ["上周我们见过。", true],
  ["去年搬的家", true],
  ["2021年毕业", true],
  ["三月开学", true],
  ["星期三开会", true],
  ["跑了半个小时", true],
  ["三個月前", true],
  ["国庆节回家", true],
  ["今天气氛很好", true],
  ["大日子", false],
  ["我喜欢猫。", false],
  ["他上三年级。", false],
  ["你之前说过。", false],
  ["", false],
])("a time in %s: %s", (text, holds) => {
  expect(holdsKind(text, "time")).toBe(holds);
});

test.each<[string, boolean]>([
  ["I have 3 cats", true],
  ["three cats", true],
  ["I have one cat", true],
  ["I went twice", true],
  ["only once", true],
  ["a couple of them", true],
  ["a dozen eggs", true],
  ["my second win", true],
  ["every week", true],
  ["half of it", true],
  ["Twenty-one guests", true],
  ["That one is nice", false],
  ["one of them", false],
  ["one day we will", false],
  ["no one came", false],
  ["someone often phoned", false],
  ["The weight of tension", false],
  ["我有三只猫", true],
  ["买了两本书", true],
  ["去过几十次", true],
  ["好几个人", true],
  ["她二十三岁", true],
  ["一百零五", true],
  ["我有一只猫", true],
  ["兩個孩子", true],
  ["每天都跑步", true],
  ["第３名", true],
  ["我们一起去一下", false],
  ["一些人一直一样", false],
  ["这是一种方法", false],
  ["十分开心地", false],
  ["十分钟", true],
  ["我喜欢猫", false],
  ["", false],
])("a number in %s: %s", (text, holds) => {
  expect(holdsKind(text, "number")).toBe(holds);
});

test("very long texts are read to their end", () => {
  const long = "so it goes on and on, ".repeat(450);
  expect(holdsKind(`${long} in Lisbon`, "name")).toBe(true);
  expect(holdsKind(`${long} yesterday`, "time")).toBe(true);
  expect(holdsKind(`${long} twice`, "number")).toBe(true);
  for (const kind of ["name", "time", "number"] as const) expect(holdsKind(long, kind)).toBe(false);
  expect(askedKind(`${long} and where did it end?`)).toBe("name");
});

test("never throws, and a name that is ignored never counts", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect([null, "name", "time", "number"]).toContain(askedKind(text));
      expect(holdsKind(`we met ${text} and Zoltan`, "name")).toBe(true);
      for (const kind of ["time", "number"] as const) expect(typeof holdsKind(text, kind)).toBe("boolean");
    }),
  );
  expect(holdsKind("we met Zoltan", "name", ["Zoltan"])).toBe(false);
});
