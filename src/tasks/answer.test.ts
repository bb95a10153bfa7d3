import { expect, test } from "vitest";
import { answer, NO_INFORMATION } from "./answer.ts";
import { runTask } from "./run-task.ts";

const local = { onBadReply: "throw" } as const;

test.each([
  ["Is Ann married?", "Ann moved to Rome last week.", NO_INFORMATION.en],
  ["Is Ann married?", "Ann got married in May.", "Yes"],
  ["Is Ann married?", "Ann is not married.", "No"],
  ["Is Ann married?", "Ann hopes to be married soon.", NO_INFORMATION.en],
  ["Is Ann married?", "At the party Ann told all of her old friends she is not married.", NO_INFORMATION.en],
  ["Does Ben like tea?", "Ben hates tea.", "No"],
  ["Does Ben like tea?", "Ben likes tea, not coffee.", "Yes"],
  ["Doesn't Ben like tea?", "Ben likes tea.", "Yes"],
  ["Has Mia ever been to Rome?", "Mia has been to Rome twice.", "Yes"],
  ["小红买车了吗？", "小红想买房", NO_INFORMATION.zh],
  ["小红买车了吗？", "小红想买车", NO_INFORMATION.zh],
  ["小红买车了吗？", "小红买了一辆车。", "是"],
  ["小红买车了吗？", "小红没有买车。", "不是"],
  ["小明是不是医生？", "小明是医生。", "是"],
  ["小明是不是医生？", "小明住在上海。", NO_INFORMATION.zh],
  ["大伟喜欢茶吗？", "大伟讨厌茶。", "不是"],
])("[S2-31] yes or no only where all is spoken of: %s %s → %s", async (question, text, expected) => {
  const { reply } = await runTask(answer, { question, memories: [{ text }] }, local);
  expect(reply.answer).toBe(expected);
});

const day = (date: string): number => Date.parse(`${date}T18:00Z`);

test.each([
  [
    "of what is the same, what was said last",
    "Where does Mia live now?",
    ["Mia: I live in Harbour Lane.", "Mia: I am moving to a house in Willow Road in June."],
    "Willow Road",
  ],
  [
    "of what is the same, what was said last",
    "王芳现在住在哪里？",
    ["王芳: 我现在租在解放路旁边。", "王芳: 我搬到玉林路以后还没请你吃饭。"],
    "玉林路",
  ],
  [
    "who moves away lives where she moves to",
    "Where does Mia live?",
    ["Mia: I live in New York.", "Mia: Actually we moved from New York to San Diego yesterday."],
    "San Diego",
  ],
  [
    "who moves away lives where she moves to",
    "王芳住在哪里？",
    ["王芳: 我住在北京。", "王芳: 我上周从北京搬到了上海。"],
    "上海",
  ],
  [
    "where from is told where it is asked",
    "Where did Mia move from?",
    ["Mia: I moved from Berlin to Hamburg."],
    "Berlin, Hamburg",
  ],
  [
    "what somebody does is her work, not what she did last",
    "What does Mia do?",
    ["Mia: I work as a carpenter in Leeds.", "Mia: I bought a boat for 4000 pounds."],
    "Mia: I work as a carpenter in Leeds.",
  ],
  [
    "what somebody does is his work, not what he did last",
    "What does Ben do for a living?",
    ["Ben: I'm a school teacher.", "Ben: I bought a boat."],
    "Ben: I'm a school teacher.",
  ],
  [
    "what somebody does is her work, not what she did last",
    "王芳是做什么的？",
    ["王芳: 我是一名护士。", "王芳: 我昨天做了一条船。"],
    "王芳: 我是一名护士。",
  ],
  [
    "what is done on some day is no work",
    "What does Ben do on Sundays?",
    ["Ben: I work as a carpenter.", "Ben: On Sundays I go fishing."],
    "Ben: On Sundays I go fishing.",
  ],
  [
    "who somebody is, not who spoke of her last",
    "Who is Clara?",
    [
      "Mia: My sister Clara will bake them.",
      "Mia: Tomatoes, and a cherry tree for Clara's children to climb.",
    ],
    "Mia: My sister Clara will bake them.",
  ],
  [
    "what was before, where that is asked",
    "Where did Mia live before?",
    ["Mia: I live in Harbour Lane.", "Mia: I am moving to a house in Willow Road in June."],
    "Harbour Lane",
  ],
  [
    "a feast is found as it is called, and a plan that was given up is no answer",
    "李强国庆去哪里？",
    ["李强: 国庆我们本来想去云南，现在改成去敦煌看壁画了。", "李强: 买了，晚上从成都飞。"],
    "李强: 2026年10月1日我们本来想去云南，现在改成去敦煌看壁画了。",
  ],
  [
    "a plan that was given up is no answer",
    "Where is Ben going at Christmas?",
    ["Ben: At Christmas I wanted to go to Paris, but now I am going to Rome."],
    "Rome",
  ],
  [
    "the time of the clause that is asked about",
    "王芳什么时候去星河软件上班？",
    ["王芳: 我今天拿到新公司的录用通知了，下个月一号去星河软件上班。"],
    "2026年6月1日",
  ],
  [
    "the time of the clause that is asked about",
    "When does Ann start at the bank?",
    ["Ann: I got the letter today, and I will start at the bank on the 3rd of July."],
    "3 July 2026",
  ],
  [
    "a habit has no date",
    "When does Ben run?",
    ["Ben: We will see. I also run in the park on Tuesday mornings."],
    "Ben: I also run in the park on Tuesday mornings.",
  ],
  [
    "what is asked in a memory has not happened",
    "When do they go to Vienna?",
    ["Mia: Does that mean you can get us tickets to Vienna?"],
    NO_INFORMATION.en,
  ],
  [
    "a word is cut as the memories cut it",
    "李强的猫叫什么？",
    ["王芳: 好可爱！", "李强: 我家的猫终于有名字了，叫豆包。"],
    "李强: 我家的猫终于有名字了，叫豆包。",
  ],
  [
    "a greeting beside a question answers nothing",
    "王芳做什么工作？",
    ["李强: 恭喜！王芳还是做产品经理的工作吗？"],
    NO_INFORMATION.zh,
  ],
])("[S2-31] %s: %s", async (_why, question, texts, expected) => {
  const memories = texts.map((text, place) => ({ text, happenedAt: day(`2026-05-${11 + place}`) }));
  for (const shown of [memories, memories.toReversed()]) {
    const { reply } = await runTask(
      answer,
      { question, memories: shown, happenedAt: day("2026-11-16") },
      local,
    );
    expect(reply.answer).toBe(expected);
  }
});
