import { expect, test } from "vitest";
import { stripSource } from "./source-text.ts";

const bare = (text: string) => stripSource(text, { strings: false }).replace(/ +/g, " ").trim();
const spoken = (text: string) => stripSource(text, { strings: true }).replace(/ +/g, " ").trim();

test("comments go, strings stay or are emptied", () => {
  expect(spoken('a("x // y"); // gone')).toBe('a("x // y");');
  expect(bare('a("x // y"); /* gone */ b')).toBe('a(" "); b');
  expect(bare(`a('it\\'s'); b`)).toBe("a(' '); b");
});

test("holes of a template are program, its text is not", () => {
  const holed = (text: string) => text.replaceAll("#", "$");
  expect(bare(holed("`any #{a ? `any #{b}` : { c }} any` d"))).toBe(holed("` #{a ? ` #{b}` : { c }} ` d"));
  expect(spoken(holed("`http://x #{a /* gone */}`"))).toBe(holed("`http://x #{a }`"));
});

test("a regular expression is no comment and no string; a division is neither", () => {
  expect(bare("x = /[\"'`/]+\\//u; // gone")).toBe("x = ;");
  expect(bare("a / b / c // gone")).toBe("a / b / c");
});

test("lines stay where they were", () => {
  const text = "a\n/* 1\n2 */\nb `x\ny` c";
  expect(stripSource(text, { strings: false }).split("\n")).toHaveLength(5);
});
