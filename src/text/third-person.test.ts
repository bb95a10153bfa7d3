import fc from "fast-check";
import { expect, test } from "vitest";
import { findReferents } from "./referents.ts";
import { resolveThirdPerson } from "./third-person.ts";

/** The last of some sentences, said by one speaker in one breath. */
async function read(
  sentences: readonly string[],
  speakers: readonly string[] = ["Mia", "Ben"],
): Promise<string> {
  const [speaker = "", listener] = speakers;
  const named = await Promise.all(sentences.map((text) => findReferents(text, { speaker, speakers })));
  const before = named.slice(0, -1);
  const own = named.at(-1) ?? [];
  const background = { before, ownSentences: before.length, own, speaker, listener };
  return resolveThirdPerson(sentences.at(-1) ?? "", background).text;
}

test.each([
  [["My uncle tunes pianos.", "He lives alone."], "Mia's uncle lives alone."],
  [["My sister Ella called.", "I gave her my old bike."], "I gave Ella my old bike."],
  [["My sister Ella called.", "Her car broke down."], "Ella's car broke down."],
  [["Paul met my sister.", "She was late and he was not."], "Mia's sister was late and Paul was not."],
  [["My parents met in Rome.", "They still go there."], "Mia's parents still go to Rome."],
  [
    ["I saw Paul and Irene.", "I like them and their dog."],
    "I like Paul and Irene and Paul and Irene's dog.",
  ],
  [["My parents came.", "Their train was late."], "Mia's parents' train was late."],
  [["I bought a red bike.", "I love it."], "I love the red bike."],
  [["I went sailing with my cousin Tom.", "We saw a seal."], "Mia and Tom saw a seal."],
  [["I had dinner at Rosa's.", "I want to eat there again."], "I want to eat at Rosa's again."],
])("[S2-6] %j → %s", async (sentences, expected) => {
  expect(await read(sentences)).toBe(expected);
});

test.each([
  [["我舅舅是调琴师。", "他周五来。"], "小明的舅舅周五来。"],
  [["我姐姐小雅搬到了杭州。", "她在那里上班。"], "小雅在杭州上班。"],
  [["我买了一台二手钢琴。", "我很喜欢它。"], "我很喜欢二手钢琴。"],
  [["我爸妈去了云南。", "他们很开心。"], "小明的爸妈很开心。"],
  [["我昨天和表妹丽丽去爬山。", "我们看到了猴子。"], "小明和丽丽看到了猴子。"],
  [["明天见。", "我们在星巴克见面吧。"], "小明和小红在星巴克见面吧。"],
])("[S2-6] %j → %s", async (sentences, expected) => {
  expect(await read(sentences, ["小明", "小红"])).toBe(expected);
});

test.each([
  ["two may be meant", ["I met Anna and my sister.", "She is a nurse."]],
  ["nobody was named", ["Good morning.", "She is a nurse."]],
  ["named only afterwards", ["Good morning.", "She told Anna a joke."]],
  ["of the other sex", ["My brother called.", "She is a nurse."]],
  ["the weather", ["I bought a bike.", "It is raining."]],
  ["a set phrase", ["I bought a bike.", "Keep it up!"]],
  ["a clause, not a thing", ["I bought a bike.", "I love it when you sing."]],
  ["that something exists", ["I went to Rome.", "There is a problem."]],
  ["whoever we are", ["I went to Rome.", "We had fun."]],
  ["with a thing of that name", ["I was at an event with Harry Potter trivia.", "We had fun."]],
  ["named long ago", ["My sister Ella called.", ...Array(8).fill("It was late."), "She is a nurse."]],
  ["很久以前说的", ["我姐姐小雅来了。", ...Array(8).fill("天气很好。"), "她是护士。"]],
  ["two things", ["My brother broke the vase and I bought a lamp.", "I fixed it."]],
  ["someone else's words", ["My uncle called.", 'Ben said "he is late".']],
  ["两个人", ["王刚和李梅来了。", "她是护士。"]],
  ["没有说过谁", ["早上好。", "他是护士。"]],
])("what is not sure stays: %s", async (_, sentences) => {
  expect(await read(sentences)).toBe(sentences.at(-1));
});

test("laws: without anybody named before, nothing changes; what is replaced is a pronoun", () => {
  const word = fc.constantFrom(
    ..."she her it there they we dog runs love 他 她 它 我们 那里 去 喜欢 . , ，".split(" "),
  );
  const nothing = { before: [], ownSentences: 0, own: [], speaker: "Mia" };
  const ella = { text: "Ella", kind: "person", gender: "female", end: 0 } as const;
  fc.assert(
    fc.property(fc.array(word), (words) => {
      const text = words.join(" ");
      expect(resolveThirdPerson(text, nothing)).toEqual({ text, replaced: [] });
      const { text: named, replaced } = resolveThirdPerson(text, { ...nothing, before: [[ella]] });
      for (const { pronoun, by } of replaced)
        expect(`${pronoun} ${by}`).toMatch(/^(?:she|her|她) Ella(?:'s)?$/);
      expect(named.split("Ella").length - 1).toBe(replaced.length);
    }),
  );
});
