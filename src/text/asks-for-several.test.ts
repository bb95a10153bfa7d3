import fc from "fast-check";
import { expect, test } from "vitest";
import { asksForSeveral } from "./asks-for-several.ts";

test.each([
  "How many cats does Mia have?",
  "How often do they meet?",
  "What activities does Ben enjoy?",
  "Which cities has Mia visited?",
  "What fantasy novels did he read?",
  "Which US states has she been to?",
  "What people did she meet?",
  "What areas of the country has he seen?",
  "What are Mia's hobbies?",
  "What are the names of her children?",
  "What are some changes Ben has made?",
  "Who are Mia's friends?",
  "What kinds of tea does she drink?",
  "What types of music do they play?",
  "What has Mia bought?",
  "What has she done to help?",
  "Where has Ben been?",
  "In what ways has he helped?",
  "Which city have both visited?",
  "What do Mia and Ben have in common?",
  "What traits describe Mia?",
  "Which friends came?",
  "What does Mia do to relax?",
  "Name all the birds she saw.",
  "What is the total number of books I read?",
  "Which of her plays were shown?",
  "Can you remind me what were the three goals we set?",
  "她去过哪些城市？",
  "他都买了什么？",
  "他们分别喜欢什么？",
  "她去过几次？",
  "我去過多少次？",
  "你推荐过的书有哪些？",
  "一共花了多少钱？",
  "她养了几只猫？",
  "他看了哪两部电影？",
])("several: %s", (question) => {
  expect(asksForSeveral(question)).toBe(true);
});

test.each([
  "When did Mia move?",
  "What did Mia say about her mother's illness?",
  "What is Mia's profession?",
  "What does she do?",
  "What is his name?",
  "What class does she take?",
  "What business did Ben start?",
  "What news did she bring?",
  "What series does he watch?",
  "What is this?",
  "What bus did she take?",
  "What status does he have?",
  "What motivates Mia to paint?",
  "What makes Ben think he can win?",
  "What helps her sleep?",
  "What kind of books does she like?",
  "Which song helps Ben?",
  "What was the name of the dog?",
  "What has happened?",
  "Where did she go?",
  "Who is Mia's boss?",
  "Does she always paint?",
  "Why does he like cats?",
  "How did the friends meet?",
  "她什么时候搬家？",
  "她几点到？",
  "他几岁了？",
  "她好几次迟到，为什么？",
  "这几天她在哪里？",
  "几个月前她去了哪里？",
  "她的猫叫什么？",
  "",
  "📚?",
])("one: %s", (question) => {
  expect(asksForSeveral(question)).toBe(false);
});

test("a long preface changes nothing, and no text is too much", () => {
  const preface = "I told you about it at length. ".repeat(320);
  expect(asksForSeveral(`${preface}Which cities did I see?`)).toBe(true);
  expect(asksForSeveral(`${preface}Which city did I see?`)).toBe(false);
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(asksForSeveral(`How many ${text}`)).toBe(true);
      expect(typeof asksForSeveral(text)).toBe("boolean");
    }),
  );
});
