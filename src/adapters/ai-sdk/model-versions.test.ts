/** Models of every version of the AI SDK's interface, as objects and through the SDK itself. */
import { generateText, type LanguageModel, streamText } from "ai";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Memory } from "../../runtime/memory.ts";
import { openInMemory } from "../../storage/memory.ts";
import { hashEmbedder } from "../../testing/hash-embedder.ts";
import { type LanguageModelLike, withMemory } from "./index.ts";

type Version<Name extends string> = Extract<LanguageModel, { readonly specificationVersion: Name }>;
type LanguageModelV2 = Version<"v2">;
type LanguageModelV3 = Version<"v3">;
type LanguageModelV4 = Version<"v4">;

let memory: Memory;
beforeEach(async () => {
  memory = await Memory.open({ storage: await openInMemory(), scope: "mia", embedder: hashEmbedder() });
  await memory.remember("Mia's dog is called Rex.");
});
afterEach(() => memory.close());

async function kept(): Promise<string[]> {
  const turns = await memory.running().storage.turns(memory.scope, { limit: 100 });
  return turns.slice(1).map(({ role, text }) => `${role}: ${text}`);
}

/** What the models were asked. */
let asked: unknown[] = [];
afterEach(() => {
  asked = [];
});

function streamOf<Part>(parts: readonly Part[]): ReadableStream<Part> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

const shared = { provider: "own", modelId: "m", supportedUrls: {} };
const text = { type: "text" as const, text: "Rex." };
const spoken = [
  { type: "text-start" as const, id: "1" },
  { type: "text-delta" as const, id: "1", delta: "Re" },
  { type: "text-delta" as const, id: "1", delta: "x." },
  { type: "text-end" as const, id: "1" },
];

const v2: LanguageModelV2 = (() => {
  const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
  return {
    ...shared,
    specificationVersion: "v2",
    async doGenerate({ prompt }) {
      asked.push(prompt);
      return { content: [text], finishReason: "stop", usage, warnings: [] };
    },
    async doStream({ prompt }) {
      asked.push(prompt);
      return { stream: streamOf([...spoken, { type: "finish", finishReason: "stop", usage } as const]) };
    },
  };
})();

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const finishReason = { unified: "stop", raw: "stop" } as const;

const v3: LanguageModelV3 = {
  ...shared,
  specificationVersion: "v3",
  async doGenerate({ prompt }) {
    asked.push(prompt);
    return { content: [text], finishReason, usage, warnings: [] };
  },
  async doStream({ prompt }) {
    asked.push(prompt);
    return { stream: streamOf([...spoken, { type: "finish", finishReason, usage } as const]) };
  },
};

/** With fields of its own, as a class of a provider has them. */
class OwnModel implements LanguageModelV4 {
  readonly specificationVersion = "v4";
  readonly provider = "own";
  readonly modelId = "m";
  readonly supportedUrls = {};
  readonly #answer = text;

  async doGenerate({ prompt }: Parameters<LanguageModelV4["doGenerate"]>[0]) {
    asked.push(prompt);
    return { content: [this.#answer], finishReason, usage, warnings: [] };
  }

  async doStream({ prompt }: Parameters<LanguageModelV4["doStream"]>[0]) {
    asked.push(prompt);
    const { type, text: answer } = this.#answer;
    const delta = { type: `${type}-delta` as const, id: "1", delta: answer };
    const [start, , , end] = spoken;
    return {
      stream: streamOf(
        [start, delta, end, { type: "finish", finishReason, usage } as const].flatMap((part) => part ?? []),
      ),
    };
  }
}

test.each([
  ["v2", v2],
  ["v3", v3],
  ["v4", new OwnModel()],
] as const)("%s through the SDK", async (version, model) => {
  const wrapped = withMemory(model, { memory });
  expect([wrapped.specificationVersion, wrapped.provider, wrapped.modelId]).toEqual([version, "own", "m"]);
  expect((await generateText({ model: wrapped, prompt: "What is my dog called?" })).text).toBe("Rex.");
  expect(await streamText({ model: wrapped, prompt: "我的狗叫什么？" }).text).toBe("Rex.");
  expect(JSON.stringify(asked[0])).toContain("Mia's dog is called Rex.");
  expect(await kept()).toEqual([
    "user: What is my dog called?",
    "assistant: Rex.",
    "user: 我的狗叫什么？",
    "assistant: Rex.",
  ]);
});

test("what a model streams passes as the same objects, by hand too", async () => {
  const parts = [{ type: "stream-start", warnings: [] }, ...spoken, { type: "finish", finishReason: "stop" }];
  const model: LanguageModelLike = {
    ...shared,
    specificationVersion: "v2",
    doGenerate: () => Promise.reject(new Error("not asked")),
    doStream: async () => ({ stream: streamOf(parts) }),
  };
  const prompt = [{ role: "user", content: [{ type: "text", text: "Hello" }] }];
  const { stream } = await withMemory(model, { memory }).doStream({ prompt });
  const read = await Array.fromAsync(stream);
  expect(read).toHaveLength(parts.length);
  expect(read.every((part, place) => part === parts[place])).toBe(true);
  expect(await kept()).toEqual(["user: Hello", "assistant: Rex."]);
  expect(prompt).toEqual([{ role: "user", content: [{ type: "text", text: "Hello" }] }]);
});

test("a reader who leaves early, before and after the answer has ended", async () => {
  const model: LanguageModelLike = {
    ...shared,
    specificationVersion: "v4",
    doGenerate: () => Promise.reject(new Error("not asked")),
    doStream: async () => ({ stream: streamOf([...spoken, { type: "finish", finishReason }]) }),
  };
  const wrapped = withMemory(model, { memory });
  const ask = async (words: string, count: number) => {
    const { stream } = await wrapped.doStream({ prompt: [{ role: "user", content: words }] });
    const reader = stream.getReader();
    for (let at = 0; at < count; at++) await reader.read();
    await reader.cancel("enough");
  };
  await ask("Early", 2);
  await ask("晚了", 5);
  expect(await kept()).toEqual(["user: Early", "user: 晚了", "assistant: Rex."]);
});
