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
  ["Mia moved to Rome. Who else?", "Who else besides Mia moved to Rome?"],
  ["I told you: Mia moved to Rome, remember?", "Do you remember that I told you Mia moved to Rome?"],
  ["Bo married Ann, right?", "Right, who married Bo, Ann or Eve?"],
  ["Tea or coffee?", "Did Ann ask for tea or coffee?"],
  ["茶还是咖啡？", "王芳说的是要喝茶还是咖啡？"],
])("%s says more than %s, or does not ask", (text, question) => {
  expect(asksTheSame(text, question)).toBe(false);
});
