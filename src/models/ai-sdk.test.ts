import { describe, expect, test } from "vitest";
import { type ScriptedReply, testChatModel, testEmbedder } from "../testing/model-suite.ts";
import {
  type AiSdkEmbeddingModel,
  type AiSdkLanguageModel,
  aiSdkChatModel,
  aiSdkEmbedder,
  aiSdkReranker,
} from "./ai-sdk.ts";
import type { AiSdkCall } from "./ai-sdk-wire.ts";

const HELLO = { messages: [{ role: "user" as const, text: "hi" }] };

/** As the SDK's APICallError: an error with status, headers and body. */
function apiError(statusCode: number, responseHeaders: Record<string, string> = {}, body = ""): Error {
  return Object.assign(new Error(`status ${statusCode}`), {
    statusCode,
    responseHeaders,
    responseBody: body,
  });
}

/** A model of the given specification that does as scripted; v2 differs from v3 and v4 in usage and finish reason. */
function scripted(version: "v2" | "v3" | "v4", script: readonly ScriptedReply[]) {
  const calls: AiSdkCall[] = [];
  const usage =
    version === "v2"
      ? { inputTokens: 5, outputTokens: 2, totalTokens: 7 }
      : { inputTokens: { total: 5 }, outputTokens: { total: 2, reasoning: 0 } };
  const reason = (word: string) => (version === "v2" ? word : { unified: word, raw: word });
  const play = async (options: AiSdkCall) => {
    const reply = script[Math.min(calls.length, script.length - 1)] ?? { text: "" };
    calls.push(options);
    if ("hang" in reply) return new Promise<never>(() => undefined);
    if ("fail" in reply && reply.fail !== "empty") {
      throw apiError({ rate_limited: 429, unavailable: 503, refused: 401 }[reply.fail]);
    }
    if ("toolCall" in reply) {
      const { name, input } = reply.toolCall;
      const call = { type: "tool-call", toolCallId: "c1", toolName: name, input: JSON.stringify(input) };
      return { content: [call], finishReason: reason("tool-calls"), usage, warnings: [] };
    }
    const text = "text" in reply ? reply.text : "";
    const content = [
      { type: "reasoning", text: "hm" },
      { type: "text", text },
    ];
    return { content, finishReason: reason("stop"), usage, warnings: [] };
  };
  const model: AiSdkLanguageModel = {
    specificationVersion: version,
    provider: "acme.chat",
    modelId: "acme-1",
    doGenerate: play,
    async doStream(options) {
      const { content, ...end } = await play(options);
      return {
        stream: new ReadableStream<object>({
          start(controller) {
            controller.enqueue({ type: "stream-start", warnings: [] });
            for (const part of content) {
              if (part.type === "tool-call") controller.enqueue(part);
              if (part.type !== "text" || !("text" in part)) continue;
              for (const delta of part.text.match(/[\s\S]{1,4}/gu) ?? []) {
                controller.enqueue({ type: "text-delta", id: "1", delta });
              }
            }
            controller.enqueue({ type: "finish", ...end });
            controller.close();
          },
        }),
      };
    },
  };
  return { model, calls };
}

for (const version of ["v2", "v3", "v4"] as const) {
  testChatModel({
    name: `ai-sdk ${version}`,
    open(script) {
      const { model, calls } = scripted(version, script);
      return { model: aiSdkChatModel(model), calls: () => calls.length };
    },
  });

  test(`usage and identity of ${version}`, async () => {
    const chat = aiSdkChatModel(scripted(version, [{ text: "yes" }]).model);
    expect(chat).toMatchObject({ id: "acme-1", provider: "acme.chat", json: "schema" });
    const reply = await chat.generate(HELLO);
    expect(reply.usage).toEqual({ inputTokens: 5, outputTokens: 2 });
    const streamed = await chat.generate(HELLO, { onText: () => undefined });
    expect(streamed).toEqual(reply);
  });
}

describe("aiSdkChatModel", () => {
  test("thoughts without an answer are kept as the raw text, with what they cost", async () => {
    const thought = "<think>hm, 让我想想";
    const chat = aiSdkChatModel(scripted("v4", [{ text: thought }]).model);
    const heard: string[] = [];
    for (const options of [{}, { onText: (piece: string) => heard.push(piece) }]) {
      await expect(chat.generate(HELLO, options)).rejects.toMatchObject({
        code: "reply_invalid",
        details: { raw: thought, usage: { inputTokens: 5, outputTokens: 2 } },
      });
    }
    expect(heard).toEqual([]);
  });

  test("speaks the SDK's language", async () => {
    const { model, calls } = scripted("v4", [{ text: "{}" }]);
    await aiSdkChatModel(model).generate({
      messages: [
        { role: "system", text: "s" },
        { role: "user", text: "u" },
        { role: "assistant", text: "", toolCalls: [{ id: "c", name: "t", input: { a: 1 } }] },
        { role: "tool", id: "c", name: "t", text: "r" },
      ],
      shape: { name: "x", schema: { type: "object" }, strict: true },
      tools: [{ name: "t", description: "d", input: { type: "object" } }],
      toolChoice: { name: "t" },
      maxTokens: 9,
      temperature: 0,
      seed: 1,
      thinking: false,
    });
    expect(calls[0]).toEqual({
      prompt: [
        { role: "system", content: "s" },
        { role: "user", content: [{ type: "text", text: "u" }] },
        {
          role: "assistant",
          content: [{ type: "tool-call", toolCallId: "c", toolName: "t", input: { a: 1 } }],
        },
        {
          role: "tool",
          content: [
            { type: "tool-result", toolCallId: "c", toolName: "t", output: { type: "text", value: "r" } },
          ],
        },
      ],
      responseFormat: { type: "json", schema: { type: "object" }, name: "x" },
      tools: [{ type: "function", name: "t", description: "d", inputSchema: { type: "object" } }],
      toolChoice: { type: "tool", toolName: "t" },
      maxOutputTokens: 9,
      temperature: 0,
      seed: 1,
      reasoning: "none",
    });
  });

  test("the SDK's errors keep their wait; other errors are a lost connection; a filter is a refusal", async () => {
    const failing = (error: unknown) =>
      aiSdkChatModel({ ...scripted("v4", []).model, doGenerate: () => Promise.reject(error) }).generate(
        HELLO,
      );
    await expect(failing(apiError(429, { "retry-after": "4" }))).rejects.toMatchObject({
      code: "model_rate_limited",
      details: { retryAfterMs: 4000 },
    });
    const long = JSON.stringify({ error: { message: "maximum context length exceeded" } });
    await expect(failing(apiError(400, {}, long))).rejects.toMatchObject({ code: "text_too_large" });
    await expect(failing(new TypeError("fetch failed"))).rejects.toMatchObject({ code: "model_unavailable" });
    const filtered = async () => ({ content: [], finishReason: { unified: "content-filter" }, usage: {} });
    const model = aiSdkChatModel({ ...scripted("v4", []).model, doGenerate: filtered });
    await expect(model.generate(HELLO)).rejects.toMatchObject({ code: "model_refused" });
  });

  test("a stream that breaks, or reports an error, is an error", async () => {
    const streaming = (...parts: object[]) => {
      const stream = new ReadableStream<object>({
        start(controller) {
          for (const part of parts) controller.enqueue(part);
          controller.close();
        },
      });
      const model = { ...scripted("v3", []).model, doStream: async () => ({ stream }) };
      return aiSdkChatModel(model).generate(HELLO, { onText: () => undefined });
    };
    const piece = { type: "text-delta", id: "1", delta: "half" };
    await expect(streaming(piece)).rejects.toMatchObject({ code: "model_unavailable" });
    await expect(streaming(piece, { type: "error", error: apiError(500) })).rejects.toMatchObject({
      code: "model_unavailable",
      details: { status: 500 },
    });
  });

  test("v4's text of structured output is preferred; a provider without structured output is asked by words", async () => {
    const structured = async () => ({
      content: [{ type: "text", text: "Sure" }],
      structuredOutputText: '{"a":1}',
      finishReason: { unified: "stop" },
      usage: {},
    });
    const { model } = scripted("v4", []);
    const reply = await aiSdkChatModel({ ...model, doGenerate: structured }).generate(HELLO);
    expect(reply).toMatchObject({ text: '{"a":1}', usage: { inputTokens: 0, outputTokens: 0 } });
    const plain = { ...model, supportsStructuredOutputs: false };
    expect(aiSdkChatModel(plain).json).toBe("object");
    expect(aiSdkChatModel(plain, { json: "none" }).json).toBe("none");
  });

  test("another specification is refused by name", () => {
    const old = { ...scripted("v2", []).model, specificationVersion: "v1" };
    expect(() => aiSdkChatModel(old)).toThrow(/v1.*Valid: v2, v3 or v4/);
  });
});

const letters: AiSdkEmbeddingModel = {
  specificationVersion: "v3",
  provider: "acme.embed",
  modelId: "acme-e",
  maxEmbeddingsPerCall: Promise.resolve(3),
  doEmbed: async ({ values }) => ({
    embeddings: values.map((text) => [1, text.length, text.codePointAt(0) ?? 0, text.split("a").length]),
    usage: { tokens: values.length },
    warnings: [],
  }),
};

testEmbedder({ name: "ai-sdk", open: () => aiSdkEmbedder(letters) });

test("aiSdkEmbedder measures the dimension, splits at the model's limit, refuses another dimension", async () => {
  const embedder = await aiSdkEmbedder(letters);
  expect(embedder).toMatchObject({ id: "acme-e", dimension: 4, maxBatch: 3 });
  const wrong = await aiSdkEmbedder(letters, { dimension: 5, id: "space" });
  await expect(wrong.embed(["x"])).rejects.toMatchObject({ code: "dimension_mismatch" });
});

test("aiSdkReranker gives scores in the order of the texts", async () => {
  const reranker = aiSdkReranker({
    specificationVersion: "v4",
    provider: "acme.rank",
    modelId: "acme-r",
    doRerank: async ({ documents }) => ({
      ranking: documents.values.map((text, index) => ({ index, relevanceScore: text.length })).reverse(),
    }),
  });
  expect([...(await reranker.rank("q", ["a", "bbb"]))]).toEqual([1, 3]);
});
