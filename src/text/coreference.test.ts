import fc from "fast-check";
import { expect, test } from "vitest";
import { resolveSpeakers } from "./coreference.ts";

const MIA = { speaker: "Mia", listener: "Ben" };

test.each([
  ["I love my dog.", "Mia loves Mia's dog."],
  ["I really like it.", "Mia really likes it."],
  ["I went home and I watched TV.", "Mia went home and Mia watched TV."],
  ["I'm happy, I've been busy and I'll call you.", "Mia is happy, Mia has been busy and Mia will call Ben."],
  ["I don't know.", "Mia doesn't know."],
  ["I have a cat and I try to feed it.", "Mia has a cat and Mia tries to feed it."],
  ["I can swim.", "Mia can swim."],
  ["I no longer smoke.", "Mia no longer smokes."],
  ["I very much like tea.", "Mia very much likes tea."],
  ["I kind of miss Paris.", "Mia kind of misses Paris."],
  ["I sort my mail.", "Mia sorts Mia's mail."],
  ["Neither I nor Ben smoke.", "Neither Mia nor Ben smoke."],
  ["She gave me a book.", "She gave Mia a book."],
  ["That book is mine.", "That book is Mia's."],
  ["Do you like my new bike?", "Does Ben like Mia's new bike?"],
  ["Are you coming with me?", "Is Ben coming with Mia?"],
  ["You said you were tired.", "Ben said Ben was tired."],
  ["Your sister called me.", "Ben's sister called Mia."],
  ["How have you been?", "How has Ben been?"],
  ["I was there when you told me.", "Mia was there when Ben told Mia."],
  ['I told him "I love you" yesterday.', 'Mia told him "I love you" yesterday.'],
  ["We moved to our new house.", "We moved to our new house."],
  ["I put it down.", "Mia put it down."],
  ["What do you think, can I go?", "What does Ben think, can Mia go?"],
  ["i think i’d like that", "Mia thinks Mia would like that"],
  ["Thanks for helping me, you guys!", "Thanks for helping Mia, you guys!"],
  ["Oh my god, I need sleep.", "Oh my god, Mia needs sleep."],
])("[S2-6] %s → %s", (text, expected) => {
  expect(resolveSpeakers(text, MIA)).toBe(expected);
});

const XIAOMING = { speaker: "小明", listener: "小红" };

test.each([
  ["我爱我的狗。", "小明爱小明的狗。"],
  ["我妈妈昨天来了。", "小明的妈妈昨天来了。"],
  ["你的猫好可爱，我很喜欢你。", "小红的猫好可爱，小明很喜欢小红。"],
  ["我们明天去你家。", "我们明天去小红的家。"],
  ["你好，我自己做的。", "你好，小明自己做的。"],
  ["他说“我不去”，你呢？", "他说“我不去”，小红呢？"],
  ["我國的自我認識", "我國的自我認識"],
])("[S2-6] %s → %s", (text, expected) => {
  expect(resolveSpeakers(text, XIAOMING)).toBe(expected);
});

test.each([
  ["I myself love tea.", "Mia personally loves tea."],
  ["I moved to Rome and work at a bank.", "Mia moved to Rome and works at a bank."],
  ["I'm a nurse and have two cats.", "Mia is a nurse and has two cats."],
  ["I live alone but like company.", "Mia lives alone but likes company."],
  ["I want to live in Rome and work at a bank.", "Mia wants to live in Rome and work at a bank."],
  ["I can sing and play the harp.", "Mia can sing and play the harp."],
  ["Ben and I live in Rome.", "Ben and Mia live in Rome."],
  ["I enjoy work and play.", "Mia enjoys work and play."],
])("a second verb has the same subject: %s", (text, expected) => {
  expect(resolveSpeakers(text, { speaker: "Mia" })).toBe(expected);
});

test("without a listener the second person stays", () => {
  expect(resolveSpeakers("I like you. 我喜欢你。", { speaker: "Mia" })).toBe("Mia likes you. Mia喜欢你。");
});

test("laws: what has no first or second person is untouched, and nothing is rewritten twice", () => {
  const word = fc.constantFrom(..."the dog runs she said we our 他 喜欢 狗 . , Ben".split(" "));
  fc.assert(
    fc.property(fc.array(word), (words) => {
      const text = words.join(" ");
      expect(resolveSpeakers(text, MIA)).toBe(text);
    }),
  );
  const any = fc.constantFrom(..."I love my dog and you are nice . me your do have 我 你 的 家".split(" "));
  fc.assert(
    fc.property(fc.array(any), (words) => {
      const once = resolveSpeakers(words.join(" "), MIA);
      expect(resolveSpeakers(once, MIA)).toBe(once);
    }),
  );
});
