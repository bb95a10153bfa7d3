import { afterEach, expect, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import { PUBLIC } from "../../base/scope.ts";
import {
  openPostInsertWorld,
  type PostInsertSetup,
  type PostInsertWorld,
} from "../../testing/post-insert-world.ts";
import { conflictCheck } from "./conflict-check.ts";

const OPTIONS: JsonObject = {
  search: "semantic",
  topk: 10,
  detectors: ["attribute_key", "similarity", "polarity", "llm_verify"],
  similarity_threshold: 0.8,
  require_attribute_key: false,
  min_confidence: 0.7,
  resolution: "supersede",
  prompt: "detect_conflict",
};

const worlds: PostInsertWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

async function open(
  options: JsonObject = {},
  setup: Partial<PostInsertSetup> = {},
): Promise<PostInsertWorld> {
  const post = [{ action: conflictCheck, options: { ...OPTIONS, ...options } }];
  const world = await openPostInsertWorld({ ...setup, post });
  worlds.push(world);
  return world;
}

/** What is left after both were said, of how many that are kept. */
async function outcome(said: readonly string[], options: JsonObject, setup: Partial<PostInsertSetup> = {}) {
  const world = await open(options, setup);
  for (const text of said) await world.say([text]);
  return { current: await world.current(), kept: (await world.all()).length, notes: world.notes() };
}

const ROME = "Ada's city is Rome.";
const OSLO = "Ada's city is Oslo.";

test("[C-10][C-11] each resolution does what it says", async () => {
  const after = async (resolution: string) => {
    const { current, kept } = await outcome([ROME, OSLO], { resolution });
    return [current, kept];
  };
  expect(await after("supersede")).toEqual([[OSLO], 2]);
  expect(await after("replace")).toEqual([[OSLO], 1]);
  expect(await after("append")).toEqual([[ROME, OSLO], 2]);
  expect(await after("skip")).toEqual([[ROME], 2]);
  expect(await after("ask")).toEqual([[ROME, OSLO], 2]);
});

test("[C-10] what is known already is not kept twice; the clash is noted with its evidence", async () => {
  const same = await outcome([ROME, ROME], {});
  expect(same).toMatchObject({ current: [ROME], kept: 2, notes: { conflicts: [{ done: "skipped" }] } });
  const { notes } = await outcome([ROME, OSLO], { resolution: "ask" });
  expect(notes).toMatchObject({
    conflicts: [{ done: "asked", with: [{ kind: "update", detector: "attribute_key" }] }],
  });
});

test("what repeats one and updates another gives way to the one it repeats", async () => {
  const world = await open({ resolution: "append" });
  await world.say([ROME, OSLO]);
  const [, oslo] = await world.all();
  const later = await open({}, { storage: world.storage });
  later.clock.advance(1000);
  const { inserted } = await later.say([OSLO]);
  const fresh = (await later.all()).find(({ id }) => id === inserted[0]?.id);
  expect(fresh?.supersededBy).toBe(oslo?.id);
});

test("Chinese statements clash as English ones do", async () => {
  expect(await outcome(["小明喜欢喝咖啡。", "小明讨厌咖啡。"], {})).toMatchObject({
    current: ["小明讨厌咖啡。"],
  });
});

test('who says "I" is told apart', async () => {
  const said = (speaker: string, text: string) => ({ speaker, text });
  const world = await open({}, { input: { unit: "turn", with_speaker: true } });
  await world.say([said("Ada", "I live in Rome.")]);
  await world.say([said("Bob", "I live in Oslo.")]);
  expect(await world.current()).toHaveLength(2);
  await world.say([said("Ada", "I live in Oslo.")]);
  expect(await world.current()).toEqual(["Bob: I live in Oslo.", "Ada: I live in Oslo."]);
});

test('"us" is somebody, the US is a country', async () => {
  const tell = async (text: string) => {
    const world = await open({}, { input: { unit: "turn", with_speaker: true } });
    await world.say([{ speaker: "Ada", text }]);
    await world.say([{ speaker: "Bob", text }]);
    return (await world.current()).length;
  };
  expect(await tell("The capital of the US is Washington.")).toBe(1);
  expect(await tell("Grandma told us that.")).toBe(2);
  expect(await tell("奶奶告诉了我们。")).toBe(2);
});

test("detectors and similarity_threshold: who sees a clash, and from when on", async () => {
  const said = ["Ada owns a red dog.", "Ada owns a big red dog."];
  const count = async (options: JsonObject) => (await outcome(said, options)).current.length;
  expect(await count({ detectors: ["attribute_key"] })).toBe(2);
  expect(await count({ detectors: ["similarity"], similarity_threshold: 0.5 })).toBe(1);
  expect(await count({ detectors: ["similarity"], similarity_threshold: 0.99 })).toBe(2);
});

test("[S1-25] require_attribute_key: a statement about nobody's attribute clashes with nothing", async () => {
  const said = ["It rains in Rome.", "It rains in Rome!"];
  const count = async (require_attribute_key: boolean) =>
    (await outcome(said, { require_attribute_key })).current.length;
  expect(await count(false)).toBe(1);
  expect(await count(true)).toBe(2);
});

test("search and topk: what is compared", async () => {
  const said = [ROME, "Ada's city is Oslo, Oslo, Oslo.", "Ada's city is Oslo, Oslo."];
  expect((await outcome(said.slice(0, 2), { search: "lexical" }, { embedder: undefined })).current).toEqual([
    said[1],
  ]);
  const append = { resolution: "ask", detectors: ["attribute_key"] };
  const compared = async (topk: number) => {
    const { notes } = await outcome(said, { ...append, topk });
    return JSON.stringify(notes).split("confidence").length - 1;
  };
  expect(await compared(10)).toBe(2);
  expect(await compared(1)).toBe(1);
  // Words give no similarity, so likeness is no reason, and alone it would never be one.
  const alike = ["Ada owns a red dog.", "Ada owns a big red dog."];
  const likeness = { detectors: ["similarity", "attribute_key"], similarity_threshold: 0.1 };
  expect((await outcome(alike, { ...likeness, search: "lexical" })).current).toHaveLength(2);
  const alone = { ...OPTIONS, detectors: ["similarity"], search: "lexical" };
  expect(conflictCheck.options.safeParse(alone).error?.message).toContain("similarity");
});

const said = ["Ada eats meat at home.", "Ada eats plants at home."];
const verdict = (confidence: number) =>
  JSON.stringify({ kind: "contradiction", confidence, evidence: ["Ada eats something else."] });

test("llm_verify has the last word where it is sure enough, by the prompt that is named", async () => {
  const detectors = ["similarity", "llm_verify"];
  const options = { detectors, similarity_threshold: 0.3, min_confidence: 0.7, resolution: "ask" };
  const sure = await outcome(said, options, { chat: verdict(0.9) });
  expect(sure.notes).toMatchObject({
    conflicts: [{ with: [{ kind: "contradiction", detector: "llm_verify" }] }],
  });
  const unsure = await outcome(said, options, { chat: verdict(0.6) });
  expect(unsure.notes).toMatchObject({ conflicts: [{ with: [{ kind: "update", detector: "similarity" }] }] });
  const alone = await outcome(said, options);
  expect(alone.notes).toMatchObject({ conflicts: [{ with: [{ kind: "update", detector: "similarity" }] }] });

  const promptFiles = { my_check: "Compare.\n\n---\n\n{{new_statement}}\n\n{{old_statement}}\n" };
  const world = await open({ ...options, prompt: "my_check" }, { chat: verdict(0.9), promptFiles });
  await world.say(said);
  expect(world.asked()).toContain("Compare.");
});

test("a bad reply: the rules' verdict stays, or the insert fails and nothing is lost", async () => {
  const options = { detectors: ["similarity", "llm_verify"], similarity_threshold: 0.3 };
  const setup = { chat: "no idea" };
  expect((await outcome(said, options, { ...setup, onBadReply: "fallback" })).current).toEqual([said[1]]);
  const strict = await open(options, { ...setup, onBadReply: "throw" });
  await expect(strict.say(said)).rejects.toMatchObject({ code: "reply_invalid" });
  expect(await strict.current()).toEqual(said);
});

test("a private scope leaves public memories alone", async () => {
  const world = await open();
  await world.say([ROME], PUBLIC);
  await world.say([OSLO]);
  expect(await world.current()).toEqual([ROME, OSLO]);
});

test("what it needs of a preset", () => {
  const claims = (options: JsonObject) =>
    conflictCheck.claims?.(conflictCheck.options.parse({ ...OPTIONS, ...options }));
  expect(claims({})).toMatchObject({ cycle: true, embedder: true, prompts: [{ prompt: "detect_conflict" }] });
  expect(claims({ detectors: ["polarity"], search: "lexical" })).toMatchObject({
    embedder: false,
    prompts: [],
  });
});
