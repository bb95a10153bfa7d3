/** The adapters with the client of a memory that runs elsewhere, over real sockets, in place of a memory of this process. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, isStepCount } from "ai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ServedMemory, serveMemory } from "../../test/fixtures/served-memory.ts";
import { connect } from "../client/index.ts";
import { startModelServer } from "../testing/model-server.ts";
import { memoryTools, withMemory } from "./ai-sdk/index.ts";
import { NeuroMemStore } from "./langgraph/index.ts";
import { memoryProcessor } from "./mastra/index.ts";

let served: ServedMemory;
beforeAll(async () => {
  served = await serveMemory();
});
afterAll(() => served.close());

test("a model with memory and tools", async () => {
  const memory = connect({ url: served.url, scope: "mia" });
  await memory.remember("Mia's dog is called Rex.");
  const server = await startModelServer({
    chat: [
      { toolCalls: [{ name: "remember", arguments: { said: "Mia 的狗三岁了。" } }] },
      { toolCalls: [{ name: "recall", arguments: { question: "Mia 的狗几岁？" } }] },
      "Rex is three.",
    ],
  });
  const provider = createOpenAICompatible({ name: "test", baseURL: server.url });
  const result = await generateText({
    model: withMemory(provider("m"), { memory, session: "s1" }),
    tools: memoryTools(memory, { forget: true }),
    stopWhen: isStepCount(4),
    prompt: "How old is my dog? Three, I think.",
  });
  await server.close();
  expect(result.text).toBe("Rex is three.");
  expect(result.warnings).toEqual([]);
  expect(JSON.stringify(server.requests[0]?.body)).toContain("Mia's dog is called Rex.");
  expect(JSON.stringify(server.requests[2]?.body)).toContain("Mia 的狗三岁了。");
  const { entries } = await served.memory.in("mia").list();
  expect(entries.map(({ content }) => content).sort()).toEqual([
    "How old is my dog? Three, I think.",
    "Mia 的狗三岁了。",
    "Mia's dog is called Rex.",
    "Rex is three.",
  ]);
});

test("a store of LangGraph, also with many puts at once", async () => {
  const store = new NeuroMemStore({ memory: connect({ url: served.url, scope: "graph" }) });
  const puts = Array.from({ length: 30 }, (_, at) => ({
    namespace: ["文档", "v1"],
    key: `文件 ${at}`,
    value: { text: `第 ${at} 页`, at },
  }));
  await store.batch(puts);
  await store.put(["文档", "v1"], "文件 7", { text: "a page about sailing", at: 7 });
  const [best] = await store.search(["文档"], { query: "sailing", limit: 3 });
  expect(best).toMatchObject({ key: "文件 7", value: { at: 7 } });
  // Long names are asked for a few at a time: an address has room for so many.
  const long = (at: number) => `${"很长的名字".repeat(40)}${at}`;
  await store.batch(puts.map((put, at) => ({ ...put, namespace: ["长名"], key: long(at) })));
  expect(await store.get(["长名"], long(29))).toMatchObject({ value: { at: 29 } });
  await store.delete(["文档", "v1"], "文件 7");
  expect(await store.get(["文档", "v1"], "文件 7")).toBeNull();
  expect(await store.search(["文档"], { limit: 100 })).toHaveLength(29);
});

test("a processor of Mastra", async () => {
  const memory = connect({ url: served.url, scope: "bob" });
  await memory.remember("Bob plays the cello.");
  const failures: unknown[] = [];
  const { processLLMRequest, processOutputResult } = memoryProcessor({
    memory,
    onError: (error) => void failures.push(error),
  });
  const state = {};
  const prompt = [{ role: "user", content: [{ type: "text", text: "What do I play?" }] }];
  const placed = await processLLMRequest?.({ state, prompt });
  expect(JSON.stringify(placed)).toContain("Bob plays the cello.");
  await processOutputResult({ state, messages: [], result: { text: "The cello!" } });
  expect(failures).toEqual([]);
  const { entries } = await served.memory.in("bob").list();
  expect(entries.map(({ content }) => content).slice(1)).toEqual(["What do I play?", "The cello!"]);
});
