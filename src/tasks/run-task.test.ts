import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { manualClock } from "../base/clock.ts";
import { MemoryError } from "../base/errors.ts";
import type { TraceEvent } from "../base/trace.ts";
import { resolveEndpoint } from "../models/endpoints.ts";
import type { ChatModel } from "../models/model.ts";
import { openAiCompatible } from "../models/openai-compatible.ts";
import { bent, type Script, startModelServer } from "../testing/model-server.ts";
import { answer } from "./answer.ts";
import { extractFacts } from "./extract-facts.ts";
import { filterFacts } from "./filter-facts.ts";
import { runTask } from "./run-task.ts";
import { summarize } from "./summarize.ts";
import { defineTask } from "./task.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function open(chat: Script) {
  const server = await startModelServer({ chat });
  closers.push(server.close);
  const model = openAiCompatible(
    resolveEndpoint("test", { baseUrl: server.url, model: "m", json: "schema" }),
  );
  return { server, model };
}

const ZH = { texts: ["小美昨天搬到了上海，她很开心。"], max_words: 30 };
const ENGLISH_SUMMARY = JSON.stringify({
  summary: "The woman moved to another city yesterday and is happy.",
});
const CHINESE_SUMMARY = JSON.stringify({ summary: "小美搬到了上海。" });

describe("every fault ends in a result, a fallback with a warning, or an error with the raw text", () => {
  const bad = {
    "no JSON": "I would rather not.",
    "wrong schema": JSON.stringify({ summary: 7 }),
    "another object": JSON.stringify({ answer: "Paris" }),
    empty: "",
    "Chinese in, English out": ENGLISH_SUMMARY,
    "cut off before anything was whole": '{"summary": ',
  };
  test.each(Object.entries(bad))("%s, twice", async (_, text) => {
    const { model } = await open(text);
    await expect(runTask(summarize, ZH, { model, onBadReply: "throw" })).rejects.toMatchObject({
      code: "reply_invalid",
    });
    const result = await runTask(summarize, ZH, { model, onBadReply: "fallback" });
    expect(result.path).toBe("local");
    expect(result.warnings.at(-1)?.code).toBe("reply_invalid");
    expect(result.reply.summary).toContain("上海");
  });

  test("the schema echoed back, then good", async () => {
    let calls = 0;
    const { model } = await open((seen) => (calls++ === 0 ? bent.echo(seen) : CHINESE_SUMMARY));
    const result = await runTask(summarize, ZH, { model, onBadReply: "throw" });
    expect(result).toMatchObject({ path: "model", reply: { summary: "小美搬到了上海。" } });
  });

  test("Chinese in, English out, then Chinese", async () => {
    const { model, server } = await open([ENGLISH_SUMMARY, CHINESE_SUMMARY]);
    const result = await runTask(summarize, ZH, { model, onBadReply: "throw" });
    expect(result.reply.summary).toBe("小美搬到了上海。");
    expect(JSON.stringify(server.requests[1]?.body)).toContain("请使用数据所用的语言");
  });

  test("English names and terms of a Chinese text are no English reply", async () => {
    const { model, server } = await open(JSON.stringify({ summary: "TypeScript, Node, Vitest, Biome, zod" }));
    const input = { texts: ["我们用 TypeScript、Node、Vitest、Biome 和 zod。"], max_words: 9 };
    expect((await runTask(summarize, input, { model, onBadReply: "throw" })).path).toBe("model");
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ["Which university did Xiaoming attend?", "小明毕业于北京大学。", "北京大学"],
    ["Which university did Xiaoming attend?", "小明畢業於北京大學。", "北京大学 (Peking University)"],
    [
      "小明上的是哪所大学？",
      "Xiaoming went to the University of California, Berkeley.",
      "University of California, Berkeley",
    ],
  ])("%s A name stays as the memory has it: %s", async (question, text, name) => {
    const { model, server } = await open(JSON.stringify({ reasoning: "", answer: name, evidence: [0] }));
    const result = await runTask(answer, { question, memories: [{ text }] }, { model, onBadReply: "throw" });
    expect(result).toMatchObject({ path: "model", reply: { answer: name }, warnings: [] });
    expect(server.requests).toHaveLength(1);
  });

  test("but an English question is not answered with a Chinese sentence of the model's own", async () => {
    const said = ["他从北京大学毕业了。", "北京大学"].map((one) =>
      JSON.stringify({ answer: one, evidence: [0] }),
    );
    const { model, server } = await open(said);
    const input = {
      question: "Which university did Xiaoming attend?",
      memories: [{ text: "小明毕业于北京大学。" }],
    };
    expect((await runTask(answer, input, { model, onBadReply: "throw" })).reply.answer).toBe("北京大学");
    expect(server.requests).toHaveLength(2);
  });

  test.each([
    [{ status: 429, headers: { "retry-after": "1" } }, "model_rate_limited"],
    [{ status: 500 }, "model_unavailable"],
    [{ status: 401 }, "model_refused"],
    [{ fault: "cut" }, "model_unavailable"],
    [{ status: 400, body: { error: { message: "maximum context length exceeded" } } }, "text_too_large"],
  ] as const)("%j", async (reply, code) => {
    const { model } = await open(reply);
    await expect(runTask(summarize, ZH, { model, onBadReply: "throw" })).rejects.toMatchObject({ code });
    const events: TraceEvent[] = [];
    const trace = (event: TraceEvent): void => void events.push(event);
    const result = await runTask(summarize, ZH, { model, onBadReply: "fallback", trace });
    expect(result).toMatchObject({ path: "local", warnings: [{ code }] });
    expect(events.map(({ type }) => type)).toEqual(["warning-raise", "task-run"]);
  });

  test("a wrong key or a wrong name is waited out like a model that is down; a refusal is not", async () => {
    const how = { onBadReply: "fallback", onModelDown: "throw" } as const;
    for (const status of [401, 403, 404]) {
      const { model } = await open({ status });
      await expect(runTask(summarize, ZH, { model, ...how })).rejects.toMatchObject({
        code: "model_refused",
      });
    }
    const { model } = await open({ text: null, refusal: "I cannot." });
    expect(await runTask(summarize, ZH, { model, ...how })).toMatchObject({ path: "local" });
  });

  test("a number that names nothing is shown to the model, which corrects it", async () => {
    const { model, server } = await open(['{"keep": [0, 9]}', '{"keep": [0]}']);
    const facts = [{ subject: "Mia", relation: "likes", object: "tea" }];
    const result = await runTask(
      filterFacts,
      { question: "What does Mia like?", facts },
      { model, onBadReply: "throw" },
    );
    expect(result.reply).toEqual({ keep: [0] });
    expect(JSON.stringify(server.requests[1]?.body)).toContain("no fact with the number 9");
  });

  test("a list that broke off twice is used as far as it is whole, with a warning", async () => {
    const facts = {
      facts: [
        { text: "Mia likes tea", speaker: "Mia", sources: [0] },
        { text: "Mia plays chess", speaker: "Mia", sources: [0] },
      ],
    };
    const { model } = await open(bent.truncated(facts, 0.75));
    const lines = [{ speaker: "Mia", text: "I like tea and play chess." }];
    const result = await runTask(extractFacts, { lines }, { model, onBadReply: "throw" });
    expect(result.reply.facts.map(({ text }) => text)).toEqual(["Mia likes tea"]);
    expect(result.warnings.at(-1)?.message).toMatch(/rest is missing/);
  });
});

describe("what is not the model's fault is not covered up", () => {
  const never: ChatModel = {
    id: "m",
    provider: "x",
    json: "schema",
    generate: () => Promise.reject(new MemoryError("invariant", "Ours.")),
  };

  test("bad input is refused before anything is asked", async () => {
    const bad = runTask(summarize, { texts: [], max_words: 3 }, { model: never, onBadReply: "fallback" });
    await expect(bad).rejects.toMatchObject({
      code: "input_invalid",
      message: expect.stringMatching(/task summarize/),
    });
  });

  test.each([9e15, -9e15, 8.64e15])("%d is no moment of a talk, in any zone", async (happenedAt) => {
    const lines = [
      { speaker: "Mia", text: "I moved yesterday.", happenedAt, zone: "Asia/Shanghai" },
      { speaker: "大伟", text: "我明年搬家。", happenedAt, zone: "-11:00" },
    ];
    const failed = runTask(extractFacts, { lines }, { onBadReply: "throw" });
    await expect(failed).rejects.toMatchObject({
      code: "input_invalid",
      message: expect.stringMatching(/year/),
    });
  });

  test("the first and the last moment that is taken can be printed and counted from", async () => {
    for (const happenedAt of [Date.parse("0000-01-01T00:00Z"), Date.parse("9999-12-31T23:59:59.999Z")]) {
      const lines = ["-11:00", "UTC", "Asia/Shanghai"].flatMap((zone) => [
        { speaker: "Mia", text: "I moved to Rome yesterday and leave next year.", happenedAt, zone },
        { speaker: "大伟", text: "我昨天搬到了上海，明年离开。", happenedAt, zone },
      ]);
      expect(extractFacts.fill(extractFacts.input.parse({ lines })).dialogue).toContain("Mia");
      const { reply } = await runTask(extractFacts, { lines }, { onBadReply: "throw" });
      expect(reply.facts.length).toBeGreaterThan(0);
    }
  });

  test("a defect or an abort is thrown even if the caller wants a fallback", async () => {
    await expect(runTask(summarize, ZH, { model: never, onBadReply: "fallback" })).rejects.toMatchObject({
      code: "invariant",
    });
    const { model } = await open({ fault: "hang" });
    const controller = new AbortController();
    const running = runTask(summarize, ZH, { model, onBadReply: "fallback", signal: controller.signal });
    setTimeout(() => controller.abort(), 20);
    await expect(running).rejects.toMatchObject({ code: "aborted" });
  });

  test("a wrong prompt file is thrown, too", async () => {
    const task = defineTask({
      name: "mine",
      summary: "Something.",
      fallback: "Nothing.",
      input: z.object({ text: z.string() }),
      reply: z.object({ ok: z.boolean() }),
      prompt: "no_such_prompt",
      placeholders: ["text"],
      fill: (input) => ({ text: input.text }),
      about: (input) => input.text,
      local: () => ({ ok: true }),
    });
    const failed = runTask(task, { text: "x" }, { model: never, onBadReply: "fallback" });
    await expect(failed).rejects.toMatchObject({ code: "unknown_name" });
    expect((await runTask(task, { text: "x" }, { onBadReply: "throw" })).reply).toEqual({ ok: true });
  });
});

describe("what it costs and how it asks", () => {
  test("usage is that of all tries, also where they came to nothing", async () => {
    const usage = { prompt_tokens: 10, completion_tokens: 5 };
    const { model } = await open({ text: "nonsense", usage });
    const events: TraceEvent[] = [];
    const trace = (event: TraceEvent): void => void events.push(event);
    const result = await runTask(summarize, ZH, { model, onBadReply: "fallback", trace });
    expect(result.usage).toEqual({ inputTokens: 20, outputTokens: 10 });
    expect(events.at(-1)).toMatchObject({ type: "task-run", path: "local", usage: result.usage });
    await runTask(summarize, ZH, { onBadReply: "throw", trace });
    expect(events.at(-1)).toMatchObject({ usage: { inputTokens: 0, outputTokens: 0 } });
  });

  test("the trace tells the time by the given clock", async () => {
    const clock = manualClock(0);
    const model: ChatModel = {
      id: "m",
      provider: "x",
      json: "schema",
      async generate() {
        clock.advance(250);
        return {
          text: CHINESE_SUMMARY,
          toolCalls: [],
          finish: "stop",
          usage: { inputTokens: 1, outputTokens: 1 },
        };
      },
    };
    const events: TraceEvent[] = [];
    await runTask(summarize, ZH, {
      model,
      onBadReply: "throw",
      clock,
      trace: (event) => void events.push(event),
    });
    expect(events).toEqual([
      {
        type: "task-run",
        task: "summarize",
        path: "model",
        reason: undefined,
        usage: { inputTokens: 1, outputTokens: 1 },
        ms: 250,
      },
    ]);
  });

  test("settings and a chosen language reach the model", async () => {
    const { model, server } = await open(CHINESE_SUMMARY);
    await runTask(summarize, ZH, {
      model,
      onBadReply: "throw",
      language: "en",
      settings: { temperature: 0.1, maxTokens: 99 },
    });
    const body = server.requests[0]?.body;
    expect(body).toMatchObject({ temperature: 0.1, max_tokens: 99 });
    expect(JSON.stringify(body)).toContain("Summarise the texts");
  });
});
