import fc from "fast-check";
import { expect, test } from "vitest";
import { TOKENIZER_ID, tokenize } from "./tokenize.ts";

/** Any UTF-16 unit, halves of pairs among them. */
const CODE_UNIT = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));

test("English words are lower-cased and stemmed, function words left out", () => {
  expect(tokenize("The dogs are RUNNING in the parks!")).toEqual(["dog", "run", "park"]);
});

test("a text of function words keeps them", () => {
  expect(tokenize("To be or not to be?")).toEqual(["to", "be", "or", "not", "to", "be"]);
  expect(tokenize("don't")).toEqual(["dont"]);
  expect(tokenize("是的")).not.toEqual([]);
});

test("what is glued together is one token, and its parts are tokens too", () => {
  expect(tokenize("foo_bar")).toEqual(["foo_bar", "foo", "bar"]);
  expect(tokenize("v1.5")).toEqual(["v1.5", "1.5"]);
  expect(tokenize("user@example.com")).toEqual(["user@example.com", "example.com", "user", "exampl", "com"]);
  expect(tokenize("GPT-4")).toEqual(["gpt-4", "gpt4", "gpt", "4"]);
  expect(tokenize("iPhone15")).toEqual(["iphone15", "iphon", "15"]);
  expect(tokenize("getUserName")).toEqual(["getusernam", "get", "user", "name"]);
  expect(tokenize("2023-06-09")).toEqual(["2023-06-09", "2023", "06", "09"]);
  expect(tokenize("12:30pm")).toEqual(["12:30pm", "12:30"]);
  expect(tokenize("1,000.50")).toEqual(["1000.50"]);
  expect(tokenize("AT&T")).toContain("at&t");
  expect(tokenize("C++ and C#")).toEqual(["c++", "c#"]);
  expect(tokenize("see https://Example.com/Docs/page?x=12.")).toEqual([
    "see",
    "example.com/docs/page?x=12",
    "example.com",
    "exampl",
    "com",
    "doc",
    "page",
    "12",
  ]);
});

test.each([
  ["e-mail", "email"],
  ["GPT-4", "GPT4"],
  ["GPT4", "gpt 4"],
  ["O'Brien's", "OBrien"],
  ["José’s", "jose"],
  ["café", "CAFE"],
  ["U.S.", "the US government"],
  ["ＡＢＣ１２３", "abc123"],
  ["臺灣的國家圖書館", "台湾的国家图书馆"],
  ["東京でラーメン", "東京"],
  ["我养了一只狗", "狗"],
  ["張偉喜歡籃球", "张伟"],
  ["서울에서 살아요", "서울"],
])("%s and %s share a token", (one, other) => {
  const tokens = new Set(tokenize(one));
  expect(tokenize(other).some((token) => tokens.has(token))).toBe(true);
});

test("Chinese gives words and pairs, and no particle", () => {
  const tokens = tokenize("我昨天去了北京大学，和王小明一起吃饭。");
  for (const token of ["昨天", "北京", "大学", "小明", "王小", "吃饭"]) expect(tokens).toContain(token);
  for (const token of ["我", "了", "去了", "和", "，"]) expect(tokens).not.toContain(token);
  expect(tokenize("狗")).toEqual(["狗"]);
});

test("pictographs and other scripts are words", () => {
  expect(tokenize("🎂🎉 Привет мир")).toEqual(["🎂", "🎉", "привет", "мир"]);
  expect(tokenize("ภาษาไทย")).toEqual(["ภาษา", "ไทย"]);
});

test("laws: deterministic, lower-cased, no empty token, concatenation by lines adds up", () => {
  const text = fc.oneof(
    fc.string({ unit: CODE_UNIT }),
    fc.string({ unit: fc.constantFrom(..."abAB12'-_.@/:,+#& 我的北京です한국ñİ😀".split("")) }),
  );
  fc.assert(
    fc.property(text, text, (a, b) => {
      const tokens = tokenize(a);
      expect(tokenize(a)).toEqual(tokens);
      for (const token of tokens) {
        expect(token).not.toBe("");
        expect(token).not.toMatch(/\s/);
        expect(token).not.toMatch(/[A-Z]/);
      }
      const both = tokenize(`apple ${a}\napple ${b}`);
      expect(both).toEqual([...tokenize(`apple ${a}`), ...tokenize(`apple ${b}`)]);
    }),
    { numRuns: 500 },
  );
});

test("the id names the segmenter's data, because another ICU may cut words differently", () => {
  expect(TOKENIZER_ID).toContain(process.versions.icu);
});

test("the tokens of a fixed text are pinned: whoever changes them must raise TOKENIZER_ID", () => {
  const text =
    "Zoë's 3 cats re-read v1.5 of foo_bar at https://a.example/x; we're running! 圖書 ＮＦＫＣ Straße";
  expect(TOKENIZER_ID).toMatch(/^neuromem-1-icu-/);
  expect(tokenize(text).join(" ")).toBe(
    "zoe 3 cat reread re read v1.5 1.5 foo_bar foo bar a.example/x a.example exampl run 图书 nfkc strass",
  );
});
