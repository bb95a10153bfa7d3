/** Small talk is dropped, and nothing that tells is. */
import { expect, test } from "vitest";
import { tellingSentences } from "./dialogue-facts.ts";
import { isSmallTalk } from "./small-talk.ts";

test.each([
  "Thanks a million for the lift, Omar!",
  "I really appreciate it.",
  "Wow, that's cool, Omar!",
  "Keep it up, you're a star!",
  "Your kind words mean a lot to me.",
  "I'm so glad you enjoyed the soup.",
  "Sorry to hear about your car.",
  "It's been a while since we talked!",
  "That must have been so scary.",
  "Those curtains look gorgeous!",
  "Let's keep in touch, talk soon!",
  "I totally agree, Omar.",
  "Sounds like a plan!",
  "非常感谢你的帮助，朋友。",
  "这个主意听起来真不错。",
  "好的，我会考虑你的建议。",
  "你说得很有道理。",
  "我们下次再聊吧，再见！",
  "恭喜你！",
])("nothing is told by: %s", (sentence) => {
  expect(isSmallTalk(sentence)).toBe(true);
  expect(tellingSentences(sentence)).toEqual([]);
});

test.each([
  ["Thanks, I moved to Porto in May.", "I moved to Porto in May."],
  ["Thanks for asking, my knee is healing slowly.", "my knee is healing slowly."],
  ["Hey Omar, I sold the boat!", "I sold the boat!"],
  ["Keep in mind that I can't eat nuts.", "Keep in mind that I can't eat nuts."],
  ["That's my sister Zoe.", "That's my sister Zoe."],
  ["It's great, but I still miss the old flat.", "It's great, but I still miss the old flat."],
  ["I'm glad I quit smoking.", "I'm glad I quit smoking."],
  ["My new boss is awesome.", "My new boss is awesome."],
  ["The exhibition was stunning.", "The exhibition was stunning."],
  ["I'd love to see Iceland one day.", "I'd love to see Iceland one day."],
  ["Sounds fun, even if I hate camping.", "Sounds fun, even if I hate camping."],
  ["So Omar, my brother, is a pilot.", "Omar, my brother, is a pilot."],
  ["谢谢你，我搬到苏州了。", "我搬到苏州了。"],
  ["我很感谢我的老师教会我下棋。", "我很感谢我的老师教会我下棋。"],
  ["那家餐馆的面条很好吃，我每周都去。", "那家餐馆的面条很好吃，我每周都去。"],
  ["我们家的猫很可爱。", "我们家的猫很可爱。"],
])("something is told by: %s", (sentence, told) => {
  expect(tellingSentences(sentence)).toEqual([told]);
});

test("what is asked is not told, with a question mark or without", () => {
  expect(tellingSentences("Do you have a favourite painter")).toEqual([]);
  expect(tellingSentences("我喜欢品茶，有什么书可以推荐吗？")).toEqual(["我喜欢品茶。"]);
});
