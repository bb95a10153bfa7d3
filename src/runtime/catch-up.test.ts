import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { hashEmbedder } from "../testing/hash-embedder.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { Memory } from "./memory.ts";
import type { MemoryOptions } from "./memory-options.ts";

let folder = "";
let opened: { close(): Promise<unknown> }[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "neuromem-catch-up-"));
});
afterEach(async () => {
  for (const one of opened) await one.close();
  opened = [];
  await rm(folder, { recursive: true });
});

async function open(options: Partial<MemoryOptions> = {}): Promise<Memory> {
  const path = join(folder, "memory.db");
  const memory = await Memory.open({ path, scope: "mia", embedder: hashEmbedder(), ...options });
  opened.push(memory);
  return memory;
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    if (await isTrue()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error("it did not come true");
}

async function contents(memory: Memory): Promise<string[]> {
  return (await memory.list({ limit: 100 })).entries.map(({ content }) => content).sort();
}

/** A file as somebody left it who used another design: two scopes, two languages, a judged memory, one that was forgotten. */
async function toldToHybrid(): Promise<{ readonly mia: string[]; readonly bob: string[] }> {
  const memory = await open({ preset: "hybrid" });
  await memory.remember([
    { speaker: "Mia", text: "I moved to Rome in May.", session: "one" },
    { speaker: "王芳", text: "我养了一只猫，叫豆包。", session: "one" },
    { speaker: "Mia", text: "My password is swordfish.", session: "one" },
  ]);
  await memory.remember({ judgment: "Mia is allergic to nuts.", tags: ["allergy"] });
  await memory.in("bob").remember("鲍勃喜欢喝绿茶。");
  const [secret] = (await memory.recall("What is the password?", { limit: 1 })).hits;
  if (secret === undefined) throw new Error("nothing was found");
  await memory.forget({ id: secret.id });
  const told = { mia: await contents(memory), bob: await contents(memory.in("bob")) };
  await memory.close();
  return told;
}

test("a file of another design opens with the default, which takes up by itself all that was said, and no more", async () => {
  const told = await toldToHybrid();
  expect(told.mia).toHaveLength(3);
  const memory = await open();
  expect(memory.preset).toBe("neuromem");
  await until(async () => (await memory.status()).waiting === 0);
  expect(await contents(memory)).toEqual(told.mia);
  expect((await memory.recall("Where did Mia move?")).hits[0]?.content).toBe("Mia: I moved to Rome in May.");
  expect((await memory.recall("豆包是谁的猫？")).hits[0]?.content).toBe("王芳: 我养了一只猫，叫豆包。");
  const bob = memory.in("bob");
  await until(async () => (await bob.status()).waiting === 0);
  expect(await contents(bob)).toEqual(told.bob);
  await memory.close();

  const before = await open({ preset: "hybrid" });
  expect((await before.status()).waiting).toBe(0);
  expect(await contents(before)).toEqual(told.mia);
});

test("what waits is told before it is taken up, and stays until somebody asks where there is no background", async () => {
  await toldToHybrid();
  const memory = await open({ background: false });
  expect(await memory.status()).toMatchObject({ waiting: 3, work: null, counts: { memories: 0 } });
  await memory.flush();
  expect(await memory.status()).toMatchObject({
    waiting: 0,
    work: { state: "done" },
    counts: { memories: 3 },
  });
});

test("what another process tells the other design later is taken up at the next opening", async () => {
  await toldToHybrid();
  const first = await open();
  await until(async () => (await first.status()).waiting === 0);
  await first.close();
  const other = await open({ preset: "hybrid" });
  await other.remember({ speaker: "王芳", text: "我搬到了玉林路。" });
  await other.close();
  const memory = await open();
  await until(async () => (await memory.status()).waiting === 0);
  expect(await contents(memory)).toContain("王芳: 我搬到了玉林路。");
});

test("a design that asks a model for what it keeps is not set to work by being opened, with a model or without", async () => {
  await toldToHybrid();
  const { model, server, close } = await scriptedModel(() => '{"facts":[]}');
  opened.push({ close });
  for (const given of [{ model }, {}]) {
    const memory = await open({ preset: "mem0", ...given });
    await memory.recall("Where did Mia move?");
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await memory.status()).toMatchObject({ waiting: 3, work: null });
    await memory.close();
  }
  expect(server.requests).toEqual([]);
});
