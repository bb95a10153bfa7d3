/** MemGPT without tools: what becomes of a conversation, in English and Chinese, with a model and without; and the queue under pressure. */
import { afterEach, describe, expect, test } from "vitest";
import { parseScope } from "../../src/base/scope.ts";
import type { NewTurn, Role } from "../../src/base/turn.ts";
import { loadPreset, parsePreset } from "../../src/preset/load.ts";
import type { Preset } from "../../src/preset/preset.ts";
import { hashEmbedder } from "../../src/testing/hash-embedder.ts";
import {
  openPresetWorld,
  type PresetWorld,
  type PresetWorldOptions,
} from "../../src/testing/preset-world.ts";
import { estimateTokens } from "../../src/text/token-count.ts";

let worlds: PresetWorld[] = [];
afterEach(async () => {
  for (const world of worlds) await world.close();
  worlds = [];
});

async function world(preset: string | Preset, options: PresetWorldOptions = {}): Promise<PresetWorld> {
  const opened = await openPresetWorld(preset, options);
  worlds.push(opened);
  return opened;
}

/** The preset with other options of its policy, one turn at a time. */
function with_(options: string, size = 1): Promise<Preset> {
  return parsePreset(
    `name: t
summary: test
extends: memgpt
defaults: recommended
input: { window: { by: turns, size: ${size}, overlap: 0 } }
stages:
  pre_insert: none
  memory_insert: default
  post_insert:
    action: migrate
    migrate_policy: pressure
    tiers: { queue: queue, recall: recall, core: core, archival: archival }
    ${options}`,
    "t.yaml",
  );
}

type Said = Awaited<ReturnType<PresetWorld["say"]>>;
const notesOf = ({ done }: Said) =>
  done
    .flatMap(({ result }) => result.stages)
    .filter(({ action }) => action === "migrate")
    .map(({ notes }) => notes);

const say = (speaker: string, text: string, role: Role = "user"): NewTurn => ({ speaker, text, role });
const ENGLISH: readonly NewTurn[] = [
  say("Nora", "Hi! I am a nurse and I live in Oslo."),
  say("Bot", "Nice to meet you, Nora. How is work?", "assistant"),
  say("Nora", "Busy. I love cross-country skiing, it keeps me sane."),
  say("Bot", "Skiing sounds like a good balance.", "assistant"),
  say("Nora", "My father died last month, the funeral was in Bergen."),
  say("Bot", "I am so sorry for your loss.", "assistant"),
  say("Nora", "Thanks. The weather is grey today."),
  say("Bot", "I hope it clears up.", "assistant"),
];
const CHINESE: readonly NewTurn[] = [
  say("李雷", "你好！我是一名护士，我住在杭州。"),
  say("助手", "很高兴认识你，李雷。工作忙吗？", "assistant"),
  say("李雷", "很忙。我最喜欢游泳，每周去三次。"),
  say("助手", "游泳对身体很好。", "assistant"),
  say("李雷", "我爷爷上个月去世了，葬礼在苏州举行。"),
  say("助手", "请节哀。", "assistant"),
  say("李雷", "谢谢。今天天气不错。"),
  say("助手", "适合出去走走。", "assistant"),
];

describe.each([
  [
    "English",
    ENGLISH,
    /Nora.*nurse|nurse.*Nora|Oslo/,
    /skiing/,
    /Bergen/,
    "Where was the funeral of Nora's father?",
  ],
  ["Chinese", CHINESE, /护士|杭州/, /游泳/, /苏州/, "李雷爷爷的葬礼在哪里？"],
] as const)("[S0-72] %s", (_language, talk, home, taste, loss, question) => {
  test("no model: rules write core and archival memory, every message is in the queue and in recall", async () => {
    const t = await world("memgpt");
    const said = await t.say(talk);
    expect(said.windows).toBe(4);
    const entries = await t.entries();
    const messages = entries.filter(({ kind }) => kind === "memory");
    expect(messages).toHaveLength(talk.length);
    expect(new Set(messages.map(({ tier }) => tier))).toEqual(new Set(["queue"]));
    expect(messages[1]?.metadata).toMatchObject({ role: "assistant" });
    // In view and in recall at once: searched in recall, it is found.
    const inRecall = await t.memory().service.retrieve(parseScope("alice"), {
      text: talk[0]?.text ?? "",
      hints: { strategy: "lexical", tiers: ["recall"] },
    });
    expect(inRecall[0]?.content).toContain(talk[0]?.text);

    const blocks = entries.filter(({ kind, supersededBy }) => kind === "core_block" && supersededBy === null);
    expect(blocks).toMatchObject([{ tier: "core", metadata: { label: "human", limit: 2000 }, pinned: true }]);
    expect(blocks[0]?.content).toMatch(home);
    expect(blocks[0]?.content).toMatch(taste);
    // Every version before is kept, and points to the one that took its place.
    const old = entries.filter(({ kind, supersededBy }) => kind === "core_block" && supersededBy !== null);
    expect(old.length).toBeGreaterThan(0);
    const passages = entries.filter(({ kind }) => kind === "passage");
    expect(passages.map(({ content }) => content).join("\n")).toMatch(loss);
    expect(passages.every(({ tier, sources }) => tier === "archival" && sources.length === 1)).toBe(true);
    expect(notesOf(said)[0]).toMatchObject({ tool_use: false, by_rules: { evicted: 0 } });
  });

  test("no model: a recall shows core memory first, and finds the message in recall and the passage once", async () => {
    const t = await world("memgpt");
    await t.say(talk);
    const { hits, context, stages } = await t.ask(question);
    expect(hits[0]).toMatchObject({ kind: "core_block", scoreParts: { standing: 1 } });
    expect(hits.map(({ text }) => text).join("\n")).toMatch(loss);
    expect(hits.filter(({ content }) => content === talk[4]?.text)).toHaveLength(0);
    expect(
      hits.filter(({ content }) => loss.test(content) && content.includes(talk[4]?.text ?? "?")),
    ).toHaveLength(1);
    expect(context).toMatch(/^## Core memory\n- human: /);
    expect(stages.map(({ action }) => action)).toEqual([
      ...["optimize", "embedding", "default", "merge", "filter", "page_search", "augment", "format"],
      "(counting looks)",
    ]);
    expect(stages.find(({ action }) => action === "page_search")?.notes).toEqual({ tool_use: false });
    // Whatever is asked, core memory is there.
    const { hits: others } = await t.ask("zzz");
    expect(others[0]).toMatchObject({ kind: "core_block" });
  });

  test("with a model: persona and importance are asked for, what it says goes into the block", async () => {
    const [first] = talk;
    const speaker = first?.speaker ?? "";
    const fact = `${speaker} 🏔`;
    const t = await world("memgpt", {
      replies: {
        extract_persona: { traits: [{ text: fact, kind: "fact" }] },
        score_importance: (request) => ({
          importance: JSON.stringify(request.body.messages).match(loss) === null ? 2 : 9,
        }),
      },
      embedder: hashEmbedder(),
    });
    const said = await t.say(talk.slice(0, 6));
    expect(new Set(t.calls())).toEqual(new Set(["extract_persona", "score_importance"]));
    const entries = await t.entries();
    // Said three times, written once; what the assistant is like is nobody's business here.
    expect(entries.filter(({ kind }) => kind === "core_block").map(({ content }) => content)).toEqual([fact]);
    expect(entries.filter(({ kind }) => kind === "passage").map(({ content }) => content)).toEqual([
      `${speaker}: ${talk[4]?.text}`,
    ]);
    expect(notesOf(said).map(({ by_rules }) => by_rules)).toEqual([
      { noted: 1, evicted: 0, filed: 0 },
      { noted: 0, evicted: 0, filed: 0 },
      { noted: 0, evicted: 0, filed: 1 },
    ]);
    await t.ask(question);
    expect(t.calls()).toEqual([]);
  });
});

describe("the queue under pressure", () => {
  /** Each has as many tokens as every other. */
  const lines = (count: number, from = 1, roles: readonly Role[] = ["user"]) =>
    Array.from({ length: count }, (_, i) => ({
      text: lineOf(from + i),
      role: roles[i % roles.length] ?? "user",
    }));
  const lineOf = (number: number) =>
    `number ${String.fromCharCode(96 + number)} is a pear, a plum, a fig, a lemon, a melon, a peach and a cherry`;
  const each = estimateTokens(lineOf(1));
  const inQueue = async (t: PresetWorld) =>
    (await t.entries())
      .filter(({ tier, kind }) => tier === "queue" && kind === "memory")
      .map((one) => one.content);

  test("[P3-2] one alert between two summarisations, at a usage strictly above three quarters of the window", async () => {
    const t = await world(await with_(`window_tokens: ${12 * each}\n    summary_max_words: 5`), {
      embedder: hashEmbedder(),
    });
    const nine = notesOf(await t.say(lines(9)));
    expect(nine.at(-1)).toMatchObject({ queue_tokens: 9 * each, window_tokens: 12 * each });
    expect(nine.filter(({ token_warning }) => token_warning)).toHaveLength(0);
    const more = notesOf(await t.say(lines(3, 10)));
    expect(more.map(({ token_warning }) => token_warning)).toEqual([true, undefined, undefined]);
    await t.restart();
    expect(notesOf(await t.say(lines(1, 13)))).toMatchObject([{ flushed: 10 }]);
    // After the flush the next crossing is told anew, once.
    const after = notesOf(await t.say(lines(13, 14)));
    const flushedAt = after.findIndex(({ flushed }) => flushed !== undefined);
    const upTo = after.slice(0, flushedAt === -1 ? undefined : flushedAt);
    expect(upTo.filter(({ token_warning }) => token_warning)).toHaveLength(1);
    expect(flushedAt).toBeGreaterThan(0);
  });

  test("[P3-3] of ten messages of the same size the last three are never summed up, and what leaves stays in recall", async () => {
    const window_tokens = 10 * each - 1;
    for (const [roles, kept] of [
      // What stays does not begin with a user's message: one more leaves.
      [["user"], 3],
      [["assistant"], 4],
    ] as const) {
      const t = await world(await with_(`window_tokens: ${window_tokens}`), { embedder: hashEmbedder() });
      const said = await t.say(lines(10, 1, roles));
      expect(notesOf(said).at(-1)).toMatchObject({ flushed: 10 - kept });
      const all = lines(10).map(({ text }) => text);
      expect(await inQueue(t)).toEqual(all.slice(-kept));
      const entries = await t.entries();
      expect(entries.filter(({ tier, kind }) => tier === "recall" && kind === "memory")).toHaveLength(
        10 - kept,
      );
      const summary = entries.find(({ kind }) => kind === "summary");
      expect(summary).toMatchObject({ tier: "queue", metadata: { hidden: 10 - kept, total: 10 } });
      expect(summary?.content).toContain(`${10 - kept} of 10 messages`);
      expect(summary?.sources).toHaveLength(10 - kept);
    }
  });

  test("the next summary goes on from the one before and takes its place; a recall shows it behind core memory", async () => {
    const t = await world(await with_(`window_tokens: ${10 * each}\n    archive_importance: null`, 2), {
      replies: {
        extract_persona: { traits: [] },
        summarize: [{ summary: "First part." }, { summary: "Then the second part." }],
      },
      embedder: hashEmbedder(),
    });
    await t.say(lines(12));
    const [first] = (await t.entries()).filter(({ kind }) => kind === "summary");
    await t.say(lines(8, 13));
    const summaries = (await t.entries()).filter(({ kind }) => kind === "summary");
    expect(summaries.map(({ supersededBy }) => supersededBy)).toEqual([summaries[1]?.id, null]);
    expect(summaries[1]?.sources[0]).toBe(first?.id);
    expect(summaries[1]?.content).toBe(
      "(17 of 20 messages are out of view; in short:) Then the second part.",
    );
    const shown = t.requests
      .map(({ body }) => JSON.stringify(body.messages))
      .filter((text) => text.includes("First part."));
    expect(shown).toHaveLength(1);
    const { context } = await t.ask("pear");
    expect(context).toMatch(/^## Earlier in this conversation\n- \(17 of 20/);
  });

  test("without a model the summary holds what matters, not greetings, in the language of the talk", async () => {
    for (const [talk, kept] of [
      [ENGLISH, /^\(\d of 8 messages are out of view.*Bergen/],
      [CHINESE, /^（8 条消息中有 \d 条已移出视野.*苏州/],
    ] as const) {
      const t = await world(await with_("window_tokens: 60\n    summary_max_words: 30"), {
        embedder: hashEmbedder(),
      });
      await t.say(talk);
      const summary = (await t.entries()).findLast(({ kind }) => kind === "summary");
      expect(summary?.content).toMatch(kept);
    }
  });

  test("Letta's sliding window: cut before an assistant's message, until what stays is below its goal", async () => {
    const sliding =
      "compaction: { style: sliding_window, goal_share: 0.7, first_share: 0.3, step_share: 0.1 }";
    const options = `window_tokens: ${11 * each}\n    flush_share: 0.9\n    ${sliding}`;
    const t = await world(await with_(options), { embedder: hashEmbedder() });
    const said = await t.say(lines(10, 1, ["user", "assistant"]));
    // 40 % of ten is four, the last assistant at or before it is the fourth message: seven of eleven stay.
    expect(notesOf(said).at(-1)).toMatchObject({ flushed: 3 });
    expect((await inQueue(t))[0]).toBe(lineOf(4));
  });

  test("a window that the last messages alone overflow is left as it is", async () => {
    const t = await world(await with_("window_tokens: 2"), { embedder: hashEmbedder() });
    const notes = notesOf(await t.say(lines(3)));
    expect(notes.at(-1)).toMatchObject({ flushed: 0 });
    expect(await inQueue(t)).toHaveLength(3);
  });
});

test("a full block makes its oldest lines move to archival memory, and nothing is noted twice", async () => {
  const t = await world(
    await with_("blocks: [{ label: human, limit: 60, initial: null }]\n    archive_importance: null"),
    {
      embedder: hashEmbedder(),
    },
  );
  await t.say([
    say("Nora", "I love cross-country skiing."),
    say("Nora", "I love black coffee."),
    say("李雷", "我最喜欢游泳。"),
  ]);
  const said = await t.say([say("Nora", "I love cross-country skiing.")]);
  const entries = await t.entries();
  const block = entries.find(({ kind, supersededBy }) => kind === "core_block" && supersededBy === null);
  expect(block?.content.length).toBeLessThanOrEqual(60);
  expect(block?.content).toMatch(/游泳/);
  expect(entries.filter(({ kind }) => kind === "passage").map(({ content }) => content)).toEqual([
    expect.stringContaining("skiing"),
  ]);
  expect(notesOf(said)).toMatchObject([{ by_rules: { noted: 0, evicted: 0, filed: 0 } }]);
});

test("an initial text is in its block from the first message on", async () => {
  const blocks =
    'blocks: [{ label: persona, limit: 50, initial: "I am a calm helper." }, { label: human, limit: 50, initial: null }]';
  const t = await world(await with_(blocks), { embedder: hashEmbedder() });
  await t.say(["Hello"]);
  expect((await t.ask("anything")).hits[0]).toMatchObject({ text: "persona: I am a calm helper." });
});

test("two scopes have two queues and two core memories", async () => {
  const t = await world("memgpt", { embedder: hashEmbedder() });
  const bob = parseScope("bob");
  await t.say(ENGLISH);
  await t.say(CHINESE, { scope: bob });
  expect((await t.ask("Oslo")).context).not.toMatch(/杭州|李雷/);
  expect((await t.ask("杭州", bob)).context).not.toMatch(/Oslo|Nora/);
  expect(
    (await t.entries(bob))
      .filter(({ kind }) => kind === "core_block")
      .map(({ content }) => content)
      .join(),
  ).not.toMatch(/Nora/);
});

test("[S0-103] the variant for LoCoMo writes by rules, tool_use false", async () => {
  const preset = await loadPreset("variants/locomo_memgpt_pipeline");
  expect(preset.stages.post_insert[0]?.options.tool_use).toBe(false);
  const t = await world(preset, {
    replies: { extract_persona: { traits: [] }, score_importance: { importance: 1 } },
    embedder: hashEmbedder(),
  });
  await t.say(ENGLISH.slice(0, 2));
  expect(t.calls()).not.toContain("tools");
});

test("wrong options are refused with what is valid", async () => {
  await expect(with_("human_label: humans")).rejects.toThrow(/label of one of the blocks/);
  await expect(
    with_("tiers: { queue: queue, recall: recal, core: core, archival: archival }"),
  ).rejects.toThrow();
});

test("[C-27] done again with nothing new, the service's own work changes nothing", async () => {
  const preset = await with_("window_tokens: 60\n    archive_importance: 0.5");
  const t = await world(preset, { embedder: hashEmbedder() });
  await t.say([...ENGLISH, ...CHINESE]);
  const { every_turns: _, ...config } = preset.stages.post_insert[0]?.options ?? {};
  const { service } = t.memory();
  const alice = parseScope("alice");
  await service.optimize(alice, { trigger: "migrate", config });
  const before = await t.entries();
  const { seq } = await t.storage().feed.head();
  const again = await service.optimize(alice, { trigger: "migrate", config });
  expect(again).toMatchObject({ added: [], retired: [], moved: [], reason: expect.any(String) });
  expect(await t.entries()).toEqual(before);
  expect((await t.storage().feed.head()).seq).toBe(seq);
});
