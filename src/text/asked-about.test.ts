import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { askedAbout, type Participant, tellsOf, withoutNames } from "./asked-about.ts";

const people = (...names: string[]): Participant[] => names.map((name) => ({ name, role: "other" }));
const friends = people("Caroline Smith", "Tim", "Will", "May", "小明", "王丽");
const pair: readonly Participant[] = [
  { name: "user", role: "user" },
  { name: "assistant", role: "assistant" },
];

test.each([
  ["Mia is allergic to nuts.", true],
  ["Guess what! Mia’s dog ran away.", true],
  ["Mia Brown plays the cello.", true],
  ["Mia, are you allergic to nuts?", false],
  ["Nobody but Mia came.", false],
  ["Miami is hot.", false],
  ["Hey Mia! Nice hat.", false],
  ["", false],
])("%j tells something of Mia Brown: %s", (text, expected) => {
  expect(tellsOf(text, "Mia Brown")).toBe(expected);
});

describe("those whom a question names", () => {
  test.each([
    ["What did Caroline Smith paint?", ["Caroline Smith"]],
    ["What did Caroline paint?", ["Caroline Smith"]],
    ["Where is Caroline's studio?", ["Caroline Smith"]],
    ["Where is Caroline’s studio?", ["Caroline Smith"]],
    ["What do Tim and Caroline share?", ["Caroline Smith", "Tim"]],
    ["What time is it in Timbuktu?", []],
    ["Which Timmy came on time?", []],
    ["Is tim here?", []],
    ["TIM, WHERE ARE YOU?", ["Tim"]],
    ["Will you come?", []],
    ["Will the shop open?", []],
    ["Will Tim come?", ["Tim"]],
    ["Did Will come?", ["Will"]],
    ["Will's dog is called what?", ["Will"]],
    ["Will said what?", ["Will"]],
    ["Will Will come?", ["Will"]],
    ["May you rest?", []],
    ["What happened in May?", []],
    ["What happened on 5 May 2023?", []],
    ["What happened at the end of May?", []],
    ["What did May cook?", ["May"]],
    ["小明的猫叫什么？", ["小明"]],
    ["王麗去過哪裡？", ["王丽"]],
    ["王丽和小明在哪里认识的？", ["小明", "王丽"]],
    ["Tim的生日是哪天？", ["Tim"]],
    ["明天谁来？", []],
    ["Tim-Oliver came?", []],
    ["", []],
    ["🎉🎉", []],
  ])("%s → %j", (question, names) => {
    expect(askedAbout(question, friends)).toEqual(names);
  });

  test("a name inside a longer one, a first name that two share, a title, an initial, one character", () => {
    const two = people("Caroline Smith", "Caroline Jones");
    expect(askedAbout("What did Caroline Jones say?", two)).toEqual(["Caroline Jones"]);
    expect(askedAbout("What did Caroline say?", two)).toEqual(["Caroline Smith", "Caroline Jones"]);
    expect(askedAbout("王小明在哪？", people("小明", "王小明"))).toEqual(["王小明"]);
    expect(askedAbout("What did Dr Hart say?", people("Dr. Smith"))).toEqual([]);
    expect(askedAbout("What did Smith say?", people("Dr. Smith"))).toEqual(["Dr. Smith"]);
    expect(askedAbout("What is plan J?", people("J. Smith"))).toEqual([]);
    expect(askedAbout("王先生高兴吗？", people("王", "高"))).toEqual([]);
    expect(askedAbout("What did mia_88 post?", people("mia_88"))).toEqual(["mia_88"]);
    expect(askedAbout("Who?", people(" ", ""))).toEqual([]);
  });

  test("whoever is named goes before the one who asks", () => {
    const both: Participant[] = [{ name: "Mia", role: "user" }, ...people("Ben")];
    expect(askedAbout("What did Ben tell me?", both)).toEqual(["Ben"]);
    expect(askedAbout("What did I tell my boss?", both)).toEqual(["Mia"]);
  });
});

describe("the one who asks, or the one who is asked", () => {
  test.each([
    ["Where did I park?", "user"],
    ["what did i buy", "user"],
    ["What is my dog's name?", "user"],
    ["Which hotel did we like?", "user"],
    ["Who told us that?", "user"],
    ["What did I tell you about my dog?", "user"],
    ["Do you remember what I said?", "user"],
    ["Can you recommend a film I would like?", "user"],
    ["In our last conversation I told you about a trip. Where did I go?", "user"],
    ["What does the user want?", ""],
    ["Which states of the US border Canada?", ""],
    ["Who won World War I?", ""],
    ["Tell me the capital of Peru.", ""],
    ["What is the name of the book you recommended?", "assistant"],
    ["Which dish did you suggest I cook?", "assistant"],
    ["You previously mentioned a museum. Which?", "assistant"],
    ["What have you told me about tea?", "assistant"],
    ["Remind me what you called that plan?", "assistant"],
    [
      "I go back to our previous conversation on birds. Can you remind me what colour the jay was?",
      "assistant",
    ],
    ["What was the third point in your last answer to me?", "assistant"],
    ["我的猫叫什么？", "user"],
    ["咱们上次去了哪儿？", "user"],
    ["我曾经和你推荐过一部电影，它的名字是？", "user"],
    ["你还记得我说过什么吗？", "user"],
    ["你能给我推荐一本书吗？", "user"],
    ["我告诉过你我的生日，是哪天？", "user"],
    ["自我介绍怎么写？", ""],
    ["我国有多少个省？", ""],
    ["你说过哪些方法？", "assistant"],
    ["你推荐的餐厅在哪里？", "assistant"],
    ["你之前给我推荐了什么？", "assistant"],
    ["你曾經給我推薦過哪些畫家？", "assistant"],
    ["我记得你提到一家店，叫什么？", "assistant"],
    ["咱们上次聊到的鸟，你能提醒我是什么颜色吗？", "assistant"],
    ["", ""],
  ])("%s → %s", (question, name) => {
    expect(askedAbout(question, pair)).toEqual(name === "" ? [] : [name]);
  });

  test("all who have the role, and none where nobody has it", () => {
    const family: Participant[] = [
      { name: "Mia", role: "user" },
      { name: "Ben", role: "user" },
    ];
    expect(askedAbout("Where did we go?", family)).toEqual(["Mia", "Ben"]);
    expect(askedAbout("What did you say?", family)).toEqual([]);
    expect(askedAbout("Where did we go?", [])).toEqual([]);
  });
});

describe("the question without names", () => {
  const names = ["Caroline Smith", "Tim", "James", "May", "小明", "王丽"];
  test.each([
    ["What did Caroline Smith paint?", "What did paint?"],
    ["What did Caroline paint?", "What did paint?"],
    ["Where is Caroline's studio?", "Where is studio?"],
    ["Where is Tim’s studio?", "Where is studio?"],
    ["Where is James' studio?", "Where is studio?"],
    ["What do Tim and Caroline like?", "What do like?"],
    ["What do Tim, James and Caroline like?", "What do like?"],
    ["What did Tim give to Caroline?", "What did give to?"],
    ["Tim, where is the key?", "where is the key?"],
    ["Where is the key, Tim?", "Where is the key?"],
    ["The key, Tim, is where?", "The key, is where?"],
    ["Who (Tim) came?", "Who came?"],
    ["Who is “Tim” then?", "Who is then?"],
    ["What time is it?", "What time is it?"],
    ["What  happened   in May?", "What  happened   in May?"],
    ["小明的猫叫什么？", "猫叫什么？"],
    ["小明和王丽去过哪里？", "去过哪里？"],
    ["昨天 小明 去了哪里？", "昨天去了哪里？"],
    ["王麗的生日是哪天？", "生日是哪天？"],
    ["Tim的猫呢？", "猫呢？"],
    ["她跟小明说了什么？", "她跟说了什么？"],
    ["Tim?", "Tim?"],
    ["小明？", "小明？"],
    ["Tim and Caroline!", "Tim and Caroline!"],
    ["Tim 🎉", "Tim 🎉"],
    ["", ""],
  ])("%s → %s", (question, expected) => {
    expect(withoutNames(question, names)).toBe(expected);
  });

  test("a very long question loses every name", () => {
    expect(withoutNames("Tim saw a cat. ".repeat(700), ["Tim"])).not.toContain("Tim");
  });

  test("never throws, never grows, and leaves no name that it could do without", () => {
    const word = fc.constantFrom(
      "Tim",
      "Tim's",
      "小明",
      "的",
      "Will",
      "you",
      " ",
      ",",
      "?",
      "(",
      ")",
      "İ",
      "😀",
      "time",
      "和",
    );
    const text = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.array(word, { maxLength: 30 }).map((words) => words.join("")),
    );
    fc.assert(
      fc.property(text, fc.array(fc.oneof(word, fc.string()), { maxLength: 4 }), (question, some) => {
        const left = withoutNames(question, some);
        expect(left.length).toBeLessThanOrEqual(question.length);
        const participants = some.map((name): Participant => ({ name, role: "user" }));
        for (const name of askedAbout(question, participants)) expect(some).toContain(name);
      }),
    );
  });
});
