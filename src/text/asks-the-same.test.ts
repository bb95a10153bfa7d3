import { expect, test } from "vitest";
import { asksTheSame } from "./asks-the-same.ts";

test.each([
  ["Where does Mia live?", "Where does Mia live?"],
  ["where does Mia live now?", "Where does Mia live now, and with whom?"],
  ["王芳住在哪里？", "王芳住在哪里呢？"],
])("%s asks nothing but %s", (text, question) => {
  expect(asksTheSame(text, question)).toBe(true);
});

test.each([
  ["Mia lives in Rome.", "Where does Mia live?"],
  ["I live in Rome, where does Mia live?", "Where does Mia live?"],
  ["Where does Mia live.", "Where does Mia live?"],
  ["?", "Where does Mia live?"],
  ["王芳搬到杭州了，住在哪里？", "王芳住在哪里？"],
])("%s says more than %s, or does not ask", (text, question) => {
  expect(asksTheSame(text, question)).toBe(false);
});
