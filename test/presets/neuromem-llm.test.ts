import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { Memory } from "../../src/runtime/memory.ts";
import { hashEmbedder } from "../../src/testing/hash-embedder.ts";
import {
  openPresetWorld,
  type PresetWorld,
  type PresetWorldOptions,
} from "../../src/testing/preset-world.ts";
import { estimateTokens } from "../../src/text/token-count.ts";

const worlds: PresetWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});
async function open(preset: string, options: PresetWorldOptions = {}): Promise<PresetWorld> {
  const world = await openPresetWorld(preset, { embedder: hashEmbedder(), ...options });
  worlds.push(world);
  return world;
}

/** The question has no word of the memory that answers it; only its second part has. */
const CASES = [
  {
    language: "English",
    turns: [
      ["Mia", "Ann was the woman who taught me the violin."],
      ["Mia", "My music teacher bought a house near Lisbon."],
      ["Mia", "The violin was where I found my peace."],
      ["Ben", "I taught a woman how to live with cats."],
      ["Mia", "Where I live there is a woman with a violin shop."],
      ["Ben", "Mia taught me where to buy bread."],
    ],
    question: "Where does the woman live who taught Mia the violin?",
    parts: ["Who taught Mia the violin?", "Where did Mia's music teacher buy a house?"],
    answer: /Lisbon/,
    joined: "Where does Mia live and who taught her the violin?",
  },
  {
    language: "Chinese",
    turns: [
      ["小美", "教我小提琴的人是王老师。"],
      ["小美", "我的老师去年在成都买了房子。"],
      ["小美", "小提琴让我找到了平静。"],
      ["大伟", "教人小提琴很难。"],
      ["小美", "我住的楼下有人卖小提琴。"],
      ["大伟", "小美教我住在哪里方便。"],
    ],
    question: "教小美小提琴的人住在哪里？",
    parts: ["谁教小美小提琴？", "小美的老师去年在哪个城市买了房子？"],
    answer: /成都/,
    joined: "小美住在哪里，以及谁教她小提琴？",
  },
] as const;
const told = (turns: readonly (readonly [speaker: string, text: string])[]) =>
  turns.map(([speaker, text]) => ({ speaker, text, session: "1" }));
const asked = ({ question }: { question: { queries: readonly { text: string }[] } }) =>
  question.queries.map(({ text }) => text);

describe.each(CASES)("in $language", ({ turns, question, parts, answer, joined }) => {
  const topK = 3;
  const replies = { decompose_query: { sub_queries: [...parts] } };

  test("a second hop that the question's own words do not reach is found by a part of it", async () => {
    const plain = await open("neuromem");
    await plain.say(told(turns));
    const without = await plain.ask({ text: question, topK });
    expect(without.hits.map(({ text }) => text).join("\n")).not.toMatch(answer);

    const world = await open("neuromem_llm", { replies });
    await world.say(told(turns));
    expect(world.calls()).toEqual([]);
    const found = await world.ask({ text: question, topK });
    expect(world.calls()).toEqual(["decompose_query"]);
    expect(asked(found)).toEqual([question, ...parts]);
    expect(found.hits.map(({ text }) => text).join("\n")).toMatch(answer);
    // What the question itself finds first is still there.
    expect(found.hits.map(({ text }) => text)).toContain(without.hits[0]?.text);
  });

  test("the model down, its reply unusable, or no model: found as neuromem finds it", async () => {
    const plain = await open("neuromem");
    const down = await open("neuromem_llm", { replies });
    const confused = await open("neuromem_llm", { replies: { decompose_query: "no JSON at all" } });
    const alone = await open("neuromem_llm");
    for (const world of [plain, down, confused, alone]) await world.say(told(turns));
    down.setDown(true);
    // The second could be cut by rules: it is left whole all the same.
    for (const text of [question, joined]) {
      const shown = async (world: PresetWorld) =>
        (await world.ask({ text, topK })).hits.map((hit) => [hit.text, hit.score, hit.scoreParts]);
      const expected = await shown(plain);
      expect(expected).toHaveLength(topK);
      for (const world of [down, confused, alone]) {
        expect(await shown(world)).toEqual(expected);
        expect(asked(await world.ask(text))).toEqual([text]);
      }
    }
  });

  test("a simple question stays one; three parts at most are searched for beside it", async () => {
    const simple = await open("neuromem_llm", { replies: { decompose_query: { sub_queries: [question] } } });
    await simple.say(told(turns));
    expect(asked(await simple.ask(question))).toEqual([question]);
    const many = { decompose_query: { sub_queries: turns.map(([, text]) => text) } };
    const world = await open("neuromem_llm", { replies: many });
    await world.say(told(turns));
    expect(asked(await world.ask(question))).toHaveLength(4);
  });

  test("the call is short, and tells when it is asked and what was said before", async () => {
    const world = await open("neuromem_llm", { replies });
    await world.say(told(turns));
    const at = Date.UTC(2026, 4, 1, 12);
    const line = { speaker: turns[0][0], text: turns[0][1], captions: [] };
    await world.ask({ text: question, at, talk: [line] });
    const [request] = world.requests;
    const messages = JSON.stringify(request?.body.messages);
    expect(messages).toContain("[2026-05-01T12:00Z]");
    expect(messages).toContain(`${line.speaker}: ${line.text}`);
    expect(estimateTokens(messages)).toBeLessThan(600);
  });
});

test("what neuromem remembered is there, with nothing to do again", async () => {
  const folder = await mkdtemp(join(tmpdir(), "neuromem-llm-"));
  try {
    const place = { path: join(folder, "memory.db"), scope: "mia", embedder: hashEmbedder() };
    const first = await Memory.open({ ...place, preset: "neuromem" });
    await first.remember([{ speaker: "Mia", text: "I moved to Oslo." }], { wait: "memory" });
    const ids = (await first.recall("Where does Mia live?")).hits.map(({ id }) => id);
    await first.close();
    const second = await Memory.open({ ...place, preset: "neuromem_llm" });
    expect((await second.recall("Where does Mia live?")).hits.map(({ id }) => id)).toEqual(ids);
    expect(ids).toHaveLength(1);
    await second.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
