import { expect, test } from "vitest";
import { asks } from "./asks.ts";

test.each([
  "Where do I live?",
  "where do i live",
  "tell me where I live",
  "Is Tom a baker",
  "And do you know my birthday",
  "So? I asked where he is.",
  "我住在哪里",
  "你記得我的貓叫什麼嗎",
  "告诉我王芳的生日",
  "他几岁了",
])("%s: asks", (text) => {
  expect(asks(text)).toBe(true);
});

test.each([
  "I live in Rome.",
  "Actually I moved from Berlin to Hamburg yesterday.",
  "Thanks!",
  "My sister is called Ida.",
  "我住在成都。",
  "我上周搬到了深圳！",
  "谢谢",
])("%s: tells", (text) => {
  expect(asks(text)).toBe(false);
});
