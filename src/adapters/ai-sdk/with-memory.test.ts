import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import {
  generateText,
  isStepCount,
  jsonSchema,
  type ModelMessage,
  Output,
  streamText,
  tool,
  wrapLanguageModel,
} from "ai";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { where } from "../../base/filter.ts";
import { forgetOperation } from "../../operations/rows/forget.ts";
import { recallOperation } from "../../operations/rows/recall.ts";
import { rememberOperation } from "../../operations/rows/remember.ts";
import { Memory } from "../../runtime/memory.ts";
import { hashEmbedder } from "../../testing/hash-embedder.ts";
import { type ModelServer, type Script, startModelServer } from "../../testing/model-server.ts";
import type { ChatMemory, ChatMemoryOptions } from "./index.ts";
import { memoryMiddleware, memoryTools, withMemory } from "./index.ts";

let folder: string;
let memory: Memory;
const servers: ModelServer[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "neuromem-ai-sdk-"));
  memory = await Memory.open({ path: join(folder, "memory.db"), scope: "mia", embedder: hashEmbedder() });
});
afterEach(async () => {
  await memory.close();
  for (const server of servers.splice(0)) await server.close();
  await rm(folder, { recursive: true });
});

async function provide(chat?: Script) {
  const server = await startModelServer(chat === undefined ? {} : { chat });
  servers.push(server);
  const provider = createOpenAICompatible({ name: "test", baseURL: server.url });
  return { server, model: provider("m") };
}

const sentSchema = z.array(z.object({ role: z.string(), content: z.string().nullish() }));

function sent(server: ModelServer, call: number) {
  return sentSchema.parse(server.requests[call]?.body.messages);
}

async function kept(): Promise<[string, string][]> {
  const turns = await said();
  return turns.map(({ role, text }) => [role, text]);
}

async function said() {
  const { storage } = memory.running();
  return storage.turns(memory.scope, { limit: 100 });
}

async function contents(): Promise<string[]> {
  return (await memory.list({ all: true })).entries.map(({ content }) => content);
}

const MARK = "<recalled-memory>";

/** A memory that is not there. */
const broken: ChatMemory = {
  context: () => Promise.reject(new Error("the disk is gone")),
  record: () => Promise.reject(new Error("the disk is full")),
};

describe("generateText", () => {
  test.each([
    ["English", "Mia's dog is called Rex.", "What is the name of Mia's dog?", "It is Rex, a good dog."],
    ["Chinese", "小林的狗叫豆豆。", "小林的狗叫什么名字？", "叫豆豆，很乖。"],
  ])("recalls before, keeps after, and keeps no recalled text: %s", async (_, fact, question, answer) => {
    await memory.remember(fact);
    const { server, model } = await provide(answer);
    const result = await generateText({
      model: withMemory(model, { memory, session: "s1" }),
      prompt: question,
    });
    expect(result.text).toBe(answer);
    const [user] = sent(server, 0);
    expect(user?.content?.startsWith(`${question}\n\n${MARK}`)).toBe(true);
    expect(user?.content).toContain(fact);
    expect(await kept()).toEqual([
      ["user", fact],
      ["user", question],
      ["assistant", answer],
    ]);
    expect((await said()).map(({ session }) => session)).toEqual(["", "s1", "s1"]);
    expect((await contents()).join("\n")).not.toContain("recalled-memory");
  });

  test("the prompt's beginning stays byte for byte the same through a session", async () => {
    await memory.remember({ judgment: "Mia is allergic to peanuts.", pinned: true });
    const { server, model } = await provide(["Noted.", "Olives, then.", "好的。"]);
    const wrapped = withMemory(model, { memory, session: "s1" });
    const instructions = "You cook.";
    const messages: ModelMessage[] = [{ role: "user", content: "I like olives." }];
    const first = await generateText({ model: wrapped, instructions, messages });
    messages.push(...first.responseMessages, { role: "user", content: "What may I eat?" });
    // What is learnt meanwhile changes nothing in front.
    await memory.remember({ judgment: "Mia hates coriander.", pinned: true });
    await generateText({ model: wrapped, instructions, messages });
    const [before, after] = [sent(server, 0), sent(server, 1)];
    expect(before[0]?.content).toMatch(/^You cook\.\n\n<recalled-memory>[\s\S]*peanuts/);
    expect(after[0]).toEqual(before[0]);
    // The history holds what was said, and nothing that was recalled.
    expect(after.slice(1, 3)).toEqual([
      { role: "user", content: "I like olives." },
      { role: "assistant", content: "Noted." },
    ]);
    expect(messages[0]?.content).toBe("I like olives.");
    expect(after[3]?.content).toContain("coriander");
    // Another session may know more in front.
    const providerOptions = { neuromem: { session: "s2" } };
    await generateText({ model: wrapped, instructions, prompt: "继续吧", providerOptions });
    expect(sent(server, 2)[0]?.content).toContain("coriander");
    expect((await said()).at(-1)?.session).toBe("s2");
  });

  test("what the answer only repeats is no news", async () => {
    await memory.remember("Mia's dog is called Rex.");
    const before = await contents();
    const { model } = await provide("Mia's dog is called Rex. He is three years old.");
    await generateText({ model: withMemory(model, { memory }), prompt: "Tell me about Mia's dog." });
    const news = (await contents()).slice(before.length);
    expect(news).toEqual(["Tell me about Mia's dog.", "He is three years old."]);
  });

  test("tools are called in between: recalled and kept once for what the user said", async () => {
    await memory.remember("Mia's dog is called Rex.");
    const { server, model } = await provide([
      { text: "Let me look.", toolCalls: [{ name: "recall", arguments: { question: "name of Mia's dog" } }] },
      { toolCalls: [{ name: "weather", arguments: { place: "Rome" } }] },
      "Rex, and it is sunny.",
    ]);
    let recalls = 0;
    const counted = { ...options(), onRecall: () => void recalls++ };
    const weather = tool({
      inputSchema: jsonSchema<{ place: string }>({ type: "object" }),
      execute: () => "sunny",
    });
    const result = await generateText({
      model: withMemory(model, counted),
      tools: { ...memoryTools(memory), weather },
      stopWhen: isStepCount(5),
      prompt: "What is my dog called, and how is the weather?",
    });
    expect(result.text).toBe("Rex, and it is sunny.");
    expect(recalls).toBe(1);
    // Every step was shown the same, byte for byte.
    expect(sent(server, 1)[0]).toEqual(sent(server, 0)[0]);
    expect(sent(server, 2)[0]).toEqual(sent(server, 0)[0]);
    expect(sent(server, 1).at(-1)?.content).toContain("Mia's dog is called Rex.");
    expect((await kept()).slice(1)).toEqual([
      ["user", "What is my dog called, and how is the weather?"],
      ["assistant", "Let me look.\n\nRex, and it is sunny."],
    ]);
  });

  test("what the user said is kept when there is no answer, and once though it is tried again", async () => {
    const { server, model } = await provide([
      { status: 500, body: { error: { message: "busy" } } },
      { status: 500, body: { error: { message: "busy" } } },
      "你好！",
    ]);
    const wrapped = withMemory(model, options());
    await expect(generateText({ model: wrapped, prompt: "我搬到了罗马。", maxRetries: 0 })).rejects.toThrow(
      "busy",
    );
    expect(await kept()).toEqual([["user", "我搬到了罗马。"]]);
    await expect(generateText({ model: wrapped, prompt: "我搬到了罗马。", maxRetries: 0 })).rejects.toThrow(
      "busy",
    );
    await generateText({ model: wrapped, prompt: "我搬到了罗马。", maxRetries: 0 });
    expect(server.requests).toHaveLength(3);
    expect(await kept()).toEqual([
      ["user", "我搬到了罗马。"],
      ["assistant", "你好！"],
    ]);
    // Said again on another day it is said again.
    await generateText({ model: wrapped, prompt: "我搬到了罗马。" });
    expect(await kept()).toHaveLength(4);
  });

  test("an answer that was cut says so; a refused one and an object are no talk", async () => {
    const { model } = await provide([
      { text: "Once upon a", finish: "length" },
      { text: "I will", finish: "content_filter" },
      '{"city":"Rome"}',
    ]);
    const wrapped = withMemory(model, options());
    await generateText({ model: wrapped, prompt: "A tale, please." });
    await generateText({ model: wrapped, prompt: "A bad tale." });
    const output = Output.object({ schema: z.object({ city: z.string() }) });
    const { output: read } = await generateText({
      model: wrapped,
      prompt: "Where is the Colosseum?",
      output,
    });
    expect(read).toEqual({ city: "Rome" });
    expect(await kept()).toEqual([
      ["user", "A tale, please."],
      ["assistant", "Once upon a"],
      ["user", "A bad tale."],
      ["user", "Where is the Colosseum?"],
    ]);
    expect((await said())[1]?.metadata).toEqual({ cut: true });
  });

  test("a memory that fails or sleeps does not stop the chat, and is told of", async () => {
    const { server, model } = await provide("Hello.");
    const told: [string, string][] = [];
    const onError = (error: unknown, during: string) => void told.push([during, String(error)]);
    const failing = await generateText({
      model: withMemory(model, { memory: broken, onError }),
      prompt: "Hi",
    });
    expect(failing.text).toBe("Hello.");
    expect(sent(server, 0)).toEqual([{ role: "user", content: "Hi" }]);
    expect(told).toEqual([
      ["recall", "Error: the disk is gone"],
      ["record", "Error: the disk is full"],
    ]);
    const problems = [
      "Memory was not recalled: the disk is gone",
      "What was said was not kept in memory: the disk is full",
    ];
    expect(failing.warnings).toEqual(problems.map((message) => ({ type: "other", message })));
    expect(failing.finalStep.providerMetadata?.neuromem).toEqual({ problems });
    const clumsy = () => {
      throw new Error("no log");
    };
    const doubly = await generateText({
      model: withMemory(model, { memory: broken, onError: clumsy }),
      prompt: "Hi",
    });
    expect(doubly.warnings?.[1]).toEqual({ type: "other", message: "onError failed as well: no log" });
    const asleep: ChatMemory = { context: () => new Promise(() => undefined), record: async () => undefined };
    const late = await generateText({
      model: withMemory(model, { memory: asleep, patienceMs: 20 }),
      prompt: "嗨",
    });
    expect(late.text).toBe("Hello.");
    expect(late.warnings?.[0]).toMatchObject({ message: expect.stringContaining("within 20 ms") });
  });

  test("nothing is kept or asked where the user says nothing, and reading alone keeps nothing", async () => {
    const { server, model } = await provide("ok");
    const reading = withMemory(model, { ...options(), record: false });
    await generateText({ model: reading, prompt: "Who am I?" });
    const file = { type: "file" as const, mediaType: "image/png", data: new Uint8Array([1, 2, 3]) };
    await generateText({
      model: withMemory(model, options()),
      messages: [{ role: "user", content: [file] }],
    });
    expect(await kept()).toEqual([]);
    expect(JSON.stringify(server.requests[1]?.body)).not.toContain(MARK);
  });
});

function options(): ChatMemoryOptions {
  return { memory, session: "s1" };
}

describe("streamText", () => {
  const TEXT = "Rex is called Rex, 他叫雷克斯。";

  async function partsOf(model: Parameters<typeof streamText>[0]["model"]) {
    const parts: unknown[] = [];
    for await (const part of streamText({ model, prompt: "What is my dog called?" }).stream) parts.push(part);
    return JSON.stringify(parts, (key, value) => (VARYING.includes(key) ? null : value));
  }
  /** What differs from call to call by itself. */
  const VARYING = ["id", "timestamp", "headers", "performance", "request", "callId", "messageId"];

  test("parts pass unchanged, and what was said is kept when the stream has ended", async () => {
    await memory.remember("Mia's dog is called Rex.");
    const bare = await partsOf((await provide(TEXT)).model);
    const { server, model } = await provide(TEXT);
    const wrapped = await partsOf(withMemory(model, options()));
    expect(wrapped).toBe(bare);
    expect(sent(server, 0)[0]?.content).toContain("Mia's dog is called Rex.");
    expect((await kept()).slice(1)).toEqual([
      ["user", "What is my dog called?"],
      ["assistant", TEXT],
    ]);
  });

  test("parts pass at once", async () => {
    const { model } = await provide({ text: "abcdefghi", pauseMs: 100 });
    const { textStream } = streamText({ model: withMemory(model, options()), prompt: "Spell it." });
    const start = performance.now();
    const times: number[] = [];
    for await (const _ of textStream) times.push(performance.now() - start);
    expect(times).toHaveLength(3);
    // The last piece leaves two pauses after the first.
    expect((times[2] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(120);
  });

  test("given up, or broken off: what the user said is kept, half an answer is not", async () => {
    const { model } = await provide({ text: "one two three four five six", pauseMs: 30 });
    const giving = new AbortController();
    const wrapped = withMemory(model, options());
    const { textStream } = streamText({ model: wrapped, prompt: "数到十。", abortSignal: giving.signal });
    for await (const _ of textStream) giving.abort();
    await expect.poll(kept).toEqual([["user", "数到十。"]]);
    const cut = withMemory((await provide({ fault: "cut", text: "It is" })).model, options());
    const result = streamText({
      model: cut,
      prompt: "What time is it?",
      onError: () => undefined,
      maxRetries: 0,
    });
    await result.consumeStream();
    await expect.poll(kept).toEqual([
      ["user", "数到十。"],
      ["user", "What time is it?"],
    ]);
  });

  test("a memory that fails says so in the warnings; what could not be kept, in those of the next call", async () => {
    const { model } = await provide("Hello.");
    const wrapped = withMemory(model, { memory: broken });
    const first = streamText({ model: wrapped, prompt: "Hi" });
    expect(await first.text).toBe("Hello.");
    const gone = { type: "other", message: "Memory was not recalled: the disk is gone" };
    expect(await first.warnings).toEqual([gone]);
    expect((await first.finalStep).providerMetadata?.neuromem).toEqual({ problems: [gone.message] });
    const second = streamText({ model: wrapped, prompt: "Hi again" });
    await second.consumeStream();
    expect(await second.warnings).toEqual([
      { type: "other", message: "What was said was not kept in memory: the disk is full" },
      gone,
    ]);
  });
});

test("as a middleware of wrapLanguageModel it does the same", async () => {
  await memory.remember("Mia's dog is called Rex.");
  const { server, model } = await provide("Rex!");
  const wrapped = wrapLanguageModel({ model, middleware: memoryMiddleware(options()) });
  await generateText({ model: wrapped, prompt: "What is my dog called?" });
  await streamText({ model: wrapped, prompt: "我的狗叫什么？" }).consumeStream();
  expect(sent(server, 0)[0]?.content).toContain("Mia's dog is called Rex.");
  expect((await kept()).slice(1)).toEqual([
    ["user", "What is my dog called?"],
    ["assistant", "Rex!"],
    ["user", "我的狗叫什么？"],
    ["assistant", "Rex!"],
  ]);
});

test("what is no model, or a misspelt option, is refused with what is valid", async () => {
  const { model } = await provide();
  const wrong = (given: unknown, options: unknown) => () =>
    withMemory(given as typeof model, options as ChatMemoryOptions);
  expect(wrong("gpt", { memory })).toThrow("Valid: a model object of AI SDK 5 to 7");
  expect(wrong({ specificationVersion: "v1" }, { memory })).toThrow("specificationVersion: v1");
  expect(wrong(model, { memory: {} })).toThrow("context() and record()");
  expect(wrong(model, { memory, sesion: "s1" })).toThrow("sesion");
  const wrapped = withMemory(model, { memory });
  const providerOptions = { neuromem: { sesion: "s1" } };
  await expect(generateText({ model: wrapped, prompt: "Hi", providerOptions })).rejects.toThrow("sesion");
});

test("the tools are those of the table, and every input of theirs is one of its", async () => {
  const tools = memoryTools(memory, { forget: true });
  expect(tools.recall.description).toBe(recallOperation.tool);
  expect(tools.remember.description).toBe(rememberOperation.tool);
  const asked = { question: "小林住在哪里？", limit: 3, from: "2020-01-01" };
  expect(recallOperation.input.parse(tools.recall.inputSchema.parse(asked))).toMatchObject({ limit: 3 });
  for (const [row, inputSchema, given] of [
    [rememberOperation, tools.remember.inputSchema, { said: "Mia moved." }],
    [forgetOperation, tools.forget.inputSchema, { id: "x" }],
  ] as const)
    expect(row.input.parse(inputSchema.parse(given))).toEqual(given);
  const { execute } = tools.remember;
  const { memories } = await execute({ said: "小林住在杭州。" });
  const found = await tools.recall.execute(asked);
  expect(found.memories).toEqual([
    { id: memories[0], text: "小林住在杭州。", happenedAt: expect.stringMatching(/^\d{4}-.*Z$/) },
  ]);
  expect(await tools.forget.execute({ id: memories[0] ?? "" })).toEqual({ turns: 1, memories: 1 });
  expect((await memory.list({ filter: where.contains("content", "杭州"), all: true })).entries).toEqual([]);
  await expect(tools.recall.execute({ question: "?", from: "yesterday" })).rejects.toThrow("ISO 8601");
  expect(Object.keys(memoryTools(memory))).toEqual(["recall", "remember"]);
  const deaf = { recall: memory.recall.bind(memory), remember: memory.remember.bind(memory) };
  expect(() => memoryTools(deaf as Memory, { forget: true })).toThrow("cannot forget");
});
