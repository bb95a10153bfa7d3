/** Two facts of one sentence are cut apart where that is safe, and nowhere else. */
import { expect, test } from "vitest";
import { toldClauses } from "./told-clauses.ts";

const isTimed = (text: string): boolean => /last|去年|昨天/iu.test(text);

test.each([
  ["I moved to Rome and I work at a bank.", ["I moved to Rome.", "I work at a bank."]],
  ["I moved to Rome and work at a bank.", ["I moved to Rome.", "I work at a bank."]],
  ["Mia moved to Rome and works at a bank.", ["Mia moved to Rome.", "Mia works at a bank."]],
  [
    "I work at a bank, and I have two cats and love tea.",
    ["I work at a bank.", "I have two cats.", "I love tea."],
  ],
  [
    "My sister lives in Oslo and works as a lawyer.",
    ["My sister lives in Oslo.", "My sister works as a lawyer."],
  ],
  ["I don't like coffee but I love green tea.", ["I don't like coffee.", "I love green tea."]],
  ["I live in Lyon and my brother lives in Metz.", ["I live in Lyon.", "my brother lives in Metz."]],
  ["我搬到了苏州，现在在银行工作。", ["我搬到了苏州。", "我现在在银行工作。"]],
  ["我住在北京，我喜欢喝茶。", ["我住在北京。", "我喜欢喝茶。"]],
  ["我叫阿雅，是一名护士，养了一只猫。", ["我叫阿雅。", "我是一名护士。", "我养了一只猫。"]],
])("two facts: %s", (sentence, clauses) => {
  expect(toldClauses(sentence, isTimed)).toEqual(clauses);
});

test.each([
  "I want to live in Rome and work at a bank.",
  "I don't live in Rome and work at a bank.",
  "I think I like tea and I live here.",
  "If I move to Rome and I work at a bank, I will be happy.",
  "I have a dog and I love it.",
  "I love my dog and my old grey cat.",
  "I like salt and pepper.",
  "Last May I moved to Rome and I met Ben.",
  "I met a man who lives in Rome and works at a bank.",
  "We cooked and we danced.",
  "Ben and I live in Rome and work at a bank.",
  "我喜欢喝茶，它让我放松。",
  "如果我住在北京，我会很高兴。",
  "我觉得我喜欢北京，我喜欢茶。",
  "我昨天去了公园，看到很多人。",
])("one fact: %s", (sentence) => {
  expect(toldClauses(sentence, isTimed)).toEqual([sentence]);
});
