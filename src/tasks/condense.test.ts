/** The tasks that make something shorter, or tell what it is about: notes, segments, themes, summaries, profiles, insights. */
import { describe, expect, test } from "vitest";
import { testTask } from "../testing/task-suite.ts";
import { distil } from "./distil.ts";
import { evolveNote } from "./evolve-note.ts";
import { judgeContinuity } from "./judge-continuity.ts";
import { mergePortraits } from "./merge-portraits.ts";
import { reflectInsights } from "./reflect-insights.ts";
import { reflectQuestions } from "./reflect-questions.ts";
import { runTask } from "./run-task.ts";
import { segmentTopics } from "./segment-topics.ts";
import { summarize } from "./summarize.ts";
import { summarizeChain } from "./summarize-chain.ts";
import { summarizeDay } from "./summarize-day.ts";
import { summarizeSession } from "./summarize-session.ts";
import { themes } from "./themes.ts";
import { updateProfile } from "./update-profile.ts";
import { writeNote } from "./write-note.ts";

const local = { onBadReply: "throw" } as const;
const talk = (...texts: readonly string[]) =>
  texts.map((text, i) => ({ speaker: i % 2 === 0 ? "Mia" : "Ben", text }));
const EN_LINES = talk(
  "My dog Rex loves the park. We walk in the park every morning.",
  "Dogs need a park. Does Rex chase balls in the park?",
  "Rex chases every ball. He is a happy dog.",
  "By the way, the new physics exam is on Friday.",
  "I study physics every evening for the exam.",
  "The exam covers optics and mechanics. Physics is hard.",
);
const ZH_LINES = talk(
  "我的狗叫豆豆，它喜欢去公园。我们每天早上去公园散步。",
  "狗需要公园。豆豆会追球吗？",
  "豆豆什么球都追，是一只快乐的狗。",
  "对了，物理考试在星期五。",
  "我每天晚上复习物理，准备考试。",
  "考试的内容是光学和力学，物理很难。",
);

testTask(writeNote, {
  en: {
    input: { text: "Mia glazed three clay bowls in the pottery class." },
    reply: {
      keywords: ["pottery", "clay bowls"],
      context: "Mia's work in a pottery class.",
      tags: ["hobby", "craft"],
    },
  },
  zh: {
    input: { text: "小美在陶艺课上给三个陶碗上了釉。" },
    reply: { keywords: ["陶艺", "陶碗"], context: "小美在陶艺课上的作品。", tags: ["爱好", "手工"] },
  },
  from: (texts) => ({ text: texts.join("\n") }),
});

const note = (content: string, tags: readonly string[] = []) => ({
  content,
  context: content,
  keywords: [],
  tags: [...tags],
});

testTask(evolveNote, {
  en: {
    input: {
      note: note("Mia glazed clay bowls in the pottery class", ["pottery"]),
      neighbours: [note("Mia joined a pottery class", ["class"]), note("Ben moved to Boston", ["move"])],
    },
    reply: {
      should_evolve: true,
      actions: ["strengthen", "update_neighbor"],
      suggested_connections: [0],
      tags_to_update: ["pottery", "class"],
      new_context_neighborhood: ["Mia has a pottery class in which Mia makes bowls", "Ben moved to Boston"],
      new_tags_neighborhood: [["class", "pottery"], ["move"]],
    },
  },
  zh: {
    input: {
      note: note("小美在陶艺课上给陶碗上釉", ["陶艺"]),
      neighbours: [note("小美报名了陶艺课", ["课程"])],
    },
    reply: {
      should_evolve: true,
      actions: ["strengthen"],
      suggested_connections: [0],
      tags_to_update: ["陶艺", "课程"],
      new_context_neighborhood: [],
      new_tags_neighborhood: [],
    },
  },
  from: ([first = "", ...rest]) => ({
    note: note(first, ["coffee"]),
    neighbours: (rest.length > 0 ? rest : ["coffee garden"]).map((text) => note(text, ["咖啡", text])),
  }),
});

testTask(segmentTopics, {
  en: {
    input: { lines: EN_LINES },
    reply: {
      segments: [
        { start: 0, end: 2, summary: "Rex and the park" },
        { start: 3, end: 5, summary: "The physics exam" },
      ],
    },
  },
  zh: {
    input: { lines: ZH_LINES },
    reply: {
      segments: [
        { start: 0, end: 2, summary: "豆豆和公园" },
        { start: 3, end: 5, summary: "物理考试" },
      ],
    },
  },
  from: (texts) => ({ lines: talk(...texts, "and the end") }),
});

testTask(judgeContinuity, {
  en: {
    input: { previous: "Rex loves the park.", next: "Does Rex chase balls in the park?" },
    reply: { continuous: true },
  },
  zh: {
    input: { previous: "豆豆喜欢公园。", next: "对了，物理考试在星期五。" },
    reply: { continuous: false },
  },
  from: ([first = "", ...rest]) => ({ previous: `x ${first}`, next: rest.join("\n") }),
});

testTask(themes, {
  en: {
    input: { lines: EN_LINES, limit: 2 },
    reply: {
      themes: [{ theme: "The dog", keywords: ["Rex", "park"], content: "Mia's dog Rex loves the park." }],
    },
  },
  zh: {
    input: { lines: ZH_LINES, limit: 2 },
    reply: { themes: [{ theme: "狗", keywords: ["豆豆", "公园"], content: "豆豆喜欢去公园。" }] },
  },
  from: (texts) => ({ lines: talk(...texts), limit: 2 }),
});

testTask(summarize, {
  en: {
    input: { texts: EN_LINES.map(({ text }) => text), max_words: 30, previous: "Mia has a dog." },
    reply: { summary: "Mia's dog Rex loves the park, and there is a physics exam on Friday." },
  },
  zh: {
    input: { texts: ZH_LINES.map(({ text }) => text), max_words: 40, previous: "" },
    reply: { summary: "豆豆喜欢去公园，星期五有物理考试。" },
  },
  from: (texts) => ({ texts: [...texts], max_words: 12, previous: "" }),
});

testTask(summarizeDay, {
  en: {
    input: { date: "8 May 2023", speaker: "Mia", lines: EN_LINES },
    reply: { summary: "Mia told Ben about Rex.", personality: "Mia was happy.", strategy: "Be cheerful." },
  },
  zh: {
    input: { date: "2023年5月8日", speaker: "Mia", lines: ZH_LINES },
    reply: { summary: "谈到了豆豆和物理考试。", personality: "心情愉快。", strategy: "保持轻松。" },
  },
  from: (texts) => ({ date: "8 May 2023", speaker: "Mia", lines: talk(...texts) }),
});

testTask(summarizeChain, {
  en: {
    input: { previous: "Mia talks about her dog Rex.", lines: EN_LINES, max_words: 30 },
    reply: { summary: "Mia and Ben talk about the dog Rex and the physics exam." },
  },
  zh: {
    input: { lines: ZH_LINES, max_words: 30 },
    reply: { summary: "谈到了豆豆和物理考试。" },
  },
  from: (texts) => ({ previous: texts[0] ?? "", lines: talk(...texts), max_words: 12 }),
});

const portraits = (...texts: readonly string[]) =>
  texts.map((personality, day) => ({
    date: `2023-05-0${(day % 9) + 1}`,
    personality,
    strategy: personality,
  }));

testTask(mergePortraits, {
  en: {
    input: { speaker: "Mia", portraits: portraits("Mia was happy.", "Mia loves dogs.") },
    reply: { personality: "Mia is happy and loves dogs.", strategy: "Be cheerful." },
  },
  zh: {
    input: { speaker: "Mia", portraits: portraits("心情愉快。", "喜欢狗。") },
    reply: { personality: "心情愉快，喜欢狗。", strategy: "保持轻松。" },
  },
  from: (texts) => ({ speaker: "Mia", portraits: portraits(...texts, "calm") }),
});

testTask(summarizeSession, {
  en: {
    input: { lines: EN_LINES, max_words: 20 },
    reply: { summary: "Mia and Ben talked about Rex and physics." },
  },
  zh: { input: { lines: ZH_LINES, max_words: 20 }, reply: { summary: "谈到了豆豆和物理考试。" } },
  from: (texts) => ({ lines: talk(...texts), max_words: 12 }),
});

testTask(updateProfile, {
  en: {
    input: { profile: "Loves coffee.", user: "Mia", assistant: "Ben", lines: EN_LINES },
    reply: {
      profile: "Loves coffee.\nLove of animals (High): walks Rex every morning.",
      user_facts: ["Mia has a dog called Rex."],
      assistant_knowledge: ["Ben studies physics for the exam."],
    },
  },
  zh: {
    input: { profile: "", user: "Mia", assistant: "Ben", lines: ZH_LINES },
    reply: {
      profile: "爱动物（高）：每天早上遛豆豆。",
      user_facts: ["有一只叫豆豆的狗。"],
      assistant_knowledge: [],
    },
  },
  from: (texts) => ({ profile: texts.join("\n"), user: "Mia", assistant: "Ben", lines: talk(...texts) }),
});

testTask(distil, {
  en: {
    input: { memory: "Mia moved to Berlin.", existing: ["Mia lives in Paris.", "Ben likes tea."] },
    reply: { merged: "Mia moved from Paris to Berlin.", replaced: [0] },
  },
  zh: {
    input: { memory: "小美搬到了上海。", existing: ["小美住在北京。", "大伟喜欢喝茶。"] },
    reply: { merged: "小美从北京搬到了上海。", replaced: [0] },
  },
  from: ([first = "", ...rest]) => ({ memory: first, existing: [...rest, "coffee garden"] }),
});

testTask(reflectQuestions, {
  en: {
    input: { statements: EN_LINES.map(({ text }) => text), count: 3 },
    reply: { questions: ["How does Mia spend the mornings?", "What does Ben study?"] },
  },
  zh: {
    input: { statements: ZH_LINES.map(({ text }) => text), count: 3 },
    reply: { questions: ["豆豆喜欢什么？"] },
  },
  from: (texts) => ({ statements: [...texts], count: 3 }),
});

testTask(reflectInsights, {
  en: {
    input: { statements: EN_LINES.map(({ text }) => text), question: "What matters to Mia?", count: 5 },
    reply: { insights: [{ insight: "Mia's days are built around the dog Rex.", evidence: [0, 2] }] },
  },
  zh: {
    input: { statements: ZH_LINES.map(({ text }) => text), question: "", count: 5 },
    reply: { insights: [{ insight: "她的生活以豆豆为中心。", evidence: [0, 2] }] },
  },
  from: (texts) => ({ statements: [...texts], question: "", count: 3 }),
});

describe("local answers", () => {
  test.each([
    ["en", EN_LINES, /Rex|park|dog/, /exam|physics/i],
    ["zh", ZH_LINES, /豆豆|公园|狗/, /考试|物理/],
  ] as const)("[%s] a dialogue of two topics is cut between them", async (_, lines, first, second) => {
    const { segments } = (await runTask(segmentTopics, { lines }, local)).reply;
    expect(segments.map(({ start, end }) => [start, end])).toEqual([
      [0, 2],
      [3, 5],
    ]);
    expect(segments[0]?.summary).toMatch(first);
    expect(segments[1]?.summary).toMatch(second);
    const named = (await runTask(themes, { lines, limit: 2 }, local)).reply.themes;
    expect(named.map(({ content }) => content)).toEqual([
      expect.stringMatching(first),
      expect.stringMatching(second),
    ]);
  });

  test("a summary keeps within its words and takes the earlier one up", async () => {
    const { reply } = await runTask(
      summarize,
      { texts: EN_LINES.map(({ text }) => text), max_words: 20 },
      local,
    );
    expect(reply.summary.split(/\s+/).length).toBeLessThanOrEqual(21);
    const previous = "Rex the dog loves the park and the ball.";
    const more = await runTask(
      summarize,
      { texts: ["Rex the dog found a ball."], previous, max_words: 30 },
      local,
    );
    expect(more.reply.summary).toContain("loves the park");
  });

  test("continuity: the same topic goes on, an announced one does not", async () => {
    const judge = async (previous: string, next: string) =>
      (await runTask(judgeContinuity, { previous, next }, local)).reply.continuous;
    expect(await judge("Rex loves the park.", "Does Rex chase balls?")).toBe(true);
    expect(await judge("Rex loves the park.", "By the way, Rex aside, how is your exam in the park?")).toBe(
      false,
    );
    expect(await judge("Rex loves the park.", "The physics lecture was cancelled.")).toBe(false);
    expect(await judge("豆豆喜欢公园。", "豆豆会追球吗？")).toBe(true);
    expect(await judge("豆豆喜欢公园。", "物理课取消了。")).toBe(false);
  });

  test("a profile grows and is never lost", async () => {
    const profile = "Likes coffee very much (High): drinks it every morning.";
    const { reply } = await runTask(
      updateProfile,
      { profile, user: "Mia", assistant: "Ben", lines: EN_LINES },
      local,
    );
    expect(reply.profile).toContain(profile);
    const wiped = { profile: "none", user_facts: [], assistant_knowledge: [] };
    const input = updateProfile.input.parse({ profile, user: "Mia", assistant: "Ben", lines: EN_LINES });
    expect(updateProfile.problems?.(wiped, input)).toHaveLength(1);
  });

  test("distilling replaces only what says the same, and always by something", async () => {
    const input = { memory: "Mia moved to Berlin.", existing: ["Mia lives in Paris.", "Ben likes tea."] };
    expect((await runTask(distil, input, local)).reply).toEqual({
      merged: "Mia moved to Berlin.",
      replaced: [0],
    });
    const chinese = { memory: "小美讨厌咖啡。", existing: ["大伟喜欢茶。", "小美喜欢咖啡。"] };
    expect((await runTask(distil, chinese, local)).reply).toEqual({
      merged: "小美讨厌咖啡。",
      replaced: [1],
    });
    expect(distil.problems?.({ merged: null, replaced: [0] }, input)).toHaveLength(1);
  });

  test("insights rest on the statements they name", async () => {
    const statements = ["Mia paints landscapes.", "Mia visits galleries.", "Ben cooks."];
    const { insights } = (await runTask(reflectInsights, { statements, count: 5 }, local)).reply;
    expect(insights[0]).toMatchObject({ evidence: [0, 1], insight: expect.stringContaining("Mia") });
    const asked = ["Mia paints.", "Mia draws.", "Ben cooks.", "Ben bakes."];
    const input = { statements: asked, question: "What about Ben?", count: 5 };
    const about = (await runTask(reflectInsights, input, local)).reply.insights;
    expect(about.map(({ evidence }) => evidence)).toEqual([[2, 3]]);
    const said = { insights: ["Mia loves art (because of 0, 1)"] };
    expect(reflectInsights.reply.parse(said)).toEqual({
      insights: [{ insight: "Mia loves art", evidence: [0, 1] }],
    });
  });

  test("the mood of a day, in both languages", async () => {
    const sad = talk("I am so sad, my grandmother died and I cried all day.");
    const english = await runTask(summarizeDay, { date: "8 May 2023", speaker: "Mia", lines: sad }, local);
    expect(english.reply).toMatchObject({
      personality: expect.stringContaining("sadness"),
      strategy: expect.stringContaining("comfort"),
    });
    const chinese = await runTask(
      summarizeDay,
      { date: "今天", speaker: "Mia", lines: talk("我太开心了，今天考上了大学，非常高兴！") },
      local,
    );
    expect(chinese.reply.personality).toContain("喜悦");
  });

  test("a session in few words is what weighs most of what speakers told of themselves", async () => {
    const english = talk(
      "Hey Ben! So good to see you! I moved to Porto in spring.",
      "Wow, that's wonderful, Mia! You are so brave. I like tea.",
    );
    const { reply } = await runTask(summarizeSession, { lines: english, max_words: 8 }, local);
    expect(reply.summary).toMatch(/^Mia moved to Porto/);
    const chinese = talk("你好！我上个月辞职了，打算开一家书店。", "真棒！你太勇敢了。我今天喝了茶。");
    const { reply: zh } = await runTask(summarizeSession, { lines: chinese, max_words: 16 }, local);
    expect(zh.summary).toMatch(/辞职.*书店/);
  });

  test("who speaks is no keyword of a note, and no theme's", async () => {
    const notes = ["Mia: I joined a pottery class.", "小雨: 我参加了陶艺班。"];
    for (const text of notes) {
      const { reply } = await runTask(writeNote, { text }, local);
      expect([...reply.keywords, ...reply.tags].join()).not.toMatch(/mia|小雨/i);
      expect(reply.keywords.join()).toMatch(/pottery|陶艺/);
    }
    const lines = talk("Ben, my dog Rex loves the park, Ben.", "Mia, Rex is a happy dog, Mia.");
    const { reply } = await runTask(themes, { lines, limit: 1 }, local);
    expect(reply.themes.flatMap(({ keywords }) => keywords)).not.toContain("Ben");
    expect(reply.themes.flatMap(({ keywords }) => keywords).join()).toMatch(/Rex|dog|park/);
  });

  test("an insight quotes what tells something, about no word that only begins a sentence", async () => {
    const statements = [
      "Mia: Got it! Thanks so much.",
      "Ben: I got a new bike in Lisbon last week.",
      "Mia: Wow, that's amazing!",
      "Mia: I ride my bike along the river in Lisbon every morning.",
    ];
    const { questions } = (await runTask(reflectQuestions, { statements, count: 3 }, local)).reply;
    expect(questions.join()).not.toMatch(/about Got/);
    const { insights } = (await runTask(reflectInsights, { statements, count: 5 }, local)).reply;
    expect(insights.map(({ insight }) => insight).join()).toMatch(/About Lisbon: .*bike/);
    expect(insights.map(({ insight }) => insight).join()).not.toMatch(/Thanks|amazing/);
    const chinese = [
      "小雨: 恭喜！",
      "阿宁: 恭喜你！",
      "小雨: 我十月去云南旅行。",
      "阿宁: 云南十月天气很好。",
    ];
    const zh = (await runTask(reflectInsights, { statements: chinese, count: 5 }, local)).reply.insights;
    expect(zh.map(({ insight }) => insight).join()).toMatch(/关于云南：.*旅行/);
    expect(zh.map(({ insight }) => insight).join()).not.toContain("关于恭喜");
  });

  test("of several days' moods the newest is told", async () => {
    const day = (date: string, personality: string) => ({ date, personality, strategy: "Be kind." });
    const english = [
      day("2026-05-01", "The mood was mainly fear. Mia loves tea."),
      day("2026-05-02", "The mood was mainly joy and trust. Mia is a nurse."),
    ];
    const { reply } = await runTask(mergePortraits, { speaker: "Mia", portraits: english }, local);
    expect(reply.personality).toMatch(/joy and trust/);
    expect(reply.personality).toMatch(/tea.*nurse/);
    expect(reply.personality).not.toMatch(/fear/);
    const chinese = [
      day("2026-05-01", "情绪以恐惧为主。小雨喜欢喝茶。"),
      day("2026-05-02", "情绪平稳。小雨是护士。"),
    ];
    const zh = (await runTask(mergePortraits, { speaker: "小雨", portraits: chinese }, local)).reply;
    expect(zh.personality).toMatch(/情绪平稳.*喝茶.*护士/);
    expect(zh.personality).not.toContain("恐惧");
  });

  test("what is known of the two is what they say of themselves", async () => {
    const lines = talk(
      "I donated my old car to the homeless shelter in Leeds yesterday.",
      "Networking is a great way of gaining many new perspectives and insights. I promised to send Mia the list of shelters tomorrow.",
    );
    const input = { user: "Mia", assistant: "Ben", lines };
    const { reply } = await runTask(updateProfile, input, local);
    expect(reply.user_facts.join()).toMatch(/Mia donated/);
    expect(reply.assistant_knowledge.join()).toMatch(/Ben promised/);
    expect(reply.assistant_knowledge.join()).not.toMatch(/Networking/);
    const chinese = [
      { speaker: "小雨", text: "我上个月从成都搬到上海的浦东新区了。" },
      { speaker: "阿宁", text: "护士每天都要上夜班工作很辛苦。我建议小雨每天复习一小时内科护理学。" },
    ];
    const zh = (await runTask(updateProfile, { user: "小雨", assistant: "阿宁", lines: chinese }, local))
      .reply;
    expect(zh.assistant_knowledge.join()).toMatch(/阿宁建议/);
    expect(zh.assistant_knowledge.join()).not.toContain("辛苦");
  });

  test("linked notes share their tags", async () => {
    const input = {
      note: note("Mia glazed clay bowls in the pottery class", ["pottery"]),
      neighbours: [note("Mia joined a pottery class", ["class"]), note("Ben moved to Boston", ["move"])],
    };
    expect((await runTask(evolveNote, input, local)).reply).toMatchObject({
      should_evolve: true,
      suggested_connections: [0],
      tags_to_update: ["pottery", "class"],
      new_tags_neighborhood: [["class", "pottery"], ["move"]],
    });
    expect((await runTask(evolveNote, { ...input, neighbours: [] }, local)).reply.should_evolve).toBe(false);
  });
});
