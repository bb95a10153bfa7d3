import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { manualClock } from "../base/clock.ts";
import { openSqlite } from "../storage/sqlite/sqlite-storage.ts";
import type { Storage } from "../storage/storage.ts";
import { hashEmbedder } from "../testing/hash-embedder.ts";
import type { Script, SeenRequest } from "../testing/model-server.ts";
import { type ScriptedModel, scriptedModel } from "../testing/scripted-model.ts";
import { type AgentLoopOptions, createAgentLoop } from "./agent-loop.ts";
import { Memory } from "./memory.ts";

const SYSTEM = "You are terse.";
const clock = manualClock(Date.UTC(2026, 4, 1));
let folder = "";
let storage: Storage;
let memory: Memory;
let scripted: ScriptedModel | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "neuromem-loop-"));
  storage = await openSqlite(join(folder, "memory.db"), { clock });
  // The chat's model is no part of the design, which keeps what is said as it is.
  memory = await Memory.open({ storage, preset: "hybrid", scope: "mia", embedder: hashEmbedder(), clock });
});
afterEach(async () => {
  await memory.close();
  await scripted?.close();
  scripted = undefined;
  await rm(folder, { recursive: true });
});

async function loopWith(chat: Script, options: Partial<AgentLoopOptions> = {}) {
  scripted = await scriptedModel(chat);
  return createAgentLoop({ memory, model: scripted.model, system: SYSTEM, session: "monday", ...options });
}

async function journal(): Promise<{ role: string; text: string; session: string }[]> {
  const turns = await storage.turns(memory.scope, { limit: 100 });
  return turns.map(({ role, text, session }) => ({ role, text, session }));
}

const messagesSchema = z.object({
  messages: z.array(z.object({ role: z.string(), content: z.string() })),
});
const sent = ({ body }: SeenRequest) => messagesSchema.loose().parse(body).messages;

test("[S4-20][S4-21][C-36] recalled, put behind the prompt for one request, answered as a stream, recorded", async () => {
  await memory.remember(["I moved to Rome.", "我对花生过敏。"]);
  const loop = await loopWith(["You live in Rome.", "不能，你对花生过敏。"]);
  const pieces: string[] = [];
  const first = await loop.say("Where do I live, Rome?", { onText: (piece) => pieces.push(piece) });
  expect(first).toMatchObject({ answer: "You live in Rome.", path: "model", isStopped: false });
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.join("")).toBe(first.answer);
  expect(first.recalled?.hits.map(({ text }) => text)).toContain("I moved to Rome.");
  const second = await loop.say("我可以吃花生吗？");

  const [one, two] = (scripted?.server.requests ?? []).map(sent);
  expect(one?.map(({ role }) => role)).toEqual(["system", "user"]);
  expect(one?.[0]?.content.startsWith(`${SYSTEM}\n\n`)).toBe(true);
  expect(one?.[0]?.content).toContain("I moved to Rome.");
  expect(one?.[0]?.content.endsWith(first.context?.text ?? "-")).toBe(true);
  // After the prompt, before the history; the history never holds a block, and the first one is gone.
  expect(two?.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
  expect(two?.[0]?.content).toBe(`${SYSTEM}\n\n${second.context?.text}`);
  expect(two?.slice(1).map(({ content }) => content)).toEqual([
    "Where do I live, Rome?",
    "You live in Rome.",
    "我可以吃花生吗？",
  ]);
  expect(JSON.stringify(loop.history)).not.toContain("recalled");

  expect((await journal()).slice(2)).toEqual([
    { role: "user", text: "Where do I live, Rome?", session: "monday" },
    { role: "assistant", text: "You live in Rome.", session: "monday" },
    { role: "user", text: "我可以吃花生吗？", session: "monday" },
    { role: "assistant", text: "不能，你对花生过敏。", session: "monday" },
  ]);
});

test("[S4-22] without a memory it is a plain conversation", async () => {
  const loop = await loopWith("Hello.", { memory: undefined });
  const said = await loop.say("Hi");
  expect(said).toMatchObject({ answer: "Hello.", context: null, recalled: null, recorded: null });
  expect(sent(scripted!.server.requests[0]!)[0]).toEqual({ role: "system", content: SYSTEM });
  expect(await journal()).toEqual([]);
});

test("without a model it quotes, in both languages, and the quotes are not recorded", async () => {
  await memory.remember(["I moved to Rome.", "我对花生过敏。"]);
  const loop = createAgentLoop({ memory, system: SYSTEM, session: "s" });
  const english = await loop.say("Where did I move?");
  expect(english).toMatchObject({ path: "local", context: null });
  expect(english.answer).toContain("Rome");
  expect((await loop.say("我对什么过敏？")).answer).toContain("花生");
  expect((await journal()).map(({ role, text }) => [role, text]).slice(2)).toEqual([
    ["user", "Where did I move?"],
    ["user", "我对什么过敏？"],
  ]);
  const nobody = createAgentLoop({ system: SYSTEM, session: "s" });
  expect(await nobody.say("Anybody?")).toMatchObject({ path: "nobody", answer: "", recorded: null });
});

test("incognito records nothing, and what was said meanwhile cannot leak into a later answer", async () => {
  const loop = await loopWith("Fine.");
  loop.isIncognito = true;
  expect((await loop.say("My secret is 42.")).recorded).toBeNull();
  await loop.say("And 43.");
  expect(sent(scripted!.server.requests[1]!).map(({ content }) => content)).toContain("My secret is 42.");
  loop.isIncognito = false;
  await loop.say("我回来了。");
  expect(JSON.stringify(scripted!.server.requests[2]!.body)).not.toContain("secret");
  expect((await journal()).map(({ text }) => text)).toEqual(["我回来了。", "Fine."]);
});

test("a stopped answer is what was said of it; a model that is down loses nothing that was said", async () => {
  const loop = await loopWith([
    { text: "One, two, three, four, five.", pauseMs: 20 },
    { status: 400, body: { error: { message: "no" } } },
  ]);
  const stop = new AbortController();
  const said = await loop.say("Count.", {
    signal: stop.signal,
    onText: (piece) => piece.includes("t") && stop.abort(),
  });
  expect(said.isStopped).toBe(true);
  expect("One, two, three, four, five.".startsWith(said.answer)).toBe(true);
  expect(said.answer).not.toContain("five");
  await expect(loop.say("再来一次")).rejects.toMatchObject({ code: "model_refused" });
  expect((await journal()).map(({ text }) => text)).toEqual(["Count.", said.answer, "再来一次"]);
});

test("a memory that fails costs the answer its memories, not the answer", async () => {
  const troubles: unknown[] = [];
  const loop = await loopWith("Hello.", { onTrouble: (error) => troubles.push(error) });
  await memory.close();
  expect(await loop.say("Hi")).toMatchObject({ answer: "Hello.", context: null, recorded: null });
  expect(troubles).toHaveLength(2);
});

test("the model is shown whole exchanges, as many as asked for; 0: none", async () => {
  const loop = await loopWith("Fine.", { shown: 1 });
  for (const text of ["one", "two", "三"]) await loop.say(text);
  const shown = () => sent(scripted!.server.requests.at(-1)!).slice(1);
  expect(shown().map(({ content }) => content)).toEqual(["two", "Fine.", "三"]);
  const { model } = scripted!;
  const alone = createAgentLoop({ model, system: SYSTEM, session: "s", shown: 0 });
  for (const text of ["one", "two"]) await alone.say(text);
  expect(shown()).toEqual([{ role: "user", content: "two" }]);
  for (const wrong of [{ shown: -1 }, { shwon: 1 }, { session: "s".repeat(300) }])
    expect(() => createAgentLoop({ model, system: SYSTEM, session: "s", ...wrong })).toThrow(
      expect.objectContaining({ code: "input_invalid" }),
    );
});

test("what is asked in secret stays secret, though the secret ends before the answer", async () => {
  const loop = await loopWith("Fine.");
  loop.isIncognito = true;
  const onText = () => {
    loop.isIncognito = false;
  };
  expect((await loop.say("My secret is 42.", { onText })).recorded).toBeNull();
  await loop.say("你好");
  expect(JSON.stringify(scripted!.server.requests[1]!.body)).not.toContain("secret");
  expect((await journal()).map(({ text }) => text)).toEqual(["你好", "Fine."]);
});

test("without a model of its own it asks a memory that has one, and says who answered", async () => {
  scripted = await scriptedModel('{"reasoning":"","answer":"In Rome.","evidence":[0]}');
  const { model } = scripted;
  const thinking = await Memory.open({ storage, scope: "mia", embedder: hashEmbedder(), clock, model });
  await thinking.remember("I moved to Rome.", { wait: "memory" });
  const loop = createAgentLoop({ memory: thinking, system: SYSTEM, session: "s", wait: "memory" });
  expect(await loop.say("Where did I move?")).toMatchObject({ answer: "In Rome.", path: "model" });
  expect((await journal()).map(({ text }) => text)).toEqual([
    "I moved to Rome.",
    "Where did I move?",
    "In Rome.",
  ]);
});

test("what the memory forgot of the conversation is not shown to the model again, answered or not", async () => {
  const loop = await loopWith(["Noted.", { status: 400, body: { error: { message: "bad" } } }, "好的。"]);
  const first = await loop.say("My code is 42.");
  await expect(loop.say("我的密码是四十二。")).rejects.toThrow("bad");
  expect(loop.lastRecorded?.turns).toHaveLength(1);
  const report = await memory.forget({ turns: loop.lastRecorded?.turns ?? [] });
  loop.forget(report.turns);
  expect(loop.lastRecorded).toBe(null);
  expect(loop.history).toHaveLength(2);
  loop.forget((await memory.forget({ turns: first.recorded?.turns ?? [] })).turns);
  await loop.say("你好");
  expect(loop.history.map(({ text }) => text)).toEqual(["你好", "好的。"]);
  expect(await journal()).toHaveLength(2);
});
