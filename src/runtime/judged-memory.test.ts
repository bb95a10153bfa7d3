import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { manualClock } from "../base/clock.ts";
import { listPresets, parsePreset } from "../preset/load.ts";
import type { Preset } from "../preset/preset.ts";
import { openSqlite } from "../storage/sqlite/sqlite-storage.ts";
import { sharedEmbedder } from "../testing/preset-world.ts";
import { Memory } from "./memory.ts";

const folders: string[] = [];
const opened: Memory[] = [];
afterEach(async () => {
  for (const memory of opened.splice(0)) await memory.close();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

async function open(preset: string | Preset): Promise<Memory> {
  const folder = await mkdtemp(join(tmpdir(), "neuromem-judged-"));
  folders.push(folder);
  const clock = manualClock(Date.UTC(2026, 4, 1));
  const storage = await openSqlite(join(folder, "memory.db"), { clock });
  const embedder = await sharedEmbedder();
  const memory = await Memory.open({ storage, preset, scope: "mia", embedder, clock });
  opened.push(memory);
  return memory;
}

const ENGLISH = {
  judgment: "Mia is allergic to peanuts and carries an adrenaline pen.",
  reasoning: "She said so when we planned dinner.",
  type: "knowledge",
  tags: ["Mia", "peanuts", "allergy"],
  importance: 0.9,
  metadata: { file: { name: "A-7", pages: [1, 2] } },
} as const;
const CHINESE = {
  judgment: "小林每周三晚上在杭州学习陶艺。",
  reasoning: "他聊到周三没空。",
  type: "event",
  tags: ["小林", "陶艺", "杭州"],
} as const;

describe("every design finds a judged memory as it was worded", async () => {
  for (const name of await listPresets()) {
    test(name, { timeout: 60_000 }, async () => {
      const memory = await open(name);
      await memory.remember([
        { speaker: "Mia", text: "We could go out for dinner on Friday." },
        { speaker: "小林", text: "周五我可以一起去。" },
      ]);
      for (const [judged, question] of [
        [ENGLISH, "What is Mia allergic to? Peanuts?"],
        [CHINESE, "小林在杭州学习什么陶艺？"],
      ] as const) {
        const { memories, delayed } = await memory.remember(judged);
        expect(delayed).toBeNull();
        expect(memories?.length).toBeGreaterThan(0);
        const { hits } = await memory.recall(question);
        const hit = hits.find(({ id }) => id === memories?.[0]);
        expect(hit).toMatchObject({
          content: judged.judgment,
          text: expect.stringContaining(judged.judgment),
          kind: judged.type,
          rationale: judged.reasoning,
          pinned: true,
        });
        expect(hit?.tags).toEqual(expect.arrayContaining([...judged.tags]));
        expect(hit?.metadata.own).toEqual("metadata" in judged ? judged.metadata : undefined);
      }
    });
  }
});

test("what says the same with the same fields is one memory, with others another, and a rebuild tells them apart", async () => {
  const memory = await open("neuromem");
  const judgment = "小林住在杭州。";
  const plain = await memory.remember({ judgment });
  const one = await memory.remember({ judgment, metadata: { key: "一", part: { a: 1, b: 2 } } });
  const other = await memory.remember({ judgment, metadata: { key: "二", part: { a: 1, b: 2 } } });
  const again = await memory.remember({ judgment, metadata: { part: { b: 2, a: 1 }, key: "一" } });
  expect(again.memories).toEqual(one.memories);
  expect(new Set([plain, one, other].map(({ memories }) => memories?.[0])).size).toBe(3);
  expect((await memory.remember({ judgment })).memories).toEqual(plain.memories);
  // What is erased of one leaves the others as they are.
  await memory.forget({ id: one.memories?.[0] ?? "" });
  await memory.rebuild();
  const { entries } = await memory.list();
  expect(entries.map(({ metadata }) => metadata.own)).toEqual([
    undefined,
    { key: "二", part: { a: 1, b: 2 } },
  ]);
  const odd: unknown = { judgment, metadata: { bell: "\u0007" } };
  await expect(memory.remember(odd as string)).rejects.toThrow("judged memory's metadata");
});

describe("actions that reword or split pass it by", () => {
  for (const action of [
    "{ action: transform, transform_type: chunking, chunk_size: 16, chunk_overlap: 0 }",
    "{ action: transform, transform_type: topic_segment }",
    "{ action: transform, transform_type: summarize, summary_max_tokens: 3 }",
    "{ action: transform, transform_type: with_previous, speakers: [Nobody] }",
    "{ action: tri_embed, entry: triple }",
    "{ action: multi_embed, output: separate, fields: [{ field: content }, { field: keywords }] }",
    "[keyword, { action: transform, transform_type: fact_extract }, { action: score, score_type: importance }]",
  ]) {
    test(action, async () => {
      const preset = await parsePreset(
        `name: t
summary: test
defaults: recommended
service: { name: neuromem_vdb, collection_name: t }
stages: { pre_insert: ${action} }`,
        "t.yaml",
      );
      const memory = await open(preset);
      await memory.remember([ENGLISH, CHINESE]);
      const { entries } = await memory.list();
      expect(entries.map(({ content }) => content)).toEqual([ENGLISH.judgment, CHINESE.judgment]);
      expect(entries.map(({ kind }) => kind)).toEqual(["knowledge", "event"]);
      // Who worded it said what it matters.
      expect(entries[0]?.importance).toBe(0.9);
    });
  }
});
