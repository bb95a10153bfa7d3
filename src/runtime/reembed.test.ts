import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { manualClock } from "../base/clock.ts";
import type { NewTurn } from "../base/turn.ts";
import { type EmbedderSet, oneSpace } from "../models/local/embedder-set.ts";
import { parsePreset } from "../preset/load.ts";
import type { Preset } from "../preset/preset.ts";
import { openSqlite } from "../storage/sqlite/sqlite-storage.ts";
import type { Storage } from "../storage/storage.ts";
import { hashEmbedder } from "../testing/hash-embedder.ts";
import { Memory } from "./memory.ts";

const NEW_SPACE = "turned-64";

/** The same nearness in another space: every vector turned round, so that designs decide as before. */
function turnedEmbedder(reads: (text: string) => boolean = () => true): EmbedderSet {
  const plain = hashEmbedder();
  const turned = oneSpace({
    id: NEW_SPACE,
    provider: "test",
    dimension: 64,
    maxBatch: 1000,
    embed: async (texts) => {
      const made = await plain.embedDocuments(texts);
      return made.map((vector) => (vector?.values ?? new Float32Array(64)).toReversed());
    },
  });
  return {
    ...turned,
    async embedDocuments(texts, options) {
      const made = await turned.embedDocuments(texts, options);
      return made.map((vector, place) => (reads(texts[place] ?? "") ? vector : undefined));
    },
  };
}

let folder = "";
let opened: Memory[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "neuromem-reembed-"));
});
afterEach(async () => {
  for (const one of opened) await one.close();
  opened = [];
  await rm(folder, { recursive: true });
});

const clock = manualClock(Date.UTC(2026, 4, 1, 12));

async function open(
  preset: string | Preset,
  embedder: EmbedderSet | undefined,
  file = "memory.db",
): Promise<{ memory: Memory; storage: Storage }> {
  clock.advance(1000);
  const storage = await openSqlite(join(folder, file), { clock });
  const memory = await Memory.open({ storage, preset, scope: "mia", embedder, clock });
  opened.push(memory);
  return { memory, storage };
}

const SAID: readonly NewTurn[] = [
  { speaker: "Mia", text: "I moved to Rome in May. I am a nurse there." },
  { speaker: "Bot", text: "Congratulations on the move!", role: "assistant" as const },
  { speaker: "小明", text: "我在上海开了一家咖啡馆，我喜欢爬山。" },
  { speaker: "Bot", text: "咖啡馆叫什么名字？", role: "assistant" as const },
  { speaker: "Mia", text: "My sister Anna works at the Vatican library." },
  { speaker: "Bot", text: "That is a famous library.", role: "assistant" as const },
].map((turn, at) => ({ ...turn, happenedAt: Date.UTC(2026, 3, 1) + at * 86_400_000 }));

const JUDGED = { judgment: "Mia is allergic to nuts.", tags: ["health", "过敏"] };

/** What is in the new space, and which of its indexes hold it. */
async function inNewSpace({ memory, storage }: { memory: Memory; storage: Storage }): Promise<string[]> {
  const found: string[] = [];
  for (const { name: collection, indexes } of await storage.collections()) {
    const entries = await storage.scan(memory.scope, { collection, limit: 1000, own: true });
    const ids = entries.map(({ id }) => id);
    const nameOf = new Map(indexes.map(({ number, name }) => [number, name]));
    const memberships = await storage.memberships(memory.scope, ids);
    const spaces = indexes
      .map(({ options }) => String(options.space))
      .filter((one) => one.startsWith(NEW_SPACE));
    for (const space of new Set(spaces)) {
      const vectors = await storage.vectors(memory.scope, space, ids);
      for (const [place, { kind, content }] of entries.entries()) {
        const values = vectors[place]?.map((value) => Math.round(value * 1000));
        const homes = (memberships[place] ?? []).map((number) => nameOf.get(number) ?? "").sort();
        found.push(
          JSON.stringify([
            kind,
            content,
            space,
            values === undefined ? null : [...values],
            homes.filter((name) => name.includes(NEW_SPACE)),
          ]),
        );
      }
    }
  }
  return found.sort();
}

test("after a change of the embedder old memories are found by meaning again, in both languages", async () => {
  const { memory: before } = await open("dense", hashEmbedder());
  await before.remember(SAID);
  expect((await before.recall("moved to Rome")).hits.length).toBeGreaterThan(0);
  await before.close();
  const { memory } = await open("dense", turnedEmbedder());
  expect((await memory.recall("I moved to Rome in May")).hits).toEqual([]);
  const seen: [number, number][] = [];
  const done = await memory.reembed({ onProgress: (...told) => seen.push(told) });
  expect(done).toEqual({ entries: SAID.length, kept: 0, left: 0, spaces: [NEW_SPACE] });
  expect(seen.at(-1)).toEqual([SAID.length, SAID.length]);
  expect((await memory.recall("I moved to Rome in May")).hits[0]?.content).toContain("Rome");
  expect((await memory.recall("上海的咖啡馆")).hits[0]?.content).toContain("上海");
  expect(await memory.reembed()).toEqual({ entries: 0, kept: SAID.length, left: 0, spaces: [] });
});

const EMOTIONS_TOO = await parsePreset(
  `name: fields
summary: A vector for each of several texts.
defaults: recommended
service: { name: neuromem_vdb, collection_name: fields }
stages:
  pre_insert:
    - { action: extract, extract_type: keyword }
    - action: multi_embed
      output: dict
      fields: [{ name: content, field: content }, { name: words, field: keywords }, { name: mood, field: emotion }]
  memory_insert: multi_index_insert
  pre_retrieval: embedding`,
  "fields.yaml",
);

test.each<[string, string | Preset]>([
  ["hybrid", "hybrid"],
  ["mem0", "mem0"],
  ["a_mem", "a_mem"],
  ["secom", "secom"],
  ["scm", "scm"],
  ["tim", "tim"],
  ["ld_agent", "ld_agent"],
  ["memorybank", "memorybank"],
  ["memory_os", "memory_os"],
  ["memgpt", "memgpt"],
  ["hipporag2", "hipporag2"],
  ["mem0g", "mem0g"],
  ["biem", "biem"],
  ["generative_agents", "generative_agents"],
  ["simplemem", "simplemem"],
  ["emotional_rag", "emotional_rag"],
  ["several fields", EMOTIONS_TOO],
])(
  "%s: what is embedded anew is what the new embedder would have made from the start",
  async (_, preset) => {
    const old = await open(preset, hashEmbedder());
    await old.memory.remember([...SAID, JUDGED]);
    await old.memory.flush();
    await old.memory.close();
    const anew = await open(preset, turnedEmbedder());
    expect((await anew.memory.reembed()).entries).toBeGreaterThan(0);
    const fresh = await open(preset, turnedEmbedder(), "fresh.db");
    await fresh.memory.remember([...SAID, JUDGED]);
    await fresh.memory.flush();
    expect(await inNewSpace(anew)).toEqual(await inNewSpace(fresh));
  },
  30_000,
);

test("it stops when told to, goes on where it was, and leaves alone what nobody reads", async () => {
  const { memory: before } = await open("hybrid", hashEmbedder());
  await before.remember(Array.from({ length: 300 }, (_, at) => (at % 3 === 0 ? `笔记 ${at}` : `note ${at}`)));
  await before.close();
  const { memory } = await open(
    "hybrid",
    turnedEmbedder((text) => !text.includes("笔记")),
  );
  const stop = new AbortController();
  const stopped = memory.reembed({ signal: stop.signal, onProgress: () => stop.abort() });
  await expect(stopped).rejects.toMatchObject({ code: "aborted" });
  const rest = await memory.reembed();
  expect(rest.entries).toBeLessThan(200);
  expect(rest.entries).toBeGreaterThan(0);
  expect(rest.entries + rest.kept).toBe(300);
  expect(await memory.reembed()).toMatchObject({ entries: 0, kept: 300 });
});

test("one vector of several texts cannot be made again from the entry: it is left for a rebuild", async () => {
  const sum = await parsePreset(
    `name: sum
summary: One vector of several texts.
defaults: recommended
service: { name: neuromem_vdb, collection_name: sum }
stages:
  pre_insert:
    - { action: extract, extract_type: keyword }
    - { action: multi_embed, output: concat, fields: [{ field: content, weight: 1 }, { field: keywords, weight: 1 }] }
  memory_insert: multi_index_insert
  pre_retrieval: embedding`,
    "sum.yaml",
  );
  const { memory: before } = await open(sum, hashEmbedder());
  await before.remember("I moved to Rome.");
  await before.close();
  const { memory } = await open(sum, turnedEmbedder());
  expect(await memory.reembed()).toEqual({ entries: 0, kept: 0, left: 1, spaces: [] });
});

const blend = (more = "", before = "", insert = "default") =>
  parsePreset(
    `name: blend
summary: Vectors that are blends.
defaults: recommended
input: { window: { by: turns, size: 1, context: 1 } }
service: { name: neuromem_vdb, collection_name: blend }
stages:
  pre_insert: [${before}{ action: blend_embed${more} }]
  memory_insert: ${insert}
  pre_retrieval: embedding`,
    "blend.yaml",
  );

/** Several sentences, captions, two languages, a judged memory between two turns, and a second session. */
const TALK = [
  { speaker: "Mia", text: "I moved to Rome in May. I am a nurse there.", captions: ["a white hospital"] },
  { judgment: "Mia lives in Rome.", tags: ["home"] },
  { speaker: "Bot", text: "How do you like your new home?", role: "assistant" as const },
  { speaker: "小明", text: "我去年在上海开了一家咖啡馆。我和朋友周末喜欢去爬山。" },
  { speaker: "Mia", text: "My sister Anna works at the library. She reads a lot.", session: "two" },
  { speaker: "Bot", text: "That is a famous library. What does she read?", session: "two" },
];

test("blended vectors are made again of the same texts, the turn before among them", async () => {
  const preset = await blend();
  const old = await open(preset, hashEmbedder());
  await old.memory.remember(TALK);
  await old.memory.close();
  const anew = await open(preset, turnedEmbedder());
  expect(await anew.memory.reembed()).toEqual({ entries: 6, kept: 0, left: 0, spaces: [NEW_SPACE] });
  const fresh = await open(preset, turnedEmbedder(), "fresh.db");
  await fresh.memory.remember(TALK);
  const made = await inNewSpace(anew);
  expect(made).toEqual(await inNewSpace(fresh));
  // Each part counted: without it the same talk has other vectors.
  for (const [place, more] of [", sentence_weight: 0", ", before_weight: 0"].entries()) {
    const other = await open(await blend(more), turnedEmbedder(), `other-${place}.db`);
    await other.memory.remember(TALK);
    const same = (await inNewSpace(other)).filter((one) => made.includes(one));
    expect(same.length).toBeLessThan(made.length - 1);
  }
});

test("a blend of what was reworded cannot be made again: it is left for a rebuild, never embedded otherwise", async () => {
  const chunks = "{ action: transform, transform_type: chunking, chunk_size: 8, chunk_overlap: 0 }, ";
  const preset = await blend("", chunks, "[default, chunk_insert]");
  const { memory: before } = await open(preset, hashEmbedder());
  await before.remember([TALK[0] ?? "", TALK[1] ?? ""]);
  await before.close();
  const anew = await open(preset, turnedEmbedder());
  const { entries, left } = await anew.memory.reembed();
  expect(left).toBeGreaterThan(1);
  // Only what was judged, which is no blend.
  expect(entries).toBe(1);
  const filled = (await inNewSpace(anew)).filter((one) => !one.includes("null"));
  expect(filled).toHaveLength(1);
  expect(filled[0]).toContain("Mia lives in Rome.");
});

test("a design that embeds nothing says so; unknown options are refused", async () => {
  const { memory } = await open("simple_memory", undefined);
  await expect(memory.reembed()).rejects.toMatchObject({ code: "missing_dependency" });
  const given = { progress: 1 } as unknown as Parameters<typeof memory.reembed>[0];
  await expect(memory.reembed(given)).rejects.toMatchObject({ code: "input_invalid" });
});
