/** The tasks that weigh one statement: against memories, on a scale, for its feelings. */
import { describe, expect, test } from "vitest";
import { testTask } from "../testing/task-suite.ts";
import { decideCrud } from "./decide-crud.ts";
import { detectConflict } from "./detect-conflict.ts";
import { runTask } from "./run-task.ts";
import { scoreEmotion } from "./score-emotion.ts";
import { scoreImportance } from "./score-importance.ts";

const local = { onBadReply: "throw" } as const;

testTask(decideCrud, {
  en: {
    input: {
      facts: ["Mia moved to Berlin.", "Mia plays chess."],
      memories: ["Mia lives in Paris.", "Ben likes tea."],
    },
    reply: {
      decisions: [
        { fact: 0, event: "UPDATE", id: 0, text: "Mia moved from Paris to Berlin." },
        { fact: 1, event: "ADD", id: null, text: "Mia plays chess." },
      ],
    },
  },
  zh: {
    input: { facts: ["小美讨厌咖啡。"], memories: ["小美喜欢咖啡。"] },
    reply: { decisions: [{ fact: 0, event: "DELETE", id: 0, text: "小美讨厌咖啡。" }] },
  },
  from: ([first = "", ...rest]) => ({ facts: [first, "x"], memories: [...rest, "coffee garden"] }),
});

testTask(detectConflict, {
  en: {
    input: { new: { text: "Mia hates tea." }, old: { text: "Mia loves tea." } },
    reply: {
      kind: "contradiction",
      confidence: 0.9,
      evidence: ["One says that Mia loves tea, the other that Mia hates it."],
    },
  },
  zh: {
    input: { new: { text: "小美住在上海。" }, old: { text: "小美住在北京。" } },
    reply: { kind: "update", confidence: 0.9, evidence: ["住处由北京变为上海。"] },
  },
  from: ([first = "", ...rest]) => ({ new: { text: first }, old: { text: rest.join("\n") } }),
});

testTask(scoreImportance, {
  en: { input: { text: "Mia got married on Saturday." }, reply: { importance: 10 } },
  zh: { input: { text: "小美星期六结婚了。" }, reply: { importance: 10 } },
  from: (texts) => ({ text: texts.join("\n") }),
});

const NEUTRAL = {
  joy: 1,
  acceptance: 1,
  fear: 1,
  surprise: 1,
  sadness: 1,
  disgust: 1,
  anger: 1,
  anticipation: 1,
};

testTask(scoreEmotion, {
  en: { input: { text: "I am so happy!" }, reply: { ...NEUTRAL, joy: 9 } },
  zh: { input: { text: "我太开心了！" }, reply: { ...NEUTRAL, joy: 9 } },
  from: (texts) => ({ text: texts.join("\n") }),
});

describe("local answers", () => {
  test("[C-10] every fact gets one decision; the four events follow the verdicts", async () => {
    const input = {
      facts: ["Mia moved to Berlin.", "Mia plays chess.", "Ben hates tea.", "Ben's sister is called Ann."],
      memories: ["Mia lives in Paris.", "Ben likes tea.", "Ben's sister is called Ann"],
    };
    const { decisions } = (await runTask(decideCrud, input, local)).reply;
    expect(decisions.map(({ event, id }) => [event, id])).toEqual([
      ["UPDATE", 0],
      ["ADD", null],
      ["DELETE", 1],
      ["NOOP", 2],
    ]);
    // mem0#4536: what contradicts takes the old one's place, it does not go with it.
    expect(decisions[2]?.text).toBe("Ben hates tea.");
  });

  test("[C-10] the same in Chinese", async () => {
    const input = {
      facts: ["小美搬到了上海。", "小美会下棋。", "大伟讨厌喝茶。"],
      memories: ["小美住在北京。", "大伟喜欢喝茶。"],
    };
    const { decisions } = (await runTask(decideCrud, input, local)).reply;
    expect(decisions.map(({ event }) => event)).toEqual(["UPDATE", "ADD", "DELETE"]);
  });

  test("without memories everything is new, and nobody is asked", async () => {
    const { reply } = await runTask(decideCrud, { facts: ["Mia plays chess."], memories: [] }, local);
    expect(reply.decisions).toEqual([{ fact: 0, event: "ADD", id: null, text: "Mia plays chess." }]);
  });

  test("invented ids, lost facts and events without a memory are refused", () => {
    const input = { facts: ["a", "b"], memories: ["m"] };
    const problems = (decisions: Parameters<NonNullable<typeof decideCrud.problems>>[0]["decisions"]) =>
      decideCrud.problems?.({ decisions }, input) ?? [];
    const first = { fact: 0, event: "ADD", id: null, text: "a" } as const;
    expect(problems([first])).toHaveLength(1);
    expect(problems([first, { fact: 1, event: "UPDATE", id: 7, text: "b" }])).toHaveLength(1);
    expect(problems([first, { fact: 1, event: "NOOP", id: null, text: "b" }])).toHaveLength(1);
    expect(problems([first, { fact: 1, event: "NOOP", id: 0, text: "b" }])).toEqual([]);
    expect(decideCrud.reply.parse({ decisions: [{ fact: "0", event: "none", id: "0", text: "a" }] })).toEqual(
      {
        decisions: [{ fact: 0, event: "NOOP", id: 0, text: "a" }],
      },
    );
  });

  test.each([
    ["Hi there!", "My mother died last night."],
    ["is idle", "I got a new job in Berlin!"],
    ["I had breakfast.", "We are getting married in June."],
    ["你好！", "我爷爷昨天去世了。"],
    ["我刷牙了。", "我考上了北京大学，太高兴了！"],
  ])("%s matters less than %s", async (small, big) => {
    const score = async (text: string) => (await runTask(scoreImportance, { text }, local)).reply.importance;
    expect(await score(small)).toBeLessThanOrEqual(2);
    expect(await score(big)).toBeGreaterThanOrEqual(7);
  });

  test("the strongest emotion, in both languages; the published list form is taken", async () => {
    const strongest = async (text: string) => {
      const { reply } = await runTask(scoreEmotion, { text }, local);
      return Object.entries(reply).sort(([, a], [, b]) => b - a)[0]?.[0];
    };
    expect(await strongest("I am terrified of the dark.")).toBe("fear");
    expect(await strongest("我很生气，太愤怒了！")).toBe("anger");
    expect((await runTask(scoreEmotion, { text: "The table is brown." }, local)).reply).toEqual(NEUTRAL);
    expect(scoreEmotion.reply.parse([{ analysis: "…", dim: "Joy", score: "8" }])).toEqual({
      ...NEUTRAL,
      joy: 8,
    });
  });
});
