import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadPreset } from "../../preset/load.ts";
import { Memory } from "../../runtime/memory.ts";
import type { LabCase, LabQuestion } from "../dataset.ts";
import { openCase } from "./open-case.ts";
import { isReplayable, recordedModel } from "./recorded-model.ts";
import { spokenMoments } from "./spoken-moments.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "neuromem-case-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const ask = (text: string, more: Partial<LabQuestion> = {}): LabQuestion => ({
  ...{ id: text, text, category: "1", expects: "answer", evidence: [], sessions: [], answers: [] },
  ...more,
});

const one: LabCase = {
  id: "一",
  turns: [
    { ref: "a", session: "s1", speaker: "Mia", text: "I keep my kayak in Lima." },
    { ref: "blank", session: "s1", speaker: "Ben", text: "  " },
    { ref: "b", session: "s1", speaker: "Ben", text: "Really?" },
    { ref: "c", session: "s2", speaker: "王芳", text: "我在成都学会了做火锅。" },
    { ref: "d", session: "s2", speaker: "Mia", text: "My kayak is in Quito now." },
  ],
  questions: [],
};
const KAYAK = ask("Where is the kayak?", { evidence: ["a", "d"] });

test("what is asked is asked of what was said so far, by the names of the data set", async () => {
  const opened = await openCase(one, { preset: await loadPreset("bm25") });
  expect(await opened.live(2)).toMatchObject({
    entries: 1,
    storage: { turns: 1 },
    model: { calls: 0, usd: 0 },
  });
  const early = await opened.ask(KAYAK, [5]);
  expect(early).toMatchObject({
    hits: [{ refs: ["a"] }],
    measures: { "recall@5": 0.5 },
    point: { turns: 2 },
  });
  expect(await opened.live(5)).toMatchObject({ entries: 4 });
  expect(opened.said).toBe(5);
  const late = await opened.ask(KAYAK, [5]);
  expect(late.hits.flatMap(({ refs }) => refs).toSorted()).toEqual(["a", "d"]);
  expect((await opened.ask(ask("火锅是在哪里学的？"), [5])).hits[0]?.refs).toEqual(["c"]);
  expect(late.times.stagesMs.memory_retrieval).toBeGreaterThan(0);
  await opened.close();
});

test("no question changes what the next one finds, whenever it is asked", async () => {
  const preset = await loadPreset("bm25");
  const opened = await openCase(one, { preset, folder });
  await opened.live(5);
  const timeless = async (question: LabQuestion) => {
    const { times: _, ...line } = await opened.ask(question, [5]);
    return line;
  };
  const first = await timeless(KAYAK);
  const years = Date.UTC(2040, 0, 1);
  expect((await timeless({ ...KAYAK, askedAt: years })).askedAt).toBe(years);
  await timeless(ask("成都"));
  expect(await timeless(KAYAK)).toEqual(first);
  await opened.close();
  const memory = await Memory.open({ path: join(folder, "memory.db"), preset, scope: "lab" });
  const looked = async () => (await memory.list()).entries.map(({ accessCount }) => accessCount);
  expect(await looked()).toEqual([0, 0, 0, 0]);
  await memory.recall("kayak");
  expect(await looked()).toContain(1);
  await memory.close();
});

test("what stands behind the hits that are looked at counts for budgets of tokens alone", async () => {
  const opened = await openCase(one, { preset: await loadPreset("bm25") });
  await opened.live(5);
  const line = await opened.ask(KAYAK, [1]);
  expect(line.hits).toHaveLength(1);
  expect(line.further).toMatchObject([{ tokens: expect.any(Number) }]);
  expect([...line.hits, ...(line.further ?? [])].flatMap(({ refs }) => refs).toSorted()).toEqual(["a", "d"]);
  expect(line.measures).toMatchObject({ "recall@1": 0.5, "turns@1": 0.5, recall_in_250: 1 });
  // All of it was looked at: nothing stands behind.
  expect((await opened.ask(KAYAK, [5])).further).toBeUndefined();
  await opened.close();
});

test("a memory that was lived into a folder is opened again where it stood", async () => {
  const built = await openCase(one, { preset: await loadPreset("bm25"), folder });
  const { storage } = await built.live(5);
  // What it takes, without a log of what is in it already.
  expect(storage.bytes).toBe(statSync(join(folder, "memory.db")).size);
  const before = await built.ask(KAYAK, [1]);
  await built.close();
  expect(existsSync(join(folder, "memory.db"))).toBe(true);
  const again = await openCase(one, { preset: await loadPreset("bm25"), folder });
  expect(again.said).toBe(5);
  const { times: _, ...line } = await again.ask(KAYAK, [1]);
  expect(before).toMatchObject(line);
  await again.close();
});

test("undated turns are a minute apart, and before what is dated after them", () => {
  const day = Date.UTC(2023, 4, 8);
  expect(spokenMoments([{}, { happenedAt: day }, {}])).toEqual([day - 60_000, day, day + 60_000]);
  const [first = 0, second = 0] = spokenMoments([{}, {}]);
  expect(second - first).toBe(60_000);
  expect(first).toBe(Date.UTC(2026, 0, 1));
});

test("what a model once read out of passages is replayed for designs that ask for just that", async () => {
  const passages: LabCase = {
    id: "passages",
    turns: [
      // What cannot be seen, and a time that a prompt writes out, do not keep the recording back.
      { ref: "0", session: "0", text: "Lima\nLima is the \ufeffcapital of Peru, and was last year." },
      { ref: "1", session: "1", text: "成都\n成都是四川的省会。" },
    ],
    questions: [],
  };
  const recorded = new Map([
    ["0", { entities: ["Lima", "Peru"], triples: [["Lima", "capital of", "Peru"]] as const }],
    ["1", { entities: ["成都", "四川"], triples: [["成都", "省会", "四川"]] as const }],
  ]);
  const preset = await loadPreset("hipporag");
  expect(isReplayable(preset)).toBe(true);
  expect(isReplayable(await loadPreset("bm25"))).toBe(false);
  expect(isReplayable(await loadPreset("mem0"))).toBe(false);
  const opened = await openCase(passages, { preset, model: recordedModel(passages.turns, recorded) });
  const { model, storage } = await opened.live(2);
  expect(model.calls).toBe(4);
  // Two passages, four names and what joins them: rules would have read other names.
  expect(storage.entries).toBe(6);
  const found = await opened.ask(ask("What is Lima the capital of?", { evidence: ["0"] }), [2]);
  expect(found).toMatchObject({ measures: { "recall@2": 1 } });
  // Nothing is recorded for questions: they are answered by rules, and no call is counted.
  expect([found.error, found.model]).toEqual([undefined, undefined]);
  await opened.close();
}, 60_000);
