import { afterEach, expect, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import { PUBLIC, parseScope } from "../../base/scope.ts";
import { hashEmbedder } from "../../testing/hash-embedder.ts";
import {
  openPostInsertWorld,
  type PostInsertSetup,
  type PostInsertWorld,
} from "../../testing/post-insert-world.ts";
import { distillation } from "./distillation.ts";

const ALICE = parseScope("alice");

const OPTIONS: JsonObject = {
  topk: 3,
  threshold: null,
  full_topk_only: false,
  prompt: "distil",
  result_kind: "thought",
  hard_delete: false,
};

const worlds: PostInsertWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

async function open(
  options: JsonObject = {},
  setup: Partial<PostInsertSetup> = {},
): Promise<PostInsertWorld> {
  const post = [{ action: distillation, options: { ...OPTIONS, ...options } }];
  const world = await openPostInsertWorld({ ...setup, post });
  worlds.push(world);
  return world;
}

test("[S0-11][S0-34][B.0.9-6][B.0.9-7] a merged memory takes the place of the new one and of those that the model numbers", async () => {
  const world = await open(
    {},
    { chat: ['{"merged": "Ada owns two dogs, Rex and Bella.", "replaced": [0]}'] },
  );
  await world.say(["Ada owns a dog called Rex."]);
  await world.say(["Ada owns a dog called Bella."]);
  const [first, second, merged] = await world.all();
  expect(merged).toMatchObject({ content: "Ada owns two dogs, Rex and Bella.", kind: "thought" });
  expect([first?.supersededBy, second?.supersededBy]).toEqual([merged?.id, merged?.id]);
  expect(merged?.sources).toEqual([...(first?.sources ?? []), ...(second?.sources ?? [])]);
  // The prompt holds the new memory and the known one.
  expect(world.asked()).toContain("Ada owns a dog called Bella.");
  expect(world.asked()).toContain("Ada owns a dog called Rex.");
  expect(world.notes()).toMatchObject({ merged: 1, replaced: 1 });
  // The merged one is found by its own vector.
  const [vector] = await hashEmbedder().embedDocuments(["Ada owns two dogs, Rex and Bella."], {});
  const [hit] = await world.service.retrieve(ALICE, { vectors: vector === undefined ? [] : [vector] });
  expect(hit?.id).toBe(merged?.id);
});

test("[S0-34] without a model the conflict rules distil, in Chinese as well", async () => {
  const world = await open();
  await world.say(["小明住在北京。"]);
  await world.say(["小明住在上海。"]);
  expect(await world.current()).toEqual(["小明住在上海。"]);
  await world.say(["小红喜欢音乐。"]);
  expect(await world.current()).toEqual(["小明住在上海。", "小红喜欢音乐。"]);
});

test("what the merged one is made of stays with it: who, when, names, what was earned", async () => {
  const world = await open({ result_kind: null });
  const turn = (text: string, happenedAt: number, speaker: string) => ({ text, happenedAt, speaker });
  await world.say([turn("Ada's city is Rome.", 2000, "Bob")]);
  const [first] = await world.all();
  await world.service.touch(ALICE, first === undefined ? [] : [first]);
  await world.say([turn("Ada's city is Oslo.", 1000, "Eve")]);
  const merged = (await world.all()).at(-1);
  expect(merged).toMatchObject({
    content: "Ada's city is Oslo.",
    happenedAt: 2000,
    accessCount: 1,
    kind: "memory",
  });
  expect(merged?.metadata).toMatchObject({ persons: ["Bob", "Eve"], speaker: "Eve" });
});

test("[B.0.2] full_topk_only: only where as many as topk are near", async () => {
  const dogs = ["Ada owns a dog.", "Ada owns the dog Rex.", "Ada owns a dog called Rex."];
  const world = await open(
    { topk: 2, full_topk_only: true },
    { chat: '{"merged": "M", "replaced": [0, 1]}' },
  );
  for (const text of dogs.slice(0, 2)) await world.say([text]);
  expect(world.asked()).toBe("[]");
  await world.say(dogs.slice(2));
  expect(await world.current()).toEqual(["M"]);
});

test("topk and threshold: what is shown", async () => {
  const said = ["Ada owns a red dog.", "Ada owns a red cat.", "Rome is far away.", "Ada owns a red dog now."];
  const shown = async (options: JsonObject) => {
    const world = await open(options, { chat: '{"merged": null, "replaced": []}' });
    await world.say(said.slice(0, 3));
    const before = world.asked().length;
    await world.say(said.slice(3));
    const asked = world.asked().slice(before);
    return said.slice(0, 3).map((text) => asked.includes(text));
  };
  expect(await shown({ topk: 3 })).toEqual([true, true, true]);
  expect(await shown({ topk: 2 })).toEqual([true, true, false]);
  expect(await shown({ threshold: 0.9 })).toEqual([true, false, false]);
});

test("[C-11] hard_delete removes for good; without it the old ones can be read", async () => {
  for (const hard_delete of [false, true]) {
    const world = await open({ hard_delete });
    await world.say(["Ada's city is Rome."]);
    await world.say(["Ada's city is Oslo."]);
    expect(await world.current()).toEqual(["Ada's city is Oslo."]);
    expect(await world.all()).toHaveLength(hard_delete ? 1 : 3);
  }
});

test("[B.0.9-23] the option names the prompt", async () => {
  const chat = '{"merged": null, "replaced": []}';
  const promptFiles = { my_distil: "Ponder this.\n\n---\n\n{{memory}}\n\n{{existing}}\n" };
  const world = await open({ prompt: "my_distil" }, { chat, promptFiles });
  await world.say(["Ada owns a dog.", "Ada owns the dog Rex."]);
  expect(world.asked()).toContain("Ponder this.");
});

test("a private scope leaves public memories alone", async () => {
  const world = await open();
  await world.say(["Ada's city is Rome."], PUBLIC);
  await world.say(["Ada's city is Oslo."]);
  expect(await world.current(PUBLIC)).toEqual(["Ada's city is Rome."]);
  expect(await world.current()).toEqual(["Ada's city is Rome.", "Ada's city is Oslo."]);
});

test("within one packet what comes later is merged with what came before, and what has gone takes no part", async () => {
  const world = await open();
  await world.say(["Ada's city is Rome.", "Ada's city is Oslo.", "Ada's city is Bonn."]);
  expect(await world.current()).toEqual(["Ada's city is Bonn."]);
});

test("on other services: in hash buckets (TiM) and in tiers (MemGPT), where the merged one comes in at the front", async () => {
  const common = { collection_name: "notes", vitality: null };
  const hashes = { ...common, k_nearest: 5, form: "sign", lsh_nbits: 64, seed: 1, max_hamming: 32 };
  const tier = { capacity: null, membership: "exclusive", indexes: ["queue", "vector", "text"] };
  const tiers = [
    { ...tier, name: "core", capacity: 1 },
    { ...tier, name: "recall" },
  ];
  const services = [
    { name: "vector_hash_memory", options: hashes },
    {
      name: "hierarchical_memory",
      options: { ...common, top_k: 5, tiers, migration_policy: "auto", eviction: null, graph: null },
    },
  ];
  for (const service of services) {
    const world = await open({}, { service });
    await world.say(["Ada's city is Rome.", "Ada's city is Oslo."]);
    expect(await world.current()).toEqual(["Ada's city is Oslo."]);
    const merged = (await world.all()).at(-1);
    expect(merged).toMatchObject({
      kind: "thought",
      tier: service.name === "hierarchical_memory" ? "core" : null,
    });
  }
});

test("a bad reply: the rules answer, or the insert fails and nothing is lost", async () => {
  const setup = { chat: '{"merged": null, "replaced": [7]}' };
  const lenient = await open({}, { ...setup, onBadReply: "fallback" });
  await lenient.say(["Ada's city is Rome."]);
  await lenient.say(["Ada's city is Oslo."]);
  expect(await lenient.current()).toEqual(["Ada's city is Oslo."]);
  const strict = await open({}, { ...setup, onBadReply: "throw" });
  await strict.say(["Ada's city is Rome."]);
  await expect(strict.say(["Ada's city is Oslo."])).rejects.toMatchObject({ code: "reply_invalid" });
  expect(await strict.current()).toEqual(["Ada's city is Rome.", "Ada's city is Oslo."]);
});

test("what nobody could embed is near nothing, and that is noted", async () => {
  const world = await open({}, { embedder: undefined });
  await world.say(["Ada's city is Rome.", "Ada's city is Oslo."]);
  expect(await world.current()).toHaveLength(2);
  expect(world.notes()).toEqual({ without_vector: 2, merged: 0, replaced: 0 });
});

test("what it needs of a preset", () => {
  expect(distillation.claims?.(distillation.options.parse(OPTIONS))).toMatchObject({
    cycle: true,
    embedder: true,
    hints: [{ strategy: "semantic", names: [] }],
  });
});
