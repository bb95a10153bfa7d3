import { createServer } from "node:http";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, isStepCount, jsonSchema, streamText, tool } from "ai";
import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { openProxyWorld, type ProxyWorld } from "../../../test/proxy-world.ts";

let world: ProxyWorld | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

async function open(...given: Parameters<typeof openProxyWorld>): Promise<ProxyWorld> {
  world = await openProxyWorld(...given);
  return world;
}

const user = (content: unknown) => ({ role: "user", content });
const system = (content: unknown) => ({ role: "system", content });

const sentSchema = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
});

/** What the model was sent, the newest call unless said. */
function sent({ model }: ProxyWorld, at = -1) {
  return sentSchema.parse(model.requests.at(at)?.body).messages;
}

test("what is known goes into the prompt, the reply comes back as it is, and both sides are recorded", async () => {
  const { memory, chat, journal, ...rest } = await open({ chat: "You live in Rome." });
  await memory.remember([
    { judgment: "Mia is allergic to nuts.", tags: ["health"] },
    "I moved to Rome in June.",
  ]);
  const reply = await chat({
    model: "m",
    messages: [system("Be brief."), user("Where did I move in June?")],
  });
  expect(reply.status).toBe(200);
  expect(reply.headers.get("neuromem-memory")).toMatch(/^recalled; hits=[1-9]/);
  expect(await reply.json()).toMatchObject({ choices: [{ message: { content: "You live in Rome." } }] });
  const [first, last] = sent({ ...rest, memory, chat, journal });
  expect(first?.content).toMatch(
    /^Be brief\.\n\n<recalled-memory>[\s\S]*allergic to nuts[\s\S]*<\/recalled-memory>$/,
  );
  expect(last?.content).toMatch(
    /^<recalled-memory>[\s\S]*Rome[\s\S]*<\/recalled-memory>\n\nWhere did I move in June\?$/,
  );
  expect(await journal()).toEqual([
    "user: Mia is allergic to nuts.",
    "user: I moved to Rome in June.",
    "user: Where did I move in June?",
    "assistant: You live in Rome.",
  ]);
});

test("a Chinese conversation, its scope and session in headers", async () => {
  const opened = await open({ chat: "你住在杭州。" });
  await opened.memory.in("米娅").remember("我去年搬到了杭州。");
  const headers = {
    "neuromem-scope": encodeURIComponent("米娅"),
    "neuromem-session": encodeURIComponent("周一"),
  };
  const reply = await opened.chat({ model: "m", messages: [user("我去年搬到了哪里？")] }, headers);
  expect(reply.headers.get("neuromem-memory")).toMatch(/^recalled; hits=[1-9]/);
  expect(sent(opened)[0]?.content).toContain("我去年搬到了杭州。");
  expect(await opened.journal("米娅")).toEqual([
    "user: 我去年搬到了杭州。",
    "user: 我去年搬到了哪里？",
    "assistant: 你住在杭州。",
  ]);
  expect(await opened.journal("mia")).toEqual([]);
  const { storage } = opened.memory.running();
  const turns = await storage.turns(opened.memory.in("米娅").scope, { limit: 9 });
  expect(turns.map(({ session }) => session)).toEqual(["", "周一", "周一"]);
  // Neither goes upstream.
  expect(
    Object.keys(opened.model.requests[0]?.headers ?? {}).filter((name) => name.startsWith("neuromem")),
  ).toEqual([]);
});

test("a stream passes byte for byte and piece by piece, and is recorded when it has ended", async () => {
  const opened = await open({ chat: { text: "Rome is where you live now. 你住在罗马。", pauseMs: 20 } });
  await opened.memory.remember("I moved to Rome.");
  const body = { model: "m", stream: true, messages: [user("Where do I live?")] };
  const direct = await fetch(`${opened.model.url}/chat/completions`, {
    method: "POST",
    body: JSON.stringify(body),
  });
  const expected = await direct.text();
  const started = performance.now();
  const reply = await opened.chat(body);
  const reader = reply.body?.getReader();
  const pieces: Uint8Array[] = [];
  const times: number[] = [];
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    pieces.push(part.value);
    times.push(performance.now() - started);
  }
  expect(Buffer.concat(pieces).toString()).toBe(expected);
  expect(reply.headers.get("content-type")).toBe("text/event-stream");
  // It took some 240 ms in all: the first pieces were not held back for the last.
  expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(100);
  expect(await opened.journal()).toEqual([
    "user: I moved to Rome.",
    "user: Where do I live?",
    "assistant: Rome is where you live now. 你住在罗马。",
  ]);
});

test("the client's bytes stay as they are around what is put in", async () => {
  const bodies: string[] = [];
  const upstream = createServer((incoming, response) => {
    incoming.setEncoding("utf8");
    let text = "";
    incoming.on("data", (piece: string) => {
      text += piece;
    });
    incoming.on("end", () => {
      bodies.push(text);
      response.end('{"choices":[{"message":{"content":"ok"},"finish_reason":"stop"}]}');
    });
  });
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  const { port } = z.object({ port: z.number() }).parse(upstream.address());
  const opened = await open({}, { upstream: `http://127.0.0.1:${port}` });
  await opened.memory.remember(["I moved to Rome.", { judgment: 'Mia speaks 中文 and says "hi".' }]);
  const bodyOf = (messages: string): string =>
    `{ "seed":12345678901234567890, "model" : "m",\n "messages":${messages}, "temperature":1.0, "x":"a\\u0041\\"]}" }`;
  const cut = (text: string): string =>
    text.replaceAll(/(\\n\\n)?<recalled-memory>.*?<\/recalled-memory>(\\n\\n)?/g, "");
  const messages = [
    '[ {"role":"system","content":"Be \\"brief\\" \\\\"} , {"content":"Where did I move?","role":"user"} ]',
    '[{"role":"developer","content":"A"},{"role":"user","content":"dup","content":"Where did I move?"}]',
    '[{"role":"system","content":""},{"role":"user","content":"move?"},{"role":"assistant","content":null,"tool_calls":[]},{"role":"tool","content":"{}"}]',
  ];
  for (const one of messages) {
    await opened.chat(bodyOf(one));
    const body = bodies.at(-1) ?? "";
    expect(body.match(/<recalled-memory>/g)).toHaveLength(2);
    expect(cut(body)).toBe(bodyOf(one));
    expect(() => JSON.parse(body)).not.toThrow();
  }
  // With parts, and without a system message, what is put in is a part or a message of its own.
  await opened.chat(
    bodyOf(
      '[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:,"}},{"type":"text","text":"Where did I move?"}]}]',
    ),
  );
  const parts = sentSchema.parse(JSON.parse(bodies.at(-1) ?? "")).messages;
  expect(parts[0]).toMatchObject({ role: "system", content: expect.stringMatching(/^<recalled-memory>/) });
  expect(parts[1]?.content).toMatchObject([
    { type: "text", text: expect.stringMatching(/^<recalled-memory>/) },
    { type: "image_url" },
    { type: "text", text: "Where did I move?" },
  ]);
  expect(bodies.at(-1)).toContain('"seed":12345678901234567890');
  upstream.closeAllConnections();
  upstream.close();
});

test("through the AI SDK with another base URL: answers, streams and tools", async () => {
  const opened = await open({
    chat: ({ body }) => {
      const last = sentSchema.parse(body).messages.at(-1);
      if (last?.role === "tool") return "It is sunny in Rome.";
      return body.tools === undefined
        ? "Rome!"
        : { toolCalls: [{ name: "weather", arguments: { city: "Rome" } }] };
    },
  });
  await opened.memory.remember("My home is Rome.");
  const provider = createOpenAICompatible({ name: "proxied", baseURL: opened.url, apiKey: "sk-client" });
  const { text, response } = await generateText({ model: provider("m"), prompt: "Where is my home?" });
  expect(text).toBe("Rome!");
  expect(response.headers?.["neuromem-memory"]).toMatch(/^recalled; hits=[1-9]/);
  expect(opened.model.requests[0]?.headers.authorization).toBe("Bearer sk-client");
  const streamed = streamText({ model: provider("m"), prompt: "我的家在哪里？" });
  let said = "";
  for await (const piece of streamed.textStream) said += piece;
  expect(said).toBe("Rome!");
  const before = opened.model.requests.length;
  const result = await generateText({
    model: provider("m"),
    prompt: "How is the weather at home?",
    stopWhen: isStepCount(3),
    tools: {
      weather: tool({
        inputSchema: jsonSchema<{ city: string }>({
          type: "object",
          properties: { city: { type: "string" } },
        }),
        execute: async () => "sunny",
      }),
    },
  });
  expect(result.text).toBe("It is sunny in Rome.");
  const [one, two] = [sent(opened, before), sent(opened, before + 1)];
  // The second step begins with the very bytes of the first, memories and all.
  expect(two.length).toBeGreaterThan(one.length);
  expect(JSON.stringify(two).startsWith(JSON.stringify(one).slice(0, -1))).toBe(true);
  expect(one[0]?.content).toContain("My home is Rome.");
  expect((await opened.journal()).slice(1)).toEqual([
    "user: Where is my home?",
    "assistant: Rome!",
    "user: 我的家在哪里？",
    "assistant: Rome!",
    "user: How is the weather at home?",
    "assistant: It is sunny in Rome.",
  ]);
});
