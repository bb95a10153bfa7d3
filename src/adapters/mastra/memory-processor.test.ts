/**
 * The processor, called as Mastra's runner calls it: `processInput` once, `processLLMRequest` before every request of the loop
 * with the prompt made anew from the messages, `processOutputResult` once at the end; one `state` for all of a run.
 */
import type { LanguageModel } from "ai";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Memory } from "../../runtime/memory.ts";
import { openInMemory } from "../../storage/memory.ts";
import { hashEmbedder } from "../../testing/hash-embedder.ts";
import type { ChatMemory } from "../chat-memory.ts";
import { type MemoryProcessor, memoryProcessor } from "./index.ts";

type LanguageModelV2 = Extract<LanguageModel, { readonly specificationVersion: "v2" }>;
type LanguageModelV2Prompt = Parameters<LanguageModelV2["doGenerate"]>[0]["prompt"];

/** Where no failure is meant, there is none. */
const failures: unknown[] = [];
const onError = (error: unknown): void => void failures.push(error);
afterEach(() => expect(failures.splice(0)).toEqual([]));

let memory: Memory;
beforeEach(async () => {
  memory = await Memory.open({ storage: await openInMemory(), scope: "mia", embedder: hashEmbedder() });
  await memory.remember({ judgment: "Mia is allergic to peanuts.", pinned: true });
  await memory.remember("Mia's dog is called Rex.");
});
afterEach(() => memory.close());

async function kept(of: Memory = memory): Promise<string[]> {
  const turns = await of.running().storage.turns(of.scope, { limit: 100 });
  return turns.map(({ role, text, session }) => `${session} ${role}: ${text}`);
}

interface StoredMessage {
  id: string;
  role: "user" | "assistant" | "system";
  content: { format: 2; parts: { type: "text"; text: string }[]; content?: string };
}

interface SystemMessage {
  role: "system" | "user";
  content: string;
}

interface Shared {
  state: Record<string, unknown>;
  requestContext?: { get(name: string): unknown };
  abortSignal?: AbortSignal;
  retryCount: number;
  abort(reason?: string): never;
}

/** The part of Mastra's interface that is used: what is no processor to it does not compile here. */
interface Processor {
  readonly id: string;
  readonly name?: string;
  processInput?(
    given: Shared & { messages: StoredMessage[]; systemMessages: SystemMessage[] },
  ): Promise<StoredMessage[] | { messages: StoredMessage[]; systemMessages: SystemMessage[] }>;
  processLLMRequest?(
    given: Shared & { prompt: LanguageModelV2Prompt; stepNumber: number; steps: unknown[] },
  ): Promise<{ prompt?: LanguageModelV2Prompt } | undefined>;
  processOutputResult?(
    given: Shared & {
      messages: StoredMessage[];
      result: { text: string; finishReason: string; steps: unknown[] };
    },
  ): Promise<StoredMessage[]>;
}

interface Run {
  /** Each is what one request of the loop is answered with; all but the last call a tool. */
  readonly answers: readonly string[];
  readonly context?: Record<string, unknown>;
  readonly finishReason?: string;
}

async function run(processor: Processor, text: string, { answers, context, finishReason = "stop" }: Run) {
  const shared: Shared = {
    state: {},
    retryCount: 0,
    abort: () => {
      throw new Error("stopped");
    },
    ...(context === undefined ? {} : { requestContext: { get: (name) => context[name] } }),
  };
  const messages: StoredMessage[] = [
    { id: "1", role: "user", content: { format: 2, parts: [{ type: "text", text }] } },
  ];
  let systemMessages: SystemMessage[] = [{ role: "system", content: "You are kind." }];
  const changed = await processor.processInput?.({ ...shared, messages, systemMessages });
  if (changed !== undefined && !Array.isArray(changed)) ({ systemMessages } = changed);
  const requests: LanguageModelV2Prompt[] = [];
  for (const [stepNumber] of answers.entries()) {
    const prompt: LanguageModelV2Prompt = [
      ...systemMessages.map(({ content }) => ({ role: "system" as const, content })),
      { role: "user", content: [{ type: "text", text }] },
      ...answers.slice(0, stepNumber).flatMap(
        (): LanguageModelV2Prompt => [
          { role: "assistant", content: [{ type: "tool-call", toolCallId: "t", toolName: "x", input: {} }] },
          {
            role: "tool",
            content: [
              { type: "tool-result", toolCallId: "t", toolName: "x", output: { type: "text", value: "y" } },
            ],
          },
        ],
      ),
    ];
    const result = await processor.processLLMRequest?.({ ...shared, prompt, stepNumber, steps: [] });
    requests.push(result?.prompt ?? prompt);
  }
  const response: StoredMessage[] = answers.map((answer, place) => ({
    id: `a${place}`,
    role: "assistant",
    content: { format: 2, parts: [{ type: "text", text: answer }] },
  }));
  const result = { text: answers.join(""), finishReason, steps: [] };
  const given = { ...shared, state: structuredClone(shared.state), messages: response, result };
  const output = await processor.processOutputResult?.(given);
  return { requests, messages, output, response };
}

const THREAD = { MastraMemory: { thread: { id: "thread-1" }, resourceId: "mia" } };

test("the prompt of every request has what is known, the history has not; both sides are kept once", async () => {
  const { requests, messages, output, response } = await run(
    memoryProcessor({ memory, onError }),
    "What is my dog called?",
    {
      answers: ["", "Rex."],
      context: THREAD,
    },
  );
  const [first, second] = requests;
  expect(first?.[0]?.content).toMatch(/^You are kind\.\n\n<recalled-memory>[\s\S]*peanuts/);
  expect(JSON.stringify(first?.[1])).toContain("Mia's dog is called Rex.");
  expect(second?.slice(0, 2)).toEqual(first?.slice(0, 2));
  expect(JSON.stringify(messages)).not.toContain("recalled-memory");
  expect(output).toBe(response);
  expect((await kept()).slice(2)).toEqual([
    "thread-1 user: What is my dog called?",
    "thread-1 assistant: Rex.",
  ]);
});

test("as system messages, for releases that show no request", async () => {
  const processor: MemoryProcessor = memoryProcessor({ memory, placement: "system", session: "s1", onError });
  expect(processor.processLLMRequest).toBeUndefined();
  const { requests } = await run(processor, "我的狗叫什么？", { answers: ["叫 Rex。"], context: THREAD });
  const system = requests[0]?.filter(({ role }) => role === "system").map(({ content }) => content);
  expect(system?.[0]).toBe("You are kind.");
  expect(system?.[1]).toContain("peanuts");
  expect(requests[0]?.at(-1)).toEqual({ role: "user", content: [{ type: "text", text: "我的狗叫什么？" }] });
  expect((await kept()).slice(2)).toEqual(["s1 user: 我的狗叫什么？", "s1 assistant: 叫 Rex。"]);
});

test("each request has the memory of whom it is for", async () => {
  const processor = memoryProcessor({ onError, memory: ({ resource }) => memory.in(resource ?? "nobody") });
  const other = { MastraMemory: { thread: { id: "t" }, resourceId: "bob" } };
  const { requests } = await run(processor, "What is my dog called?", {
    answers: ["No idea."],
    context: other,
  });
  expect(JSON.stringify(requests)).not.toMatch(/Rex|peanuts/);
  expect(await kept()).toHaveLength(2);
  expect(await kept(memory.in("bob"))).toEqual(["t user: What is my dog called?", "t assistant: No idea."]);
});

test("a failed run keeps no answer, and a failing memory does not stop one", async () => {
  await run(memoryProcessor({ memory, onError }), "Third", { answers: ["Half"], finishReason: "error" });
  expect((await kept()).slice(2)).toEqual([" user: Third"]);
  const told: string[] = [];
  const broken: ChatMemory = {
    context: () => Promise.reject(new Error("gone")),
    record: () => Promise.reject(new Error("full")),
  };
  const failing = memoryProcessor({
    memory: broken,
    onError: (error, during) => told.push(`${during} ${error}`),
  });
  const { requests, output, response } = await run(failing, "Hi", { answers: ["Hello."] });
  expect(requests[0]).toHaveLength(2);
  expect(output).toBe(response);
  expect(told).toEqual(["recall Error: gone", "record Error: full"]);
  // Nor does one that there is none of: a name that is no scope.
  const strangers = memoryProcessor({
    memory: ({ resource }) => memory.in(resource ?? "nobody"),
    onError: (error, during) => told.push(`${during} ${error}`),
  });
  const context = { MastraMemory: { resourceId: "../老王" } };
  const stranger = await run(strangers, "嗨", { answers: ["你好。"], context });
  expect(stranger.output).toBe(stranger.response);
  expect(told.slice(2)).toEqual([
    expect.stringMatching(/^recall .*scope/),
    expect.stringMatching(/^record .*scope/),
  ]);
  const untold: unknown = { memory };
  expect(() => memoryProcessor(untold as Parameters<typeof memoryProcessor>[0])).toThrow(
    "memoryProcessor needs onError",
  );
  expect(() => memoryProcessor({ memory, onError, placement: "front" as "system" })).toThrow("placement");
});
