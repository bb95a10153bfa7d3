import { afterEach, describe, expect, test } from "vitest";
import { parseScope } from "../base/scope.ts";
import { parsePreset } from "../preset/load.ts";
import type { Preset } from "../preset/preset.ts";
import { hashEmbedder } from "../testing/hash-embedder.ts";
import { openPresetWorld, type PresetWorld, type PresetWorldOptions } from "../testing/preset-world.ts";
import { rebuild } from "./rebuild.ts";

let worlds: PresetWorld[] = [];
afterEach(async () => {
  for (const world of worlds) await world.close();
  worlds = [];
});

async function world(preset: Preset, options: PresetWorldOptions = {}): Promise<PresetWorld> {
  const opened = await openPresetWorld(preset, { embedder: hashEmbedder(), ...options });
  worlds.push(opened);
  return opened;
}

function presetWith(input: string, stages = "stages: { pre_insert: none }"): Promise<Preset> {
  return parsePreset(
    `name: t
summary: test
defaults: recommended
input: ${input}
service: { name: neuromem_vdb, collection_name: t }
${stages}`,
    "t.yaml",
  );
}

const lines = (count: number, from = 0) => Array.from({ length: count }, (_, i) => `line ${from + i}`);
const WINDOWS = "{ unit: packet, window: { by: turns, size: 40, overlap: 2 } }";

describe("windows of turns", () => {
  test("100 dialogues in windows of 40 with an overlap of 2 start at 0, 38 and 76", async () => {
    const t = await world(await presetWith(WINDOWS));
    const { windows, done } = await t.say(lines(100));
    expect(windows).toBe(3);
    const stored = (await t.entries()).map(({ content }) => content.split("\n"));
    expect(stored.map((said) => [said[0], said.length])).toEqual([
      ["line 0", 40],
      ["line 38", 40],
      ["line 76", 24],
    ]);
    expect(done.map(({ turns }) => turns.length)).toEqual([40, 38, 22]);
  });

  test("what does not fill a window waits, through a restart, and is taken up with what follows", async () => {
    const t = await world(await presetWith(WINDOWS));
    expect(await t.say(lines(45), { finish: false })).toMatchObject({ windows: 1, turns: 40, waiting: 5 });
    await t.restart();
    expect(await t.say(lines(33, 45), { finish: false })).toMatchObject({ windows: 1, waiting: 0 });
    expect((await t.entries()).map(({ content }) => content.split("\n")[0])).toEqual(["line 0", "line 38"]);
  });
});

describe("windows of sessions", () => {
  const at = (text: string, session: string, minutes: number) => ({
    text,
    session,
    happenedAt: Date.UTC(2026, 0, 1) + minutes * 60_000,
  });
  const said = [at("a", "1", 0), at("b", "1", 1), at("c", "2", 2), at("d", "2", 100), at("e", "2", 101)];

  test("a session ends with its name", async () => {
    const t = await world(
      await presetWith("{ unit: packet, window: { by: session, gap_seconds: null, max_turns: 100 } }"),
    );
    expect(await t.say(said, { finish: false })).toMatchObject({ windows: 1, waiting: 3 });
    expect(await t.resume()).toMatchObject({ windows: 1, turns: 3 });
    expect((await t.entries()).map(({ content }) => content)).toEqual(["a\nb", "c\nd\ne"]);
  });

  test("or with a silence, or when it grows too long", async () => {
    const t = await world(
      await presetWith("{ unit: packet, window: { by: session, gap_seconds: 3600, max_turns: 1 } }"),
    );
    await t.say(said);
    expect(await t.entries()).toHaveLength(5);
    const gaps = await world(
      await presetWith("{ unit: packet, window: { by: session, gap_seconds: 3600, max_turns: 9 } }"),
    );
    await gaps.say(said);
    expect((await gaps.entries()).map(({ content }) => content)).toEqual(["a\nb", "c", "d\ne"]);
  });
});

describe("a stop in the middle", () => {
  const FACTS = "stages: { pre_insert: { action: transform, transform_type: fact_extract } }";
  const facts = (text: string) => ({ facts: [{ text, sources: [0] }] });

  test("a model that is down costs a retry: nothing is lost, nothing is there twice", async () => {
    const preset = await presetWith("{ unit: turn }", FACTS);
    let asked = 0;
    const t = await world(preset, { replies: { extract_facts: () => facts(`fact ${asked++}`) } });
    await t.say(["one", "two"]);
    t.setDown(true);
    await expect(t.say(["three", "four"])).rejects.toMatchObject({ code: "model_unavailable" });
    expect(await t.entries()).toHaveLength(2);
    await t.restart();
    t.setDown(false);
    expect(await t.resume()).toMatchObject({ windows: 2, turns: 2 });
    expect((await t.entries()).map(({ content }) => content)).toEqual([
      "fact 0",
      "fact 1",
      "fact 2",
      "fact 3",
    ]);
  });

  test("what a window had stored before it failed is taken back before it is done again", async () => {
    const preset = await presetWith(
      "{ unit: turn, window: { by: turns, size: 3, overlap: 0 } }",
      "stages: { post_insert: { action: summarize, strategy: single, min_count: 1 } }",
    );
    const t = await world(preset, { replies: { summarize: { summary: "in short" } } });
    t.setDown(true);
    await expect(t.say(lines(3))).rejects.toMatchObject({ code: "model_unavailable" });
    expect(await t.entries()).toHaveLength(3);
    t.setDown(false);
    await t.resume();
    expect((await t.entries()).map(({ content }) => content)).toEqual([...lines(3), "in short"]);
  });

  test("an aborted run goes on where it stopped", async () => {
    const t = await world(await presetWith("{ unit: turn }"));
    const stop = new AbortController();
    const { derive } = await import("./derive.ts");
    await t.say([]);
    const { appendTurns } = await import("../pipeline/journal.ts");
    const alice = parseScope("alice");
    await appendTurns(
      t.storage(),
      alice,
      lines(5).map((text) => ({ text })),
    );
    const onWindow = () => stop.abort();
    await expect(
      derive(t.memory(), t.storage(), alice, { signal: stop.signal, onWindow }),
    ).rejects.toMatchObject({ code: "aborted" });
    expect(await t.entries()).toHaveLength(1);
    expect(await t.resume()).toMatchObject({ turns: 4 });
  });
});

test("rebuilding makes the same memories of the same journal, and touches no other scope", async () => {
  const t = await world(await presetWith("{ unit: turn }"));
  const bob = parseScope("bob");
  await t.say(lines(3));
  await t.say(["of bob"], { scope: bob });
  const before = (await t.entries()).map(({ content }) => content);
  const ofBob = (await t.entries(bob)).map(({ id }) => id);
  await rebuild(t.memory(), t.storage(), parseScope("alice"));
  expect((await t.entries()).map(({ content }) => content)).toEqual(before);
  expect((await t.entries(bob)).map(({ id }) => id)).toEqual(ofBob);
});
