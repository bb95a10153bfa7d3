import { afterEach, describe, expect, test } from "vitest";
import { manualClock } from "../base/clock.ts";
import { parsePreset } from "../preset/load.ts";
import type { Preset } from "../preset/preset.ts";
import { openInMemory } from "../storage/memory.ts";
import { hashEmbedder } from "../testing/hash-embedder.ts";
import { Memory } from "./memory.ts";

const clock = manualClock(Date.UTC(2026, 4, 1));
const opened: Memory[] = [];
afterEach(async () => {
  for (const memory of opened.splice(0)) await memory.close();
});

async function open(preset: string | Preset): Promise<Memory> {
  const storage = await openInMemory({ clock });
  const memory = await Memory.open({ storage, preset, scope: "mia", embedder: hashEmbedder(), clock });
  opened.push(memory);
  return memory;
}

/** Its sweep comes only when it is asked for. */
const ON_DEMAND = `name: on_demand
summary: SimpleMemory, swept on demand.
extends: simple_memory
stages:
  post_insert: { action: forgetting, every_turns: 1000000000, vitality: { policy: strength_counter }, threshold: 1, retention_min: 0, archive_before_delete: true }`;

test("[S3-26] SimpleMemory: passive memories without strength go, active ones never, and tags nobody bears are swept", async () => {
  const memory = await open(await parsePreset(ON_DEMAND, "on-demand.yaml"));
  const kept = [
    { judgment: "Mia likes tea.", tags: ["tea"], strength: 0, pinned: true },
    { judgment: "米娅喜欢咖啡。", tags: ["咖啡"], strength: 1, pinned: false },
  ];
  await memory.remember(kept);
  const { memories } = await memory.remember([
    { judgment: "It rained.", tags: ["rain"], strength: 0, pinned: false },
    { judgment: "昨天很冷。", tags: ["冷"], strength: -2, pinned: false },
  ]);
  const { retired, added, deleted } = await memory.consolidate();
  expect([...retired].sort()).toEqual([...(memories ?? [])].sort());
  expect([added, deleted]).toEqual([[], []]);
  const { entries } = await memory.list();
  expect(entries.map(({ content }) => content)).toEqual(kept.map(({ judgment }) => judgment));
  expect((await memory.recall("Was there rain? 冷吗？")).hits).toEqual([]);
  await memory.forget({ id: memories?.[0] ?? "" });
  expect(await memory.consolidate()).toMatchObject({ added: [], retired: [], deleted: [] });
});

describe("what is due now and then is done now", () => {
  const CLUSTERS = parsePreset(
    `name: clusters
summary: Facts out of groups of alike memories.
defaults: recommended
service: { name: neuromem_vdb, collection_name: clusters }
stages:
  pre_insert: none
  post_insert: { action: consolidate, every_turns: 1000000, similarity_threshold: 0.5, min_size: 3 }`,
    "clusters.yaml",
  );

  test("a group becomes a fact, whatever every_turns says, and is not made twice", async () => {
    const memory = await open(await CLUSTERS);
    for (const at of [1, 2, 3, 4, 5]) await memory.remember(`Mia walked the dog in the park on day ${at}.`);
    const first = await memory.consolidate();
    expect(first.added).toHaveLength(1);
    expect(await memory.get(first.added[0] ?? "")).toMatchObject({ kind: "fact" });
    expect(first.stages.map(({ action }) => action)).toEqual(["consolidate"]);
    expect(await memory.consolidate()).toMatchObject({ added: [], retired: [], deleted: [] });
  });

  test("BIEM makes its facts once", async () => {
    const memory = await open("biem");
    for (const at of [1, 2, 3, 4, 5, 6]) {
      clock.advance(60_000);
      await memory.remember({ speaker: "Mia", text: `I walked the dog in the long park, day ${at}.` });
    }
    await memory.consolidate();
    const { entries } = await memory.list();
    expect(await memory.consolidate()).toMatchObject({ added: [] });
    expect((await memory.list()).entries.map(({ id }) => id)).toEqual(entries.map(({ id }) => id));
  });
});

test("every design can be consolidated, twice, with what a half-done window left", async () => {
  for (const preset of [
    "hybrid",
    "memorybank",
    "memory_os",
    "generative_agents",
    "hipporag",
    "a_mem",
    "memgpt",
  ]) {
    const memory = await open(preset);
    await memory.remember([
      { speaker: "Mia", text: "I moved to Rome in May with my dog Rex." },
      { speaker: "小林", text: "我在杭州学习陶艺，每周三晚上上课。" },
    ]);
    await memory.flush();
    await memory.consolidate();
    const { entries } = await memory.list();
    expect((await memory.consolidate()).added).toEqual([]);
    expect((await memory.list()).entries).toHaveLength(entries.length);
  }
});

test("unknown options are refused, and an abort stops it", async () => {
  const memory = await open("simple_memory");
  await expect(memory.consolidate({ force: true } as object)).rejects.toMatchObject({
    code: "input_invalid",
  });
  await expect(memory.consolidate({ signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: "aborted",
  });
});
