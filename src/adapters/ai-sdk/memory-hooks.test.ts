import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, isStepCount, streamText, ToolLoopAgent } from "ai";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { Memory } from "../../runtime/memory.ts";
import { openInMemory } from "../../storage/memory.ts";
import { hashEmbedder } from "../../testing/hash-embedder.ts";
import { type ModelServer, type Script, startModelServer } from "../../testing/model-server.ts";
import { memoryHooks, memoryTools } from "./index.ts";

let memory: Memory;
const servers: ModelServer[] = [];
beforeEach(async () => {
  memory = await Memory.open({ storage: await openInMemory(), scope: "mia", embedder: hashEmbedder() });
  await memory.remember({ judgment: "Mia is allergic to peanuts.", pinned: true });
  await memory.remember("Mia's dog is called Rex.");
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

const sentSchema = z.array(z.object({ role: z.string(), content: z.string().nullish() }));

function sent(server: ModelServer, call: number) {
  return sentSchema.parse(server.requests[call]?.body.messages);
}

async function kept(): Promise<string[]> {
  const turns = await memory.running().storage.turns(memory.scope, { limit: 100 });
  return turns.slice(2).map(({ role, text }) => `${role}: ${text}`);
}

/** Where no failure is meant, there is none. */
const failures: unknown[] = [];
const onError = (error: unknown): void => void failures.push(error);
afterEach(() => expect(failures.splice(0)).toEqual([]));

const CALL = { toolCalls: [{ name: "recall", arguments: { question: "dog" } }] };

test("a loop of steps: recalled once, the same in every step, kept once", async () => {
  const { server, model } = await provide([CALL, "Rex."]);
  const result = await generateText({
    model,
    instructions: "You are kind.",
    prompt: "What is my dog called?",
    tools: memoryTools(memory),
    stopWhen: isStepCount(3),
    ...memoryHooks({ memory, session: "s1", onError }),
  });
  expect(result.text).toBe("Rex.");
  const [first, second] = [sent(server, 0), sent(server, 1)];
  expect(first[0]?.content).toMatch(/^You are kind\.\n\n<recalled-memory>[\s\S]*peanuts/);
  expect(first[1]?.content).toMatch(/^What is my dog called\?\n\n<recalled-memory>[\s\S]*Rex/);
  expect(second.slice(0, 2)).toEqual(first);
  expect(await kept()).toEqual(["user: What is my dog called?", "assistant: Rex."]);
  expect(JSON.stringify(result.responseMessages)).not.toContain("<recalled-memory>");
});

test("an agent that serves several at once keeps each exchange together", async () => {
  const { model } = await provide((request) => {
    const asked = JSON.stringify(request.body.messages);
    return asked.includes("东京") ? "东京很远。" : "Rome is near.";
  });
  const agent = new ToolLoopAgent({ model, ...memoryHooks({ memory, onError }) });
  const [rome, tokyo] = await Promise.all([
    agent.generate({ prompt: "Is Rome far?" }),
    agent.generate({ prompt: "东京远吗？" }),
  ]);
  expect([rome.text, tokyo.text]).toEqual(["Rome is near.", "东京很远。"]);
  const all = await kept();
  expect(all).toHaveLength(4);
  for (const [user, assistant] of [
    ["user: Is Rome far?", "assistant: Rome is near."],
    ["user: 东京远吗？", "assistant: 东京很远。"],
  ] as const)
    expect(all[all.indexOf(user) + 1]).toBe(assistant);
});

test("streamed, given up and failed: what the user said is there, half an answer is not", async () => {
  const hooks = memoryHooks({ memory, onError });
  const { model } = await provide([
    "Streamed.",
    { text: "one two three four five", pauseMs: 30 },
    { status: 400, body: { error: { message: "no" } } },
  ]);
  await streamText({ model, prompt: "First", ...hooks }).consumeStream();
  const giving = new AbortController();
  const { textStream } = streamText({ model, prompt: "第二", abortSignal: giving.signal, ...hooks });
  for await (const _ of textStream) giving.abort();
  await expect(generateText({ model, prompt: "Third", ...hooks })).rejects.toThrow("no");
  await expect.poll(kept).toEqual(["user: First", "assistant: Streamed.", "user: 第二", "user: Third"]);
});

test("an SDK that shows no system prompt, and carries nothing from step to step", async () => {
  const { prepareStep, onFinish } = memoryHooks({ memory, onError });
  const steps: { text: string }[] = [];
  const messages = [{ role: "user", content: "What is my dog called?" }];
  const first = await prepareStep({ steps, messages });
  expect(first?.messages[0]?.content).toMatch(/^What is my dog called\?\n\n[\s\S]*peanuts[\s\S]*Rex/);
  expect(first).not.toHaveProperty("instructions");
  steps.push({ text: "" });
  const later = [...messages, { role: "tool", content: [] }];
  expect((await prepareStep({ steps, messages: later }))?.messages[0]).toEqual(first?.messages[0]);
  // Nor is it put in twice where it is carried on.
  const carried = first?.messages ?? [];
  expect((await prepareStep({ steps, messages: carried }))?.messages).toEqual(carried);
  steps.push({ text: "Rex." });
  await onFinish({ steps, finishReason: "stop" });
  expect(await kept()).toEqual(["user: What is my dog called?", "assistant: Rex."]);
});

test("a memory that fails does not stop the loop; without anybody to tell there are no hooks", async () => {
  const { model } = await provide("Hello.");
  const told: string[] = [];
  const memory = {
    context: () => Promise.reject(new Error("gone")),
    record: () => Promise.reject(new Error("full")),
  };
  const hooks = memoryHooks({ memory, onError: (error, during) => told.push(`${during} ${error}`) });
  expect((await generateText({ model, prompt: "嗨", ...hooks })).text).toBe("Hello.");
  expect(told).toEqual(["recall Error: gone", "record Error: full"]);
  const untold: unknown = { memory };
  expect(() => memoryHooks(untold as Parameters<typeof memoryHooks>[0])).toThrow("memoryHooks needs onError");
});
