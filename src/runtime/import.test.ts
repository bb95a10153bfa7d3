/** What was exported comes back as it was: the journal, the memories, and every answer. */
import { createHash } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { manualClock } from "../base/clock.ts";
import type { NewTurn } from "../base/turn.ts";
import type { Vector } from "../base/vector.ts";
import { makeWork } from "../collection/insert.ts";
import type { EmbedderSet } from "../models/local/embedder-set.ts";
import { openInMemory } from "../storage/memory.ts";
import { openSqlite } from "../storage/sqlite/sqlite-storage.ts";
import type { Storage } from "../storage/storage.ts";
import { hashEmbedder } from "../testing/hash-embedder.ts";
import { Memory } from "./memory.ts";
import type { MemoryOptions } from "./memory-options.ts";

const SLOW = 120_000;
const START = Date.UTC(2026, 4, 1, 12, 34, 56, 789);
let folder = "";
let closing: { close(): Promise<void> }[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "neuromem-bundle-"));
});
afterEach(async () => {
  for (const one of closing.reverse()) await one.close();
  closing = [];
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

interface World {
  readonly memory: Memory;
  readonly storage: Storage;
  readonly clock: ReturnType<typeof manualClock>;
}

async function open(name: string, options: Partial<MemoryOptions> = {}): Promise<World> {
  const clock = manualClock(START);
  const storage = await openSqlite(join(folder, `${name}.db`), { clock });
  const memory = await Memory.open({
    ...{ storage, clock, preset: "hybrid", scope: "mia", embedder: hashEmbedder() },
    ...options,
  });
  closing.push(memory);
  return { memory, storage, clock };
}

/** The same vectors under another name. */
function renamedEmbedder(space: string): EmbedderSet {
  const { spaces, embedDocument, embedDocuments, embedQuery } = hashEmbedder();
  const named = <V extends Vector | undefined>(vector: V): V =>
    vector === undefined ? vector : { ...vector, space };
  return {
    spaces: spaces.map((one) => ({ ...one, space })),
    embedDocument: async (...given) => named(await embedDocument(...given)),
    embedDocuments: async (...given) => (await embedDocuments(...given)).map(named),
    embedQuery: async (text) => (await embedQuery(text)).map(named),
  };
}

const TALK: readonly NewTurn[] = [
  {
    speaker: "Mia",
    text: "I moved to Rome yesterday.",
    happenedAt: Date.UTC(2023, 4, 8, 10, 0, 0, 1),
    session: "s1",
  },
  {
    speaker: "Ben",
    text: "Mia works at the library in Rome. Rome is in Italy.",
    session: "s1",
    zone: "Europe/Rome",
  },
  { speaker: "王芳", text: "我住在成都，我喜欢吃火锅。", happenedAt: Date.UTC(2023, 4, 9), session: "s2" },
  { speaker: "王芳", text: "上周我去了重庆。", captions: ["一张火锅的照片"], session: "s2" },
  {
    speaker: "Mia",
    text: "I moved to Milan. I do not live in Rome any more. 🌍",
    session: "s3",
    metadata: { mood: "good" },
  },
  { speaker: "Ben", text: "Ben is allergic to almonds.\r\nAnd to walnuts.", session: "s3" },
];
const QUESTIONS = ["Where does Mia live?", "谁喜欢火锅？", "What is Ben allergic to?", "Rome"];

async function told(world: World): Promise<World> {
  for (const turn of TALK) {
    await world.memory.remember(turn);
    world.clock.advance(61_001);
  }
  await world.memory.flush();
  return world;
}

async function bundle({ memory }: World, options?: { vectors: boolean }): Promise<string[]> {
  return Array.fromAsync(memory.export(options));
}

async function answers({ memory }: World, at: number): Promise<unknown[]> {
  const all = [];
  for (const question of QUESTIONS) {
    const { hits, context } = await memory.recall(question, { at });
    all.push({
      context,
      hits: hits.map(({ id, text, score, scoreParts }) => ({ id, text, score, scoreParts })),
    });
  }
  return all;
}

const PRESETS = [
  "neuromem",
  "hybrid",
  "mem0",
  "hipporag2",
  "simple_memory",
  "memory_os",
  "a_mem",
  "memorybank",
  "biem",
];

describe("into an empty memory", () => {
  test.each(PRESETS)(
    "%s answers the same: the same ids, order and scores",
    { timeout: SLOW },
    async (preset) => {
      const from = await told(await open("from", { preset }));
      const lines = await bundle(from);
      const to = await open("to", { preset });
      to.clock.set(from.clock.now());
      const imported = await to.memory.import(lines);
      expect(imported).toMatchObject({ path: "restored", turns: TALK.length, known: 0 });
      expect(await to.memory.status()).toMatchObject({ waiting: (await from.memory.status()).waiting });
      const now = from.clock.now();
      const expected = await answers(from, now);
      expect(await answers(to, now)).toEqual(expected);
      expect(expected.some((answer) => JSON.stringify(answer).includes("Milan"))).toBe(true);
    },
  );

  test.each(["memory_os", "memgpt", "table/scm", "biem"])(
    "%s goes on where it was: what its queues give up next is the same",
    { timeout: SLOW },
    async (preset) => {
      const from = await open("from", { preset });
      const more = async (world: World, first: number, last: number): Promise<void> => {
        for (let at = first; at <= last; at++) {
          await world.memory.remember({
            speaker: at % 2 ? "Mia" : "王芳",
            text: `fact ${at}: 第${at}件事 about Rome`,
          });
          world.clock.advance(60_000);
        }
      };
      await more(from, 1, 25);
      const to = await open("to", { preset });
      to.clock.set(from.clock.now());
      expect(await to.memory.import(await bundle(from))).toMatchObject({ path: "restored" });
      for (const world of [from, to]) await more(world, 26, 40);
      const told = async (world: World) => {
        const { hits, context } = await world.memory.recall("Rome 第30件事", { at: from.clock.now() });
        return { context, hits: hits.map(({ text, score }) => ({ text, score })) };
      };
      expect(await told(to)).toEqual(await told(from));
      const kept = async (world: World) =>
        (await entries(world, world.memory.preset)).map(({ content, tier }) => ({ content, tier }));
      expect(await kept(to)).toEqual(await kept(from));
    },
  );

  test("everything is there to the last field, and a second export is the first", async () => {
    const from = await told(await open("from", { preset: "mem0" }));
    const lines = await bundle(from);
    const to = await open("to", { preset: "mem0" });
    to.clock.set(from.clock.now());
    vi.stubEnv("TMPDIR", folder);
    // Through a file, as lines of a stream.
    await to.memory.import(stream(lines));
    expect(await bundle(to)).toEqual(lines);
    expect((await readdir(folder)).filter((name) => name.startsWith("neuromem-import-"))).toEqual([]);
  });
});

async function* stream(lines: readonly string[]): AsyncGenerator<string, void> {
  for (const line of lines) yield `${line}\n`;
}

async function entries({ memory, storage }: World, preset = "hybrid") {
  const { collection } = await memory.status();
  expect(preset).toBe(memory.preset);
  return storage.scan(memory.scope, { collection, limit: 1000, own: true });
}

describe("into a memory that has something", () => {
  test("the same bundle again adds nothing; a longer one adds what is new", async () => {
    const from = await told(await open("from"));
    const first = await bundle(from);
    const to = await open("to");
    await to.memory.import(first);
    const before = await bundle(to, { vectors: false });
    expect(await to.memory.import(first)).toEqual({
      ...{ turns: 0, entries: 0, edges: 0, path: "restored" },
      known: 2 * TALK.length,
    });
    expect((await bundle(to, { vectors: false })).slice(1)).toEqual(before.slice(1));

    await from.memory.remember({ speaker: "Ben", text: "我也搬到了米兰。" });
    expect(await to.memory.import(await bundle(from))).toMatchObject({
      turns: 1,
      entries: 1,
      path: "restored",
    });
    expect((await to.memory.recall("米兰")).hits[0]?.text).toBe("Ben: 我也搬到了米兰。");
    expect(await to.memory.status()).toMatchObject({ waiting: 0, storage: { entries: 7 } });
  });

  test("what was there stays, what waits is taken up first, and both are found", async () => {
    const preset = "mem0";
    const lines = await bundle(await told(await open("from", { preset })));
    const to = await open("to", { preset });
    await to.memory.remember({ speaker: "Ann", text: "I collect stamps from Peru." }, { wait: "journal" });
    await to.memory.import(lines);
    expect((await to.memory.recall("stamps from Peru")).hits[0]?.content).toContain("stamps");
    expect((await to.memory.recall("火锅")).hits[0]?.content).toContain("火锅");
    expect(await to.memory.status()).toMatchObject({ waiting: 0 });
  });

  test(
    "an id that another scope has taken is given anew, with all that refers to it; again it adds nothing",
    async () => {
      const preset = "hipporag2";
      const world = await told(await open("both", { preset }));
      const lines = await bundle(world);
      const bob = { ...world, memory: world.memory.in("bob") };
      const imported = await bob.memory.import(lines);
      expect(imported).toMatchObject({ turns: TALK.length, known: 0, path: "restored" });
      const [own, others] = [await entries(bob, preset), await entries(world, preset)];
      expect(own).toHaveLength(others.length);
      expect(own.map(({ content }) => content)).toEqual(others.map(({ content }) => content));
      const ids = new Set<string>(others.map(({ id }) => id));
      const turns = await world.storage.turns(bob.memory.scope, { limit: 100 });
      const said = new Set<string>(turns.map(({ id }) => id));
      expect(own.some(({ id }) => ids.has(id))).toBe(false);
      const memories = own.filter(({ sources }) => sources.length > 0);
      expect(memories.every(({ sources }) => sources.every((source) => said.has(source)))).toBe(true);
      const asText = (answer: unknown[]) => JSON.stringify(answer).replaceAll(/"id":"[^"]+"/g, "");
      const now = world.clock.now();
      expect(asText(await answers(bob, now))).toBe(asText(await answers(world, now)));

      expect(await bob.memory.import(lines)).toMatchObject({
        turns: 0,
        entries: 0,
        edges: 0,
        path: "restored",
      });
      expect(await entries(bob, preset)).toHaveLength(own.length);
    },
    SLOW,
  );

  test("a thing of which both speak is one node", { timeout: SLOW }, async () => {
    const preset = "hipporag2";
    const lines = await bundle(await told(await open("from", { preset })));
    const to = await open("to", { preset });
    await to.memory.remember({ speaker: "Ann", text: "Rome is in Italy. Ann lives in Rome." });
    await to.memory.import(lines);
    const nodes = (await entries(to, preset)).filter(({ kind }) => kind === "entity");
    const names = nodes.map(({ metadata }) => metadata.name);
    expect(names).toContain("rome");
    expect(new Set(names).size).toBe(names.length);
    const { hits } = await to.memory.recall("Who lives in Rome?");
    expect(hits.map(({ content }) => content).join()).toMatch(/Ann/);
  });

  test("what waits to be decided about a memory waits here, too, under the id it has here", async () => {
    const world = await told(await open("both"));
    const [one, other] = await entries(world);
    if (one === undefined || other === undefined) throw new Error("two memories");
    const payload = { similar: [other.id], why: "两者相似" };
    const job = makeWork(one.collection, one.id, { name: "link", payload }, world.clock.now());
    await world.storage.commit(world.memory.scope, [{ op: "job-put", job }], {
      actor: "test",
      cause: "test",
    });
    const bob = { ...world, memory: world.memory.in("bob") };
    await bob.memory.import(await bundle(world));
    const [first, second] = await entries(bob);
    const kind = job.kind;
    const jobs = await world.storage.jobs.list(bob.memory.scope, { kind, own: true });
    expect(jobs).toMatchObject([
      {
        id: job.id.replace(one.id, first?.id ?? ""),
        subject: first?.id,
        payload: { entry: first?.id, similar: [second?.id], why: "两者相似", name: "link" },
      },
    ]);
  });

  test("what took a memory's place elsewhere takes it here", async () => {
    const from = await open("from");
    await from.memory.remember("Mia lives in Rome.");
    const to = await open("to");
    await to.memory.import(await bundle(from));
    from.clock.advance(1000);
    await from.memory.remember("Mia lives in Milan.");
    const [old, fresh] = await entries(from);
    if (old === undefined || fresh === undefined) throw new Error("two memories");
    const { collection } = await from.memory.status();
    const write = { op: "entry-update" as const, id: old.id, fields: { supersededBy: fresh.id } };
    await from.storage.commit(from.memory.scope, [write], { actor: "test", cause: "test" }, { collection });
    await to.memory.import(await bundle(from));
    expect((await to.memory.recall("Where does Mia live?")).hits.map(({ text }) => text)).toEqual([
      "Mia lives in Milan.",
    ]);
  });
});

describe("another design, another embedder", () => {
  test("another design takes the journal in and makes its own memories of it", async () => {
    const lines = await bundle(await told(await open("from", { preset: "mem0" })));
    const to = await open("to", { preset: "bm25" });
    expect(await to.memory.import(lines)).toMatchObject({ turns: TALK.length, entries: 0, path: "derived" });
    expect(await to.memory.status()).toMatchObject({ waiting: 0 });
    const [hit] = (await to.memory.recall("谁住在成都？")).hits;
    expect(hit?.text).toContain("我喜欢吃火锅");
    expect(hit?.happenedAt).toBe(Date.UTC(2023, 4, 9));
    expect(await to.memory.import(lines)).toMatchObject({ turns: 0, path: "derived" });
    expect(await entries(to, "bm25")).toHaveLength(TALK.length);
  });

  test("a design that comes to a journal that another's import brought restores its memories, once", async () => {
    const lines = await bundle(await told(await open("from", { preset: "mem0" })));
    const other = await open("to", { preset: "bm25" });
    await other.memory.import(lines);
    await other.memory.close();
    const to = await open("to", { preset: "mem0" });
    expect(await to.memory.import(lines)).toMatchObject({ turns: 0, known: TALK.length, path: "restored" });
    expect(await to.memory.flush()).toMatchObject({ turns: 0 });
    const restored = await entries(to, "mem0");
    expect(restored.length).toBeGreaterThan(0);
    expect(await to.memory.import(lines)).toMatchObject({ entries: 0 });
    expect(await entries(to, "mem0")).toEqual(restored);
  });

  test("a design that has made its own memories of the same turns does not get them twice", async () => {
    const lines = await bundle(await told(await open("from", { preset: "mem0" })));
    const other = await open("to", { preset: "bm25" });
    await other.memory.import(lines);
    await other.memory.close();
    const to = await open("to", { preset: "mem0" });
    await to.memory.flush();
    const own = await entries(to, "mem0");
    expect(await to.memory.import(lines)).toMatchObject({ turns: 0, entries: 0, path: "derived" });
    expect(await entries(to, "mem0")).toEqual(own);
  });

  test("a design that has made its own memories of some of the turns makes them of the rest, too", async () => {
    const from = await told(await open("from", { preset: "mem0" }));
    const lines = await bundle(from);
    await from.memory.remember("My sister Anna works in Berlin.");
    const longer = await bundle(from);
    for (const [preset, brought] of [
      ["bm25", lines],
      ["mem0", undefined],
      ["bm25", longer],
    ] as const) {
      const { memory } = await open("to", { preset, background: false });
      if (brought === undefined) await memory.flush();
      else await memory.import(brought);
      await memory.close();
    }
    const to = await open("to", { preset: "mem0", background: false });
    expect(await to.memory.import(longer)).toMatchObject({ path: "derived" });
    expect((await to.memory.recall("Where does Anna work?")).hits[0]?.text).toContain("Berlin");
  });

  test.each(["hybrid", "hipporag2", "memory_os", "a_mem"])(
    "%s without vectors: the embedder at work makes them, and the answers are the same",
    { timeout: SLOW },
    async (preset) => {
      const from = await told(await open("from", { preset }));
      const to = await open("to", { preset });
      to.clock.set(from.clock.now());
      expect(await to.memory.import(await bundle(from, { vectors: false }))).toMatchObject({
        path: "restored",
      });
      expect((await to.storage.stats()).vectors).toBe((await from.storage.stats()).vectors);
      const now = from.clock.now();
      expect(await answers(to, now)).toEqual(await answers(from, now));
    },
  );

  test("vectors of another embedder are left behind, and made anew", async () => {
    const from = await told(await open("from"));
    const embedder = renamedEmbedder("another-64");
    const to = await open("to", { embedder });
    expect(await to.memory.import(await bundle(from))).toMatchObject({
      path: "restored",
      entries: TALK.length,
    });
    const [hit] = (await to.memory.recall("火锅", {})).hits;
    expect(hit?.content).toContain("火锅");
    const ids = (await entries(to)).map(({ id }) => id);
    expect(await to.storage.vectors(to.memory.scope, "hash-64", ids)).toEqual(ids.map(() => undefined));
    expect(await to.storage.vectors(to.memory.scope, "another-64", ids)).not.toContain(undefined);
  });

  test("what was judged is as it was, and is not taken up again", async () => {
    const preset = "simplemem";
    const from = await open("from", { preset });
    await from.memory.remember("We talked about boats.", { wait: "journal" });
    await from.memory.remember({
      judgment: "米娅对杏仁过敏。",
      tags: ["过敏", "Mia"],
      type: "knowledge",
      happenedAt: 1,
    });
    const to = await open("to", { preset });
    await to.memory.import(await bundle(from));
    expect(await to.memory.status()).toMatchObject({ waiting: 1 });
    await to.memory.flush();
    const judged = (await entries(to, preset)).filter(({ content }) => content.includes("杏仁"));
    expect(judged).toMatchObject([{ tags: ["Mia", "过敏"], happenedAt: 1, pinned: true }]);
  });

  test("turns that waited for their window wait here, too, and are taken up once", async () => {
    const preset = "simplemem";
    const from = await open("from", { preset });
    await from.memory.remember(TALK);
    expect(await from.memory.status()).toMatchObject({ waiting: TALK.length });
    const to = await open("to", { preset });
    expect(await to.memory.import(await bundle(from))).toMatchObject({
      turns: TALK.length,
      path: "restored",
    });
    expect(await to.memory.status()).toMatchObject({ waiting: TALK.length });
    expect(await to.memory.flush()).toMatchObject({ turns: TALK.length });
  });
});

describe("a bundle that is not whole", () => {
  async function whole(): Promise<string[]> {
    return bundle(await told(await open("from")), { vectors: false });
  }
  const refused = async (lines: Iterable<string>, what: RegExp): Promise<void> => {
    const to = await open("to");
    await expect(to.memory.import(stream([...lines]))).rejects.toMatchObject({
      code: "input_invalid",
      message: expect.stringMatching(what),
    });
    expect(await to.memory.status()).toMatchObject({ storage: { turns: 0, entries: 0 } });
    await to.memory.close();
  };

  test(
    "is refused with its line, and nothing was changed",
    async () => {
      const lines = await whole();
      await refused(lines.slice(0, -1), /was cut: it has 13 lines and no end.*Nothing was imported/);
      await refused(
        [...lines.slice(0, 4), (lines[4] ?? "").slice(0, 40)],
        /Line 5 of the bundle is no JSON: it was cut/,
      );
      await refused(
        [...lines.slice(0, 3), ...lines.slice(4)],
        /Line 13 of the bundle counts 6 turns, but there are 5/,
      );
      await refused(
        lines.with(2, (lines[2] ?? "").replace("library", "bakery")),
        /Line 14.*they were changed/,
      );
      await refused(
        [...lines.slice(0, 3), ...lines.slice(2)],
        /Line 4 of the bundle has the id .* a second time/,
      );
      await refused([...lines, ...lines], /Line 15 of the bundle comes after the end/);
      await refused([lines[0] ?? "", ...lines.slice(7)], /counts 6 turns/);
      await refused([], /has 0 lines and no end/);
      await refused(
        ["{}"],
        /first line is no header\. Valid: \{"line":"header","format":"neuromem","version":1/,
      );
      await refused(
        lines.with(0, (lines[0] ?? "").replace('"version":1', '"version":2')),
        /has version 2; this neuromem reads version 1/,
      );
      await refused(
        lines.with(1, (lines[1] ?? "").replace('"speaker"', '"spaeker"')),
        /line 2 of the bundle is not valid.*spaeker/,
      );
    },
    SLOW,
  );

  test("options and lines of another kind are refused", async () => {
    const { memory } = await open("to");
    await expect(memory.import(null as unknown as string[])).rejects.toMatchObject({ code: "input_invalid" });
    await expect(memory.import([1] as unknown as string[])).rejects.toMatchObject({ code: "input_invalid" });
    const bad = { onProgres: () => undefined } as object;
    await expect(memory.import([], bad)).rejects.toMatchObject({ code: "input_invalid" });
    await expect(Array.fromAsync(memory.export({ vector: true } as object))).rejects.toMatchObject({
      code: "input_invalid",
      message: expect.stringContaining("vector"),
    });
  });

  test("the text of a file is as good as its lines", async () => {
    const lines = await bundle(await told(await open("from")));
    const to = await open("to");
    expect(await to.memory.import(`\uFEFF${lines.join("\r\n")}\r\n`)).toMatchObject({ entries: TALK.length });
  });
});

test(
  "an import that was stopped is completed by the same import",
  async () => {
    const from = await open("from");
    const many = Array.from({ length: 700 }, (_, at) => ({
      speaker: "Mia",
      text: `note ${at} about 第${at}天`,
    }));
    await from.memory.remember(many);
    const lines = await bundle(from);
    const to = await open("to");
    const stop = new AbortController();
    const onProgress = (done: number) => {
      if (done >= 1200) stop.abort();
    };
    await expect(to.memory.import(stream(lines), { onProgress, signal: stop.signal })).rejects.toMatchObject({
      code: "aborted",
    });
    const half = (await to.memory.status()).storage;
    expect(half.entries).toBeGreaterThan(0);
    expect(half.entries).toBeLessThan(many.length);
    const seen: number[] = [];
    expect(await to.memory.import(stream(lines), { onProgress: (done) => seen.push(done) })).toMatchObject({
      path: "restored",
      entries: many.length - half.entries,
    });
    expect(seen.at(-1)).toBe(lines.length);
    expect(await to.memory.status()).toMatchObject({ waiting: 0, storage: { turns: 700, entries: 700 } });
    expect((await bundle(to)).slice(1, -1)).toEqual(lines.slice(1, -1));
  },
  SLOW,
);

test("what is said while a bundle comes in is taken up, too", { timeout: SLOW }, async () => {
  const preset = "bm25";
  const from = await open("from", { preset });
  await from.memory.remember(Array.from({ length: 1100 }, (_, at) => `note ${at} 笔记`));
  const to = await open("to", { preset });
  const said: Promise<unknown>[] = [];
  const onProgress = (done: number) => {
    if (done <= 800) said.push(to.memory.remember(`during ${done}: 我在说话`, { wait: "journal" }));
  };
  expect(await to.memory.import(await bundle(from), { onProgress })).toMatchObject({ path: "restored" });
  await Promise.all(said);
  expect(said.length).toBe(4);
  await to.memory.flush();
  expect(await to.memory.status()).toMatchObject({ waiting: 0, storage: { turns: 1104, entries: 1104 } });
  expect((await to.memory.recall("说话", { limit: 10 })).hits).toHaveLength(4);
});

test("a bundle that somebody made up cannot harm: circles, foreign jobs, vectors that are none", async () => {
  const lines = await bundle(await told(await open("from")));
  const forged = (change: (line: Record<string, unknown>) => Record<string, unknown>): string[] => {
    const changed = lines.slice(0, -1).map((line) => JSON.stringify(change(JSON.parse(line))));
    const text = changed.map((line) => `${line}\n`).join("");
    const sha256 = createHash("sha256").update(text).digest("hex");
    return [...changed, JSON.stringify({ ...JSON.parse(lines.at(-1) ?? ""), sha256 })];
  };
  const of = (type: string, more: (line: Record<string, unknown>) => Record<string, unknown>): string[] =>
    forged((line) => (line.line === type ? { ...line, ...more(line) } : line));
  const to = await open("to");
  const refused = (bad: string[], what: string): Promise<void> =>
    expect(to.memory.import(bad)).rejects.toMatchObject({ message: expect.stringContaining(what) });
  await refused(
    of("entry", ({ id }) => ({ supersededBy: id })),
    "replaces itself",
  );
  const [entry] = lines.filter((line) => line.startsWith('{"line":"entry"')).map((line) => JSON.parse(line));
  const work = {
    line: "work",
    id: "derive/hybrid/mia",
    entry: entry.id,
    payload: {},
    runAt: entry.createdAt,
  };
  await refused([...lines.slice(0, -1), JSON.stringify(work), lines.at(-1) ?? ""], "which no work of");
  await refused(
    of("entry", () => ({ vectors: { "hash-64": "AAAAAAA=" } })),
    "Line 8 of the bundle cannot be taken in. A vector has 5 bytes",
  );
  await refused(
    of("entry", () => ({ vectors: { "hash-64": "AAAAAAAAAAA=" } })),
    "all zeros",
  );
  await refused(
    of("entry", () => ({ content: " " })),
    "Line 8 of the bundle cannot be taken in. The entry's content is empty",
  );
  await refused(
    of("turn", () => ({ happenedAt: "2023-13-45T00:00:00.000Z" })),
    "line 2",
  );
  expect(await to.memory.status()).toMatchObject({ storage: { turns: 0, entries: 0 } });
  // A vector of another length is one of another embedder that goes by the same name.
  const short = of("entry", () => ({ vectors: { "hash-64": "AACAPwAAgD8=" } }));
  expect(await to.memory.import(short)).toMatchObject({ path: "restored", entries: TALK.length });
  expect((await to.memory.status()).storage.vectors).toBe(TALK.length);
});

test(
  "any text, any moment comes back exactly, each line one line",
  async () => {
    const text = fc
      .string({ unit: "grapheme", minLength: 1 })
      .filter((one) => !/\p{Cc}/u.test(one) && one.trim() !== "")
      .map((one) => `${one}\u2028 \u2029 \r\n😀 中文`);
    const moment = fc.integer({ min: Date.UTC(0, 0, 1), max: Date.UTC(9999, 0, 1) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ text, happenedAt: moment }), { minLength: 1, maxLength: 4 }),
        async (turns) => {
          const worlds: World[] = [];
          for (const name of ["a", "b"]) {
            const clock = manualClock(START);
            const storage = await openInMemory({ clock });
            const memory = await Memory.open({ storage, clock, preset: "bm25", scope: name });
            worlds.push({ memory, storage, clock });
          }
          const [from, to] = worlds;
          if (from === undefined || to === undefined) throw new Error("two worlds");
          try {
            await from.memory.remember(turns);
            const lines = await bundle(from);
            expect(lines.every((line) => !/[\n\r\u2028\u2029]/.test(line))).toBe(true);
            await to.memory.import(lines);
            const read = async ({ memory, storage }: World) =>
              (await storage.turns(memory.scope, { limit: 10 })).map(({ scope: _, ...turn }) => turn);
            expect(await read(to)).toEqual(await read(from));
            expect((await read(to)).map((turn) => turn.text)).toEqual(turns.map((turn) => turn.text));
          } finally {
            for (const { memory } of worlds) await memory.close();
          }
        },
      ),
      { numRuns: 15 },
    );
  },
  SLOW,
);
