import { inspect } from "node:util";
import { afterEach, describe, expect, test } from "vitest";
import { manualClock } from "../base/clock.ts";
import { type ModelServerOptions, type ServerReply, startModelServer } from "../testing/model-server.ts";
import { resolveEndpoint } from "./endpoints.ts";
import { type OpenAiDeps, openAiCompatible } from "./openai-compatible.ts";

const KEY = "sk-very-secret-key-123456";
const HELLO = { messages: [{ role: "user" as const, text: "hi" }] };
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function open(options: ModelServerOptions, deps: OpenAiDeps = {}) {
  const server = await startModelServer(options);
  closers.push(server.close);
  const endpoint = resolveEndpoint("test", { baseUrl: server.url, model: "m", key: KEY });
  return { server, model: openAiCompatible(endpoint, deps) };
}

describe("what a failed call means", () => {
  const code = async (reply: ServerReply, message?: RegExp) => {
    const { model } = await open({ chat: reply });
    const error: unknown = await model.generate(HELLO).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ name: "MemoryError" });
    if (message !== undefined) expect(String(error)).toMatch(message);
    expect(`${String(error)} ${JSON.stringify(error)}`).not.toContain(KEY);
    return error;
  };

  test("429 keeps the wait that was asked for, in seconds or as a date", async () => {
    const seconds = await code({ status: 429, headers: { "retry-after": "3" } }, /429/);
    expect(seconds).toMatchObject({ code: "model_rate_limited", details: { retryAfterMs: 3000 } });
    const { model } = await open(
      { chat: { status: 429, headers: { "retry-after": "Wed, 01 Jan 2025 00:00:05 GMT" } } },
      { clock: manualClock(Date.UTC(2025, 0, 1)) },
    );
    await expect(model.generate(HELLO)).rejects.toMatchObject({ details: { retryAfterMs: 5000 } });
  });

  test("a wait that is only told in words is heard, even where the words speak of quota", async () => {
    const message = "You exceeded your current quota, check your plan and billing. Please retry in 32.5s.";
    expect(await code({ status: 429, body: { error: { message } } })).toMatchObject({
      code: "model_rate_limited",
      details: { retryAfterMs: 32_500 },
    });
  });

  test("the wait is found behind a long message, and in a list of one error", async () => {
    const message = `You exceeded your current quota, check your plan and billing. ${"* Quota exceeded. ".repeat(30)}`;
    const worded = {
      status: 429,
      body: [{ error: { message: `${message} Please retry in 12s.`, code: 429 } }],
    };
    expect(await code(worded, /answered 429: You exceeded/)).toMatchObject({
      code: "model_rate_limited",
      details: { retryAfterMs: 12_000 },
    });
    const field = { status: 429, body: [{ error: { message, details: [{ retryDelay: "7s" }] } }] };
    expect(await code(field)).toMatchObject({ code: "model_rate_limited", details: { retryAfterMs: 7000 } });
  });

  test("an empty purse is no rate limit: waiting does not help", async () => {
    const body = { error: { message: "You exceeded your current quota.", code: "insufficient_quota" } };
    expect(await code({ status: 429, body }, /credit/)).toMatchObject({
      code: "model_refused",
      retryable: false,
    });
  });

  test("500, 529 and a cut connection are worth another try", async () => {
    expect(await code({ status: 500, body: "oops" }, /oops/)).toMatchObject({ code: "model_unavailable" });
    expect(await code({ status: 529 })).toMatchObject({ code: "model_unavailable" });
    expect(await code({ fault: "cut" })).toMatchObject({ code: "model_unavailable", retryable: true });
  });

  test("a key in the provider's own words is cut out", async () => {
    const body = { error: { message: `Incorrect API key provided: ${KEY}. Also sk-proj-abcdefgh12345.` } };
    const error = await code({ status: 401, body }, /Valid: a key/);
    expect(String(error)).not.toMatch(/abcdefgh/);
  });

  test("too much text has a code of its own, whichever status says it", async () => {
    const body = { error: { message: "This model's maximum context length is 8192 tokens." } };
    expect(await code({ status: 400, body })).toMatchObject({ code: "text_too_large" });
    expect(await code({ status: 413 })).toMatchObject({ code: "text_too_large" });
    const qwen = { message: "Range of input length should be [1, 8192]", code: "InvalidParameter" };
    expect(await code({ status: 400, body: qwen })).toMatchObject({ code: "text_too_large" });
  });

  test("a server whose queue is full is no text that is too large", async () => {
    expect(await code({ status: 503, body: { error: { message: "queue exceeded limit" } } })).toMatchObject({
      code: "model_unavailable",
    });
    const body = { error: { message: "input is larger than the maximum context size (512 tokens)" } };
    expect(await code({ status: 500, body })).toMatchObject({ code: "text_too_large" });
  });

  test("a header that cannot be sent is not quoted, neither in the error nor in its cause", async () => {
    const secret = "team-secret\nsecond-half";
    const { model } = await open({}, { headers: { "x-team": secret } });
    const error: unknown = await model.generate(HELLO).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: "model_unavailable", cause: expect.any(Error) });
    expect(inspect(error, { depth: 9 })).not.toMatch(/team-secret|second-half/);
  });

  test("an empty choice, no choice and a web page are invalid replies, with the raw text kept", async () => {
    expect(await code({ text: "  " })).toMatchObject({ code: "reply_invalid" });
    expect(await code({ fault: "empty_choices" })).toMatchObject({
      code: "reply_invalid",
      details: { raw: '{"choices":[]}' },
    });
    expect(await code({ fault: "not_json" }, /\/v1/)).toMatchObject({
      details: { raw: "<html>Sign in to continue</html>" },
    });
    expect(await code({ text: null, finish: "length" }, /maxTokens/)).toMatchObject({
      code: "reply_invalid",
    });
    expect(await code({ text: null, toolCalls: [{ name: "t", arguments: '{"a": "hal' }] })).toMatchObject({
      code: "reply_invalid",
    });
  });

  test("a refusal and a content filter are refusals", async () => {
    expect(await code({ text: null, refusal: "I can't." })).toMatchObject({ code: "model_refused" });
    expect(await code({ text: "", finish: "content_filter" })).toMatchObject({ code: "model_refused" });
  });

  test("a server that is not there is unavailable, and the message says where to look", async () => {
    const endpoint = resolveEndpoint("ollama", { model: "m", baseUrl: "http://127.0.0.1:9/v1" });
    const call = openAiCompatible(endpoint).generate(HELLO);
    await expect(call).rejects.toMatchObject({ code: "model_unavailable" });
    await expect(call).rejects.toThrow(/could not be reached/);
  });
});
