/** A chat in which something goes wrong: slow memories, calls given up and tried again, words that cannot be stored. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, streamText } from "ai";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Memory } from "../../runtime/memory.ts";
import { openInMemory } from "../../storage/memory.ts";
import { hashEmbedder } from "../../testing/hash-embedder.ts";
import { type ModelServer, type Script, startModelServer } from "../../testing/model-server.ts";
import { type ChatMemory, withMemory } from "./index.ts";

let memory: Memory;
const servers: ModelServer[] = [];
beforeEach(async () => {
  memory = await Memory.open({ storage: await openInMemory(), scope: "mia", embedder: hashEmbedder() });
});
afterEach(async () => {
  await memory.close();
  for (const server of servers.splice(0)) await server.close();
});

async function provide(chat: Script) {
  const server = await startModelServer({ chat });
  servers.push(server);
  return { server, model: createOpenAICompatible({ name: "test", baseURL: server.url })("m") };
}

async function kept(): Promise<string[]> {
  const turns = await memory.running().storage.turns(memory.scope, { limit: 100 });
  return turns.map(({ role, text }) => `${role}: ${text}`);
}

function asked({ requests }: ModelServer, call: number): string {
  return JSON.stringify(requests[call]?.body.messages);
}

test("a memory that never ends keeping holds up neither an answer nor the end of a stream, and is told of", async () => {
  const { model } = await provide("Hello 你好");
  const told: string[] = [];
  const sleepy: ChatMemory = {
    context: (question, options) => memory.context(question, options),
    record: () => new Promise(() => undefined),
  };
  const wrapped = withMemory(model, {
    memory: sleepy,
    patienceMs: 20,
    onError: (error, during) => told.push(`${during}: ${error}`),
  });
  expect((await generateText({ model: wrapped, prompt: "Hi" })).text).toBe("Hello 你好");
  await streamText({ model: wrapped, prompt: "嗨" }).consumeStream();
  expect(told).toHaveLength(2);
  for (const one of told) expect(one).toMatch(/^record: .*within 20 ms/);
});

test("what is kept slowly is not handed in twice, and what fails late is told", async () => {
  const { model } = await provide([{ status: 500, body: { error: { message: "busy" } } }, "好的。"]);
  const told: string[] = [];
  const recorded: unknown[] = [];
  const slow: ChatMemory = {
    context: (question, options) => memory.context(question, options),
    async record({ user, assistant }) {
      recorded.push([user, assistant?.text]);
      await new Promise((resolve) => setTimeout(resolve, 60));
      throw new Error("the disk is full");
    },
  };
  const onError = (error: unknown): void => void told.push(String(error));
  const wrapped = withMemory(model, { memory: slow, patienceMs: 20, onError });
  expect((await generateText({ model: wrapped, prompt: "我搬到了罗马。" })).text).toBe("好的。");
  await expect.poll(() => told.filter((one) => one.includes("disk is full"))).toHaveLength(2);
  expect(recorded).toEqual([
    ["我搬到了罗马。", undefined],
    [undefined, "好的。"],
  ]);
});

test("given up while the memory was asked: the next try is shown what is known", async () => {
  await memory.remember("Mia's dog is called Rex.");
  const { server, model } = await provide("Rex.");
  const giving = new AbortController();
  let isFirst = true;
  const wrapped = withMemory(model, {
    memory: {
      context(question, options) {
        if (!isFirst) return memory.context(question, options);
        isFirst = false;
        giving.abort();
        return new Promise(() => undefined);
      },
      record: (exchange) => memory.record(exchange),
    },
  });
  const prompt = "What is my dog called?";
  const call = generateText({ model: wrapped, prompt, abortSignal: giving.signal });
  await expect(call).rejects.toThrow("abort");
  await generateText({ model: wrapped, prompt });
  expect(asked(server, server.requests.length - 1)).toContain("Mia's dog is called Rex.");
  expect(await kept()).toEqual(["user: Mia's dog is called Rex.", `user: ${prompt}`, "assistant: Rex."]);
});

test("what was forgotten between two tries is not shown in the second", async () => {
  const { memories } = await memory.remember("小林的狗叫豆豆。");
  const { server, model } = await provide([
    { status: 500, body: { error: { message: "busy" } } },
    "不知道。",
  ]);
  const wrapped = withMemory(model, { memory });
  const call = { model: wrapped, prompt: "小林的狗叫什么？", maxRetries: 0 };
  await expect(generateText(call)).rejects.toThrow("busy");
  expect(asked(server, 0)).toContain("豆豆");
  await memory.forget({ id: memories?.[0] ?? "" });
  await generateText(call);
  expect(asked(server, 1)).not.toContain("豆豆");
});

test("signs that cannot be stored are left out, and the words around them recalled for and kept", async () => {
  await memory.remember("Mia's dog is called Rex.");
  const { server, model } = await provide("\u001b[32mRex\u001b[0m 很乖");
  const { warnings } = await generateText({
    model: withMemory(model, { memory }),
    prompt: "\u001b[1mWhat is Mia's dog called?\u0000 \ud800",
  });
  expect(warnings).toEqual([]);
  expect(asked(server, 0)).toContain("Mia's dog is called Rex.");
  expect((await kept()).slice(1)).toEqual([
    "user: [1mWhat is Mia's dog called? \ufffd",
    "assistant: [32mRex[0m 很乖",
  ]);
});

test("of a pasted document, the question behind it is asked", async () => {
  await memory.remember("小林的狗叫豆豆。");
  const { server, model } = await provide("豆豆。");
  const page = "The quick brown fox jumps over the lazy cat. ".repeat(1000);
  await generateText({ model: withMemory(model, { memory }), prompt: `${page}\n小林的狗叫什么？` });
  expect(asked(server, 0)).toContain("小林的狗叫豆豆。");
});

test("what the answer repeats of the stable part is no news either", async () => {
  for (const judgment of ["Mia is allergic to peanuts.", "小林住在杭州。"])
    await memory.remember({ judgment, pinned: true });
  const before = (await memory.list()).entries.length;
  const { model } = await provide("Mia is allergic to peanuts. 小林住在杭州。 The weather is fine.");
  await generateText({ model: withMemory(model, { memory, session: "s1", limit: 1 }), prompt: "And so?" });
  const news = (await memory.list()).entries.slice(before).map(({ content }) => content);
  expect(news).toEqual(["And so?", "The weather is fine."]);
});
