/**
 * Do a chat model and an embedder keep the laws of src/models/model.ts? One call per adapter:
 *
 *     testChatModel({ name: "mine", open: (script) => … a model whose calls go as scripted … });
 *     testEmbedder({ name: "mine", open: () => createMyEmbedder() });
 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ErrorCode, MemoryError } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";
import type { MaybePromise } from "../base/promise.ts";
import { seededRandom } from "../base/random.ts";
import { embedMany } from "../models/embed-many.ts";
import { wrapModel } from "../models/middleware.ts";
import type { ChatModel, ChatRequest, Embedder } from "../models/model.ts";
import { retrying } from "../models/retry.ts";

/** How the far side behaves at one call. */
export type ScriptedReply =
  | { readonly text: string }
  | { readonly toolCall: { readonly name: string; readonly input: JsonObject } }
  | { readonly fail: "rate_limited" | "unavailable" | "refused" | "empty" }
  | { readonly hang: true };

export interface OpenedChat {
  readonly model: ChatModel;
  /** Requests that reached the far side. */
  calls(): number;
  close?(): MaybePromise<void>;
}

export interface ChatSuite {
  readonly name: string;
  open(script: readonly ScriptedReply[]): MaybePromise<OpenedChat>;
  /** Laws it cannot keep, each with the reason. */
  readonly skip?: readonly { readonly reason: string; readonly laws: readonly ChatLaw[] }[];
}

export type ChatLaw = keyof typeof CHAT_LAWS;

const CHAT_LAWS = {
  answers: { title: "gives the reply's text and what it used, in English and Chinese", check: answers },
  tools: { title: "gives the calls of tools, with parsed input", check: tools },
  streams: { title: "pieces of text, joined, are the reply's text", check: streams },
  codes: { title: "every failure is an error with the right code", check: codes },
  retries: { title: "only what is retryable is tried again, and no more often than allowed", check: retries },
  aborted_before: { title: "sends nothing if it was aborted before", check: abortedBefore },
  aborted_during: { title: "ends with `aborted` if it is aborted meanwhile", check: abortedDuring },
  parallel: { title: "calls under way at once do not disturb one another", check: parallel },
} as const;

export function testChatModel(suite: ChatSuite): void {
  runLaws(`chat model ${suite.name}`, CHAT_LAWS, suite);
}

export interface EmbedderSuite {
  readonly name: string;
  open(): MaybePromise<Embedder>;
  close?(): MaybePromise<void>;
  /** How far a number may differ between batch and single (default 1e-5). */
  readonly tolerance?: number;
  readonly skip?: readonly { readonly reason: string; readonly laws: readonly EmbedderLaw[] }[];
}

export type EmbedderLaw = keyof typeof EMBEDDER_LAWS;

type OpenEmbedder = EmbedderSuite & { readonly embedder: () => Embedder };

const EMBEDDER_LAWS = {
  shape: { title: "every vector has the dimension, is finite and of length 1", check: shape },
  batches: { title: "a list equals its texts one by one, in the same order", check: batches },
  many: { title: "a list longer than a batch equals its texts one by one", check: many },
  nothing: { title: "no texts give no vectors", check: nothing },
  empty: { title: "an empty text is refused or has a direction, never zeros", check: empty },
  aborted: { title: "ends with `aborted` if it was aborted before", check: embedAborted },
} as const;

export function testEmbedder(suite: EmbedderSuite): void {
  let opened: Embedder | undefined;
  const embedder = (): Embedder => {
    if (opened === undefined) throw new MemoryError("invariant", "The embedder is not open yet.");
    return opened;
  };
  describe(`embedder ${suite.name}`, () => {
    beforeAll(async () => {
      opened = await suite.open();
    });
    afterAll(() => suite.close?.());
    runLaws("laws", EMBEDDER_LAWS, { ...suite, embedder });
  });
}

interface Law<Suite> {
  readonly title: string;
  readonly check: (suite: Suite) => Promise<void>;
}

interface Skips {
  readonly skip?: readonly { readonly reason: string; readonly laws: readonly string[] }[];
}

function runLaws<Suite extends Skips>(name: string, laws: Record<string, Law<Suite>>, suite: Suite): void {
  describe(name, () => {
    for (const [law, { title, check }] of Object.entries(laws)) {
      const reason = suite.skip?.find((one) => one.laws.includes(law))?.reason;
      if (reason === undefined) test(title, () => check(suite));
      else test.skip(`${title} (${reason})`, () => undefined);
    }
  });
}

// --- chat ---

const HELLO: ChatRequest = { messages: [{ role: "user", text: "Hello 你好" }] };

async function withChat(
  suite: ChatSuite,
  script: readonly ScriptedReply[],
  use: (opened: OpenedChat) => Promise<void>,
): Promise<void> {
  const opened = await suite.open(script);
  try {
    await use(opened);
  } finally {
    await opened.close?.();
  }
}

async function answers(suite: ChatSuite): Promise<void> {
  await withChat(suite, [{ text: "Hi there." }, { text: "你好！" }], async ({ model }) => {
    const first = await model.generate(HELLO);
    expect(first).toMatchObject({ text: "Hi there.", toolCalls: [], finish: "stop" });
    expect(first.usage.inputTokens).toBeGreaterThanOrEqual(0);
    expect((await model.generate(HELLO)).text).toBe("你好！");
  });
}

async function tools(suite: ChatSuite): Promise<void> {
  const tool = { name: "remember", description: "Keeps a fact.", input: { type: "object", properties: {} } };
  const input = { fact: "住在上海", weight: 0.5 };
  await withChat(suite, [{ toolCall: { name: "remember", input } }, { text: "done" }], async ({ model }) => {
    const reply = await model.generate({ ...HELLO, tools: [tool] });
    expect(reply.finish).toBe("tools");
    expect(reply.toolCalls).toMatchObject([{ name: "remember", input }]);
    const [call] = reply.toolCalls;
    const next = await model.generate({
      tools: [tool],
      messages: [
        ...HELLO.messages,
        { role: "assistant", text: reply.text, toolCalls: reply.toolCalls },
        { role: "tool", id: call?.id ?? "", name: "remember", text: "kept" },
      ],
    });
    expect(next.text).toBe("done");
  });
}

async function streams(suite: ChatSuite): Promise<void> {
  const text = "One two three. 四五六，🙂 end.";
  await withChat(suite, [{ text }], async ({ model }) => {
    const pieces: string[] = [];
    const reply = await model.generate(HELLO, { onText: (piece) => pieces.push(piece) });
    expect(pieces.join("")).toBe(text);
    expect(reply.text).toBe(text);
  });
}

const FAILURES: readonly (readonly ["rate_limited" | "unavailable" | "refused" | "empty", ErrorCode])[] = [
  ["rate_limited", "model_rate_limited"],
  ["unavailable", "model_unavailable"],
  ["refused", "model_refused"],
  ["empty", "reply_invalid"],
];

async function codes(suite: ChatSuite): Promise<void> {
  for (const [fail, code] of FAILURES) {
    await withChat(suite, [{ fail }], async ({ model, calls }) => {
      await expect(model.generate(HELLO)).rejects.toMatchObject({ name: "MemoryError", code });
      expect(calls(), `${fail} must not be retried by the adapter`).toBe(1);
    });
  }
}

async function retries(suite: ChatSuite): Promise<void> {
  const patient = (model: ChatModel): ChatModel =>
    wrapModel(model, retrying({ attempts: 3 }, { sleep: async () => undefined, random: seededRandom(1) }));
  for (const fail of ["rate_limited", "unavailable"] as const) {
    await withChat(suite, [{ fail }, { fail }, { text: "at last" }], async ({ model, calls }) => {
      expect((await patient(model).generate(HELLO)).text).toBe("at last");
      expect(calls()).toBe(3);
    });
    await withChat(suite, [{ fail }], async ({ model, calls }) => {
      await expect(patient(model).generate(HELLO)).rejects.toMatchObject({ retryable: true });
      expect(calls()).toBe(3);
    });
  }
  for (const fail of ["refused", "empty"] as const) {
    await withChat(suite, [{ fail }, { text: "never" }], async ({ model, calls }) => {
      await expect(patient(model).generate(HELLO)).rejects.toMatchObject({ retryable: false });
      expect(calls()).toBe(1);
    });
  }
}

async function abortedBefore(suite: ChatSuite): Promise<void> {
  await withChat(suite, [{ text: "never" }], async ({ model, calls }) => {
    const aborted = model.generate(HELLO, { signal: AbortSignal.abort() });
    await expect(aborted).rejects.toMatchObject({ code: "aborted" });
    expect(calls()).toBe(0);
  });
}

async function abortedDuring(suite: ChatSuite): Promise<void> {
  await withChat(suite, [{ hang: true }], async ({ model }) => {
    const controller = new AbortController();
    const hanging = model.generate(HELLO, { signal: controller.signal });
    setTimeout(() => controller.abort(), 20);
    await expect(hanging).rejects.toMatchObject({ code: "aborted", retryable: false });
  });
}

async function parallel(suite: ChatSuite): Promise<void> {
  const script = Array.from({ length: 8 }, (_, at) => ({ text: `reply ${at}` }));
  await withChat(suite, script, async ({ model }) => {
    const replies = await Promise.all(script.map(() => model.generate(HELLO)));
    expect(replies.map((reply) => reply.text).sort()).toEqual(script.map(({ text }) => text).sort());
  });
}

// --- embedder ---

const TEXTS = [
  "The cat sat on the mat.",
  "上周三我们在上海见了张伟。",
  "🙂🎉 emoji only 👩‍👩‍👧",
  "mixed 中文 and English, line\nbreaks\tand tabs",
  "a",
  "A long text repeats itself. 长文本不断重复。".repeat(600),
];

async function shape({ embedder }: OpenEmbedder): Promise<void> {
  const { dimension, maxBatch } = embedder();
  for (const as of ["query", "document"] as const) {
    const vectors = await embedMany(embedder(), TEXTS, { as });
    expect(vectors).toHaveLength(TEXTS.length);
    for (const vector of vectors) {
      expect(vector).toHaveLength(dimension);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 4);
    }
  }
  expect(maxBatch).toBeGreaterThanOrEqual(1);
}

async function batches(suite: OpenEmbedder): Promise<void> {
  const embedder = suite.embedder();
  const known = new Map<string, Float32Array>();
  for (const text of TEXTS) known.set(text, (await embedMany(embedder, [text]))[0] ?? new Float32Array());
  const lists = fc.array(fc.constantFrom(...TEXTS), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(lists, async (list) => {
      const vectors = await embedMany(embedder, list);
      list.forEach((text, at) => {
        expectNear(vectors[at], known.get(text), suite.tolerance);
      });
    }),
    { seed: 1, numRuns: 5 },
  );
}

async function many(suite: OpenEmbedder): Promise<void> {
  const embedder = suite.embedder();
  const count = Math.min(embedder.maxBatch, 100) * 2 + 3;
  const list = Array.from({ length: count }, (_, at) => `Text number ${at}, 第 ${at} 条。`);
  let told = 0;
  const vectors = await embedMany(embedder, list, { onProgress: (done) => (told = done) });
  expect(told).toBe(count);
  for (const at of [0, 1, Math.floor(count / 2), count - 1]) {
    expectNear(vectors[at], (await embedder.embed([list[at] ?? ""]))[0], suite.tolerance);
  }
}

async function nothing({ embedder }: OpenEmbedder): Promise<void> {
  expect(await embedder().embed([])).toEqual([]);
}

async function empty({ embedder }: OpenEmbedder): Promise<void> {
  const [vector] = await embedder()
    .embed([""])
    .catch((error: unknown) => {
      expect(error).toMatchObject({ code: "input_invalid" });
      return [];
    });
  if (vector !== undefined) expect(Math.hypot(...vector)).toBeCloseTo(1, 4);
}

async function embedAborted({ embedder }: OpenEmbedder): Promise<void> {
  const aborted = embedder().embed(["text"], { signal: AbortSignal.abort() });
  await expect(aborted).rejects.toMatchObject({ code: "aborted" });
}

function expectNear(a: Float32Array | undefined, b: Float32Array | undefined, tolerance = 1e-5): void {
  expect(a?.length).toBe(b?.length);
  const apart = Math.max(...(a ?? []).map((value, at) => Math.abs(value - (b?.[at] ?? Number.NaN))));
  expect(apart, "a vector depends on what it was embedded with").toBeLessThanOrEqual(tolerance);
}
