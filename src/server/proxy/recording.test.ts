import { createServer } from "node:http";
import { gzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { openProxyWorld, type ProxyWorld } from "../../../test/proxy-world.ts";
import { manualClock } from "../../base/clock.ts";

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
const assistant = (content: unknown) => ({ role: "assistant", content });

const sentSchema = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
});

/** What the model was sent, the newest call unless said. */
function sent({ model }: ProxyWorld, at = -1) {
  return sentSchema.parse(model.requests.at(at)?.body).messages;
}

test("a user's words are recorded once, however often the client sends them, and again when said again", async () => {
  const clock = manualClock(Date.UTC(2026, 10, 16, 9));
  const replies = ["One.", "One.", "Other.", "Two.", "Three.", "New day."];
  const opened = await open({ chat: replies }, { clock });
  const talk: unknown[] = [system("It is 09:00."), user("yes")];
  await opened.chat({ model: "m", messages: talk });
  // A second try; the time in the instructions has moved on.
  await opened.chat({ model: "m", messages: [system("It is 09:01."), user("yes")] });
  // Another answer was asked for.
  await opened.chat({ model: "m", messages: talk });
  talk.push(assistant("Other."), user("yes"));
  await opened.chat({ model: "m", messages: talk });
  talk.push(assistant("Two."), user("好的"));
  await opened.chat({ model: "m", messages: talk });
  clock.advance(3_600_000);
  await opened.chat({ model: "m", messages: [user("yes")] });
  expect(await opened.journal()).toEqual([
    "user: yes",
    "assistant: One.",
    "assistant: Other.",
    "user: yes",
    "assistant: Two.",
    "user: 好的",
    "assistant: Three.",
    "user: yes",
    "assistant: New day.",
  ]);
  const turns = await opened.memory.running().storage.turns(opened.memory.scope, { limit: 99 });
  const sessions = turns.map(({ session }) => session);
  expect(new Set(sessions.slice(0, 7)).size).toBe(1);
  expect(sessions[7]).not.toBe(sessions[0]);
  expect(sessions[0]).toMatch(/^chat 2026-11-16 09:00 /);
});

test("the stable part stays the same through a conversation, whatever is remembered meanwhile", async () => {
  const opened = await open();
  await opened.memory.remember({ judgment: "Mia is allergic to nuts." });
  const first = [system("Be brief."), user("Hello, what may I eat?")];
  await opened.chat({ model: "m", messages: first });
  await opened.memory.remember({ judgment: "Mia is allergic to fish." });
  await opened.chat({ model: "m", messages: [...first, assistant("Rice."), user("And for dinner?")] });
  const [before, after] = [sent(opened, -2)[0], sent(opened, -1)[0]];
  expect(before?.content).toContain("nuts");
  expect(after).toEqual(before);
  // What the model repeats of what it was shown is no news.
  const { entries } = await opened.memory.list();
  expect(entries.filter(({ content }) => content.includes("recalled-memory"))).toEqual([]);
});

test("the steps of a tool are shown the same, until something of it is erased", async () => {
  const opened = await open();
  const [
    {
      turns: [nuts = ""],
    },
  ] = [await opened.memory.remember({ judgment: "Mia is allergic to nuts." })];
  await opened.memory.remember({ judgment: "米娅周五去成都。", pinned: false });
  const messages = [user("What is Mia allergic to?")];
  const tool = [
    { role: "assistant", content: null, tool_calls: [] },
    { role: "tool", tool_call_id: "1", content: "…" },
  ];
  await opened.chat({ model: "m", messages });
  await opened.memory.remember({ judgment: "Mia is allergic to fish." });
  await opened.chat({ model: "m", messages: [...messages, ...tool] });
  expect(JSON.stringify(sent(opened, -2))).toContain("nuts");
  expect(sent(opened, -1).slice(0, -2)).toEqual(sent(opened, -2));
  await opened.memory.forget({ turns: [nuts] });
  const step = await opened.chat({ model: "m", messages: [...messages, ...tool, ...tool] });
  expect(step.headers.get("neuromem-memory")).toMatch(/^recalled/);
  expect(JSON.stringify(sent(opened))).not.toContain("nuts");
  expect(JSON.stringify(sent(opened))).toContain("fish");
});

test("who goes away ends the call upstream; what was said is recorded, half an answer is not", async () => {
  const opened = await open({ chat: { text: "A long answer that nobody hears to its end.", pauseMs: 40 } });
  const away = new AbortController();
  const body = { model: "m", stream: true, messages: [user("Tell me a story.")] };
  const reply = await opened.chat(body, {}, away.signal);
  await reply.body?.getReader().read();
  away.abort();
  await expect.poll(() => opened.journal()).toEqual(["user: Tell me a story."]);
});

test("a call that waits for its upstream ends with its client", async () => {
  const opened = await open({ chat: { fault: "hang" } });
  await expect(
    opened.chat({ model: "m", messages: [user("在吗？")] }, {}, AbortSignal.timeout(150)),
  ).rejects.toThrow();
  await expect.poll(() => opened.journal()).toEqual(["user: 在吗？"]);
});

test("of a reply that breaks off, a refusal, calls of tools and several answers only the user's side is recorded", async () => {
  const choices = ["a", "b"].map((content, index) => ({
    index,
    message: { content },
    finish_reason: "stop",
  }));
  const opened = await open({
    chat: [
      { fault: "cut", text: "half of" },
      { refusal: "I cannot help with that." },
      { toolCalls: [{ name: "f", arguments: {} }] },
      { status: 200, body: { choices } },
      { text: "" },
      { text: "<think>hm</think>\n\nA thought-out answer." },
    ],
  });
  const broken = await opened.chat({ model: "m", stream: true, messages: [user("one")] });
  await expect(broken.text()).rejects.toThrow();
  for (const said of ["two", "three", "four", "five", "six"]) {
    const reply = await opened.chat({ model: "m", n: 2, messages: [user(said)] });
    await reply.text();
  }
  expect(await opened.journal()).toEqual([
    ...["one", "two", "three", "four", "five", "six"].map((said) => `user: ${said}`),
    "assistant: A thought-out answer.",
  ]);
});

test("a picture without words asks memory nothing; its answer is kept", async () => {
  const opened = await open({ chat: "A cat on a chair." });
  const picture = [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }];
  const reply = await opened.chat({ model: "m", messages: [user(picture)] });
  expect(reply.headers.get("neuromem-memory")).toBe("skipped");
  expect(await opened.journal()).toEqual(["assistant: A cat on a chair."]);
});

test("neuromem-memory: off is neither reminded nor remembered; another value is refused", async () => {
  const opened = await open({ chat: "A title" });
  await opened.memory.remember("I moved to Rome.");
  const body = { model: "m", messages: [user("Make a title of: moved to Rome")] };
  const reply = await opened.chat(body, { "neuromem-memory": "off" });
  expect(reply.headers.get("neuromem-memory")).toBe("skipped");
  expect(opened.model.requests[0]?.body).toEqual(body);
  expect(await opened.journal()).toEqual(["user: I moved to Rome."]);
  const refused = await opened.chat(body, { "neuromem-memory": "perhaps" });
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({
    error: { type: "invalid_request_error", code: "input_invalid" },
  });
});

test("a compressed reply passes as it is and is read nevertheless", async () => {
  const packed = gzipSync(
    JSON.stringify({ choices: [{ message: { content: "Packed 压缩" }, finish_reason: "stop" }] }),
  );
  const asked: (string | undefined)[] = [];
  const upstream = createServer((incoming, response) => {
    asked.push(incoming.headers["accept-encoding"]?.toString());
    response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
    incoming.resume().on("end", () => response.end(packed));
  });
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  const { port } = z.object({ port: z.number() }).parse(upstream.address());
  const opened = await open({}, { upstream: `http://127.0.0.1:${port}/v1` });
  const reply = await opened.chat({ model: "m", messages: [user("hello")] });
  expect(await reply.json()).toMatchObject({ choices: [{ message: { content: "Packed 压缩" } }] });
  expect(asked).toEqual(["identity"]);
  expect(await opened.journal()).toEqual(["user: hello", "assistant: Packed 压缩"]);
  upstream.closeAllConnections();
  upstream.close();
});
