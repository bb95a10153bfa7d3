import { afterEach, describe, expect, test } from "vitest";
import type { TraceEvent } from "../base/trace.ts";
import { type ModelServerOptions, type ServerReply, startModelServer } from "../testing/model-server.ts";
import { type ScriptedReply, testChatModel } from "../testing/model-suite.ts";
import { type EndpointSettings, resolveEndpoint } from "./endpoints.ts";
import { openChatModel } from "./open-model.ts";
import { type OpenAiDeps, openAiCompatible } from "./openai-compatible.ts";
import { streamText } from "./stream-text.ts";

const KEY = "sk-very-secret-key-123456";
const HELLO = { messages: [{ role: "user" as const, text: "hi" }] };
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function open(
  options: ModelServerOptions,
  deps: OpenAiDeps = {},
  settings: Partial<EndpointSettings> = {},
) {
  const server = await startModelServer(options);
  closers.push(server.close);
  const endpoint = resolveEndpoint("test", {
    baseUrl: server.url,
    model: "m",
    key: KEY,
    json: "schema",
    ...settings,
  });
  return { server, model: openAiCompatible(endpoint, deps) };
}

testChatModel({
  name: "openai-compatible",
  async open(script) {
    const server = await startModelServer({ chat: script.map(asServerReply) });
    const endpoint = resolveEndpoint("test", { baseUrl: server.url, model: "m" });
    return { model: openAiCompatible(endpoint), calls: () => server.requests.length, close: server.close };
  },
});

function asServerReply(reply: ScriptedReply): ServerReply {
  if ("text" in reply) return reply.text;
  if ("hang" in reply) return { fault: "hang" };
  if ("toolCall" in reply) {
    return { text: null, toolCalls: [{ name: reply.toolCall.name, arguments: reply.toolCall.input }] };
  }
  const statuses = { rate_limited: 429, unavailable: 503, refused: 401 };
  return reply.fail === "empty" ? { text: null } : { status: statuses[reply.fail] };
}

describe("the request", () => {
  test("carries the key in a header only, and every option under its name", async () => {
    const { server, model } = await open(
      { chat: "ok" },
      { extra: { user: "u" }, headers: { "x-team": "t1" } },
    );
    await model.generate({
      messages: [
        { role: "system", text: "s" },
        { role: "assistant", text: "", toolCalls: [{ id: "c1", name: "t", input: { a: 1 } }] },
        { role: "tool", id: "c1", name: "t", text: "r" },
      ],
      shape: { name: "shape", schema: { type: "object" }, strict: true },
      tools: [{ name: "t", description: "d", input: { type: "object" } }],
      toolChoice: { name: "t" },
      maxTokens: 5,
      temperature: 0.1,
      seed: 7,
    });
    const [request] = server.requests;
    expect(request?.headers).toMatchObject({ authorization: `Bearer ${KEY}`, "x-team": "t1" });
    expect(request?.body).toEqual({
      model: "m",
      messages: [
        { role: "system", content: "s" },
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "c1", type: "function", function: { name: "t", arguments: '{"a":1}' } }],
        },
        { role: "tool", tool_call_id: "c1", content: "r" },
      ],
      response_format: {
        type: "json_schema",
        json_schema: { name: "shape", schema: { type: "object" }, strict: true },
      },
      tools: [
        { type: "function", function: { name: "t", description: "d", parameters: { type: "object" } } },
      ],
      tool_choice: { type: "function", function: { name: "t" } },
      max_tokens: 5,
      temperature: 0.1,
      seed: 7,
      user: "u",
    });
  });

  test("[S2-2] asks for JSON as far as the endpoint goes, and for thinking in its words", async () => {
    const shape = { name: "s", schema: { type: "object" }, strict: true };
    const { server, model } = await open({ chat: "{}" }, {}, { json: "object" });
    await model.generate({ ...HELLO, shape });
    expect(server.requests[0]?.body.response_format).toEqual({ type: "json_object" });
    const qwen = openAiCompatible(
      resolveEndpoint("qwen", { baseUrl: server.url, model: "qwen-plus", json: "none" }),
      { thinking: false },
    );
    await qwen.generate({ ...HELLO, shape });
    await qwen.generate({ ...HELLO, thinking: true });
    expect(server.requests[1]?.body).toMatchObject({ enable_thinking: false });
    expect(server.requests[1]?.body).not.toHaveProperty("response_format");
    expect(server.requests[2]?.body).toMatchObject({ enable_thinking: true });
  });
});

describe("what a model cannot do is learned from its refusal", () => {
  const refuse =
    (names: readonly string[], text: string) =>
    (request: { body: object }): ServerReply => {
      const refused = names.find((name) => name in request.body);
      if (refused === undefined) return text;
      const message = `Unsupported parameter: '${refused}' is not supported with this model.`;
      return { status: 400, body: { error: { message, param: refused, code: "unsupported_parameter" } } };
    };

  test("fields are left out or renamed, once and for all, with a warning", async () => {
    const events: TraceEvent[] = [];
    const { server, model } = await open(
      { chat: refuse(["temperature", "max_tokens"], "fine") },
      { trace: (event) => events.push(event) },
    );
    const request = { ...HELLO, temperature: 0, maxTokens: 9 };
    expect((await model.generate(request)).text).toBe("fine");
    expect(server.requests.at(-1)?.body).toMatchObject({ max_completion_tokens: 9 });
    const before = server.requests.length;
    await model.generate(request);
    expect(server.requests.length).toBe(before + 1);
    expect(events).toHaveLength(2);
  });

  test("json_schema falls to json_object and then to words", async () => {
    const refuseFormats =
      (types: readonly string[]) =>
      (request: { body: object }): ServerReply => {
        const format = JSON.stringify(Reflect.get(request.body, "response_format") ?? {});
        const refused = types.find((type) => format.includes(`"${type}"`));
        if (refused === undefined) return "{}";
        return {
          status: 400,
          body: { error: { message: `response_format type ${refused} is not supported` } },
        };
      };
    const shape = { name: "s", schema: { type: "object" }, strict: true };
    for (const [types, left] of [
      [["json_schema"], "object"],
      [["json_schema", "json_object"], "none"],
    ] as const) {
      const { model } = await open({ chat: refuseFormats(types) });
      expect(model.json).toBe("schema");
      await model.generate({ ...HELLO, shape });
      expect(model.json).toBe(left);
    }
  });

  test("calls at once learn it together, and no more than was refused", async () => {
    const { server, model } = await open({ chat: refuse(["temperature", "max_tokens"], "fine") });
    const request = { ...HELLO, temperature: 0, maxTokens: 9 };
    const replies = await Promise.all(Array.from({ length: 4 }, () => model.generate(request)));
    expect(replies.map(({ text }) => text)).toEqual(Array(4).fill("fine"));
    expect(server.requests.length).toBeLessThanOrEqual(12);

    const events: TraceEvent[] = [];
    const schemas = await open(
      {
        chat: ({ body }) =>
          JSON.stringify(body).includes("json_schema")
            ? { status: 400, body: { error: { message: "response_format json_schema is not supported" } } }
            : "{}",
      },
      { trace: (event) => events.push(event) },
    );
    const shape = { name: "s", schema: { type: "object" }, strict: true };
    await Promise.all(Array.from({ length: 3 }, () => schemas.model.generate({ ...HELLO, shape })));
    expect(events).toHaveLength(1);
    expect(schemas.model.json).toBe("object");
  });

  test("a refused field of the caller's own is left out, too; one that stays refused ends it", async () => {
    const { model } = await open({ chat: refuse(["temperature"], "fine") }, { extra: { temperature: 1 } });
    expect((await model.generate(HELLO)).text).toBe("fine");
    const stubborn = await open({ chat: refuse(["model"], "never") });
    await expect(stubborn.model.generate(HELLO)).rejects.toMatchObject({ code: "model_refused" });
    expect(stubborn.server.requests).toHaveLength(1);
  });

  test("what cannot be helped is refused", async () => {
    const body = { error: { message: "messages: unsupported role" } };
    const { server, model } = await open({ chat: { status: 400, body } });
    await expect(model.generate(HELLO)).rejects.toMatchObject({ code: "model_refused" });
    expect(server.requests).toHaveLength(1);
  });
});

describe("streams", () => {
  test("usage, tool calls and thoughts are told apart from text", async () => {
    const { model } = await open({
      chat: { text: "<think>hm</think>Yes 好", toolCalls: [{ name: "t", arguments: { a: [1] } }] },
    });
    const pieces: string[] = [];
    const reply = await model.generate(HELLO, { onText: (piece) => pieces.push(piece) });
    expect(reply).toMatchObject({
      text: "Yes 好",
      finish: "tools",
      toolCalls: [{ id: "call-0", name: "t", input: { a: [1] } }],
      usage: { inputTokens: 11 },
    });
    expect(pieces.join("")).toBe("Yes 好");
  });

  test("a cut stream is an error that keeps what was heard", async () => {
    const { model } = await open({ chat: { fault: "cut", text: "half a sen" } });
    const pieces: string[] = [];
    const call = model.generate(HELLO, { onText: (piece) => pieces.push(piece) });
    await expect(call).rejects.toMatchObject({ code: "model_unavailable" });
    expect(pieces).toEqual(["half a sen"]);
  });

  test("an error told within the stream is worth another try", async () => {
    const body = 'data: {"error":{"message":"overloaded"}}\n\n';
    const { model } = await open({ chat: { status: 200, body } });
    const call = model.generate(HELLO, { onText: () => undefined });
    await expect(call).rejects.toMatchObject({ code: "model_unavailable" });
    await expect(call).rejects.toThrow(/overloaded/);
  });

  test("an error told within the stream means what its words say", async () => {
    for (const [error, meaning] of [
      [{ message: "This model's maximum context length is 8192 tokens." }, "text_too_large"],
      [{ message: "Rate limit reached, try again in 2s." }, "model_rate_limited"],
      [{ message: "Forbidden", code: 403 }, "model_refused"],
    ] as const) {
      const { model } = await open({ chat: { status: 200, body: `data: ${JSON.stringify({ error })}\n\n` } });
      const call = model.generate(HELLO, { onText: () => undefined });
      await expect(call).rejects.toMatchObject({ code: meaning });
    }
  });

  test("streamed thoughts without an answer are kept as the raw text", async () => {
    const { model } = await open({ chat: { text: "<think>hm, 让我想想", finish: "length" } });
    const call = model.generate(HELLO, { onText: () => undefined });
    await expect(call).rejects.toMatchObject({
      code: "reply_invalid",
      details: { raw: "<think>hm, 让我想想" },
    });
  });

  test("streamText yields the pieces and returns the reply; leaving early stops the call", async () => {
    const { model } = await open({ chat: { text: "one two three four", pauseMs: 2 } });
    const stream = streamText(model, HELLO);
    let text = "";
    for (let step = await stream.next(); ; step = await stream.next()) {
      if (step.done === true) {
        expect(step.value.text).toBe(text);
        break;
      }
      text += step.value;
    }
    expect(text).toBe("one two three four");
    for await (const piece of streamText(model, HELLO)) {
      expect(piece).toBe("one");
      break;
    }
  });

  test("a slow stream outlives the timeout as long as pieces come; a silent one does not", async () => {
    const slow = await startModelServer({ chat: { text: "a slow but steady stream", pauseMs: 75 } });
    closers.push(slow.close);
    const settings = { baseUrl: slow.url, model: "m", timeoutMs: 450, retry: { attempts: 1 } };
    const steady = openChatModel("test", settings);
    expect((await steady.generate(HELLO, { onText: () => undefined })).text).toBe("a slow but steady stream");

    const silent = await startModelServer({ chat: { fault: "hang" } });
    closers.push(silent.close);
    const stuck = openChatModel("test", { ...settings, baseUrl: silent.url, timeoutMs: 40 });
    await expect(stuck.generate(HELLO)).rejects.toThrow(/did not answer within 40 ms/);
  });
});
