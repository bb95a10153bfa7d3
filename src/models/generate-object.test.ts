import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { TraceEvent } from "../base/trace.ts";
import { bent, type Script, startModelServer } from "../testing/model-server.ts";
import { memoryCache, withCache } from "./cache.ts";
import { resolveEndpoint } from "./endpoints.ts";
import { generateObject, type ObjectRequest } from "./generate-object.ts";
import type { JsonSupport } from "./model.ts";
import { openAiCompatible } from "./openai-compatible.ts";

const facts = z.object({
  facts: z.array(z.object({ text: z.string(), when: z.string().optional() })).default([]),
});
const GOOD = { facts: [{ text: "Lives in Paris" }, { text: "喜欢喝茶" }] };
const request: ObjectRequest<z.infer<typeof facts>> = {
  name: "facts",
  schema: facts,
  messages: [
    { role: "system", text: "Extract facts." },
    { role: "user", text: "I live in Paris. 我喜欢喝茶。" },
  ],
};
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function ask(chat: Script, json: JsonSupport = "schema", change: Partial<typeof request> = {}) {
  const server = await startModelServer({ chat });
  closers.push(server.close);
  const model = openAiCompatible(resolveEndpoint("test", { baseUrl: server.url, model: "m", json }));
  const events: TraceEvent[] = [];
  const reply = generateObject(model, { ...request, ...change }, { trace: (event) => events.push(event) });
  return { reply, server, events };
}

describe("a reply that can be read is used at once", () => {
  const forms = {
    clean: JSON.stringify(GOOD),
    fenced: bent.fenced(GOOD),
    "in prose": `Here are the facts: ${JSON.stringify(GOOD)} Done.`,
    "with trailing commas": '{"facts": [{"text": "Lives in Paris",}, {"text": "喜欢喝茶",},],}',
    "a bare list": JSON.stringify(GOOD.facts),
    "wrapped once more": JSON.stringify({ result: GOOD }),
    "in a list of one": JSON.stringify([GOOD]),
    "with null for none": JSON.stringify({ facts: GOOD.facts.map((fact) => ({ ...fact, when: null })) }),
    "filled into the schema": JSON.stringify({ type: "object", properties: GOOD }),
  };
  test.each(Object.entries(forms))("%s", async (_, text) => {
    const { reply, server } = await ask(text);
    expect((await reply).value).toEqual(GOOD);
    expect(server.requests).toHaveLength(1);
  });
});

describe("[C-29] a reply that cannot be used is asked for again, once, and never swallowed", () => {
  const bad = {
    "no JSON": "I would rather not.",
    "wrong schema": JSON.stringify({ facts: [{ txt: "x" }] }),
    "another object, which a lenient schema would take for none": JSON.stringify({ answer: "Paris" }),
    "the same, empty": "{}",
    truncated: bent.truncated(GOOD),
  };
  test.each(Object.entries(bad))("%s, then good", async (_, text) => {
    const { reply, server, events } = await ask([text, JSON.stringify(GOOD)]);
    expect((await reply).value).toEqual(GOOD);
    expect((await reply).truncated).toBe(false);
    expect(server.requests).toHaveLength(2);
    const messages = z
      .array(z.object({ role: z.string(), content: z.string() }))
      .parse(server.requests[1]?.body.messages);
    expect(messages.at(-2)).toEqual({ role: "assistant", content: text });
    expect(messages.at(-1)?.content).toMatch(/could not be used/);
    expect(events.map(({ type }) => type)).toEqual(["warning-raise"]);
  });

  test("the schema echoed back, then good", async () => {
    let calls = 0;
    const { reply, events } = await ask((seen) => (calls++ === 0 ? bent.echo(seen) : JSON.stringify(GOOD)));
    expect((await reply).value).toEqual(GOOD);
    expect(JSON.stringify(events)).toMatch(/schema itself/);
  });

  test("an empty choice, then good", async () => {
    const { reply, server } = await ask([{ text: null }, JSON.stringify(GOOD)]);
    expect((await reply).value).toEqual(GOOD);
    expect(server.requests).toHaveLength(2);
  });

  test("bad twice is an error that keeps the raw text", async () => {
    const { reply, server } = await ask(["nonsense one", "nonsense two"]);
    await expect(reply).rejects.toMatchObject({ code: "reply_invalid", details: { raw: "nonsense two" } });
    expect(server.requests).toHaveLength(2);
  });

  test("truncated twice: what was whole is used, and said to be incomplete", async () => {
    const { reply, events } = await ask(bent.truncated(GOOD, 0.75));
    expect(await reply).toMatchObject({ value: { facts: [{ text: "Lives in Paris" }] }, truncated: true });
    expect(events).toHaveLength(2);
  });

  test("truncated before anything was whole is an error, not an empty result", async () => {
    const { reply } = await ask('{"fac');
    await expect(reply).rejects.toMatchObject({ code: "reply_invalid", details: { raw: '{"fac' } });
  });

  const broken = {
    "a list inside an object that cannot be read":
      '{"facts": [{"text": "Alice moved", "persons": [], "topic": unknown, "when": "now"}]}',
    "the same, cut off": '{"facts": [{"text": "Alice moved", "persons": [], "topic": unknown, "wh',
    "the same, in a fence": '```json\n{"facts": [{"text": "爱丽丝", "persons": [], "topic": 未知}]}\n```',
    "an answer inside an object that cannot be read": '{"result": oops, "old": {"facts": []}}',
    "citation marks in prose": "I would keep fact [0] and fact []. 我保留 []。",
  };
  test.each(Object.entries(broken))("%s is no empty answer: it is asked for again", async (_, text) => {
    const { reply, server } = await ask([text, JSON.stringify(GOOD)]);
    expect((await reply).value).toEqual(GOOD);
    expect(server.requests).toHaveLength(2);
    const twice = await ask(text);
    await expect(twice.reply).rejects.toMatchObject({ code: "reply_invalid", details: { raw: text } });
  });

  test("a bare list counts where it is the whole reply or the whole fence", async () => {
    for (const text of ["[]", "Here you are:\n```json\n[]\n```\nDone."]) {
      const { reply, server } = await ask(text);
      expect((await reply).value).toEqual({ facts: [] });
      expect(server.requests).toHaveLength(1);
    }
  });

  test("an example that is whole does not stand in for the answer that was cut off", async () => {
    const answer =
      'Without facts I would write {"facts": []}. Here: {"facts": [{"text": "Ann"}, {"text": "Bob sa';
    const { reply, server } = await ask(answer);
    expect(await reply).toMatchObject({ value: { facts: [{ text: "Ann" }] }, truncated: true });
    expect(server.requests).toHaveLength(2);
    const misfit = await ask('As in {"facts": []}: {"fact_list_of_the_dialogue": [{"text": "An');
    await expect(misfit.reply).rejects.toMatchObject({ code: "reply_invalid" });
  });

  test("thoughts without an answer are kept as the raw text, and what they cost is counted", async () => {
    const usage = { prompt_tokens: 10, completion_tokens: 5000 };
    const thought = { text: "<think>hm, 让我想想", finish: "length", usage };
    const { reply } = await ask(thought);
    await expect(reply).rejects.toMatchObject({
      details: { raw: thought.text, usage: { inputTokens: 20, outputTokens: 10_000 } },
    });
    const { reply: second } = await ask([thought, { text: JSON.stringify(GOOD), usage }]);
    expect((await second).usage).toEqual({ inputTokens: 20, outputTokens: 10_000 });
  });

  test("a failure of the call itself is the caller's to handle", async () => {
    const { reply } = await ask({ status: 503 });
    await expect(reply).rejects.toMatchObject({ code: "model_unavailable" });
  });
});

describe("how it asks", () => {
  test("natively where the model can be held to a schema", async () => {
    const { reply, server } = await ask(JSON.stringify(GOOD));
    await reply;
    expect(server.requests[0]?.body).toMatchObject({
      messages: [{ content: "Extract facts." }, {}],
      response_format: {
        type: "json_schema",
        json_schema: { name: "facts", strict: true, schema: { type: "object", additionalProperties: false } },
      },
    });
  });

  test("by words where it cannot, in the prompt's language", async () => {
    for (const [language, words] of [
      ["en", /Extract facts\.\n\n.*one JSON object/s],
      ["zh", /只输出一个 JSON 对象/],
    ] as const) {
      const { reply, server } = await ask(JSON.stringify(GOOD), "object", { language });
      await reply;
      const messages = z.array(z.object({ content: z.string() })).parse(server.requests[0]?.body.messages);
      expect(messages[0]?.content).toMatch(words);
      expect(messages).toHaveLength(2);
    }
  });

  test("a list or a scalar as the root works, too", async () => {
    const server = await startModelServer({ chat: ['{"value": ["a", "b"]}', '["c"]'] });
    closers.push(server.close);
    const model = openAiCompatible(
      resolveEndpoint("test", { baseUrl: server.url, model: "m", json: "schema" }),
    );
    const list = { ...request, schema: z.array(z.string()) };
    expect((await generateObject(model, list)).value).toEqual(["a", "b"]);
    expect((await generateObject(model, list)).value).toEqual(["c"]);
  });

  test("usage is that of both tries", async () => {
    const usage = { prompt_tokens: 10, completion_tokens: 5 };
    const { reply } = await ask([
      { text: "nonsense", usage },
      { text: JSON.stringify(GOOD), usage },
    ]);
    expect((await reply).usage).toEqual({ inputTokens: 20, outputTokens: 10 });
  });

  test("a bad reply does not live on in a cache", async () => {
    const server = await startModelServer({ chat: ["nonsense", "nonsense", JSON.stringify(GOOD)] });
    closers.push(server.close);
    const model = withCache(
      openAiCompatible(resolveEndpoint("test", { baseUrl: server.url, model: "m", json: "schema" })),
      memoryCache(),
    );
    await expect(generateObject(model, request)).rejects.toMatchObject({ code: "reply_invalid" });
    expect((await generateObject(model, request)).value).toEqual(GOOD);
    expect((await generateObject(model, request)).value).toEqual(GOOD);
    expect(server.requests).toHaveLength(3);
  });
});
