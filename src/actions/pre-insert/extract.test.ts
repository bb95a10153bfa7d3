import { afterEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import { chosen } from "../../testing/pipeline-world.ts";
import { openPreInsertWorld, type PreInsertSetup } from "../../testing/pre-insert-world.ts";
import { extract } from "./extract.ts";
import { transform } from "./transform.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function open(options: JsonObject, more: Partial<PreInsertSetup> = {}) {
  const world = await openPreInsertWorld({ pre: [chosen(extract, options)], ...more });
  closing.push(world.close);
  return world;
}

const ENGLISH = { text: "My sister Anna plays the violin in the Berlin Philharmonic.", speaker: "Ada" };
const CHINESE = { text: "王小明在上海的咖啡馆学习机器学习。", speaker: "小美" };

const keyword = {
  extract_type: "keyword",
  keyword_prompt: "extract_keywords",
  max_keywords: 10,
  add_to_metadata: true,
};
const entity = {
  extract_type: "entity",
  entity_prompt: "extract_entities",
  entity_types: ["person", "place", "organisation", "product", "other"],
  add_to_metadata: true,
};

describe("extract", () => {
  test("[S0-28][C-26] it leaves the text and the insert method as they are", async () => {
    const world = await open(keyword);
    const { entries, drafts } = await world.keep([ENGLISH, CHINESE]);
    expect(entries.map(({ content }) => content)).toEqual([ENGLISH.text, CHINESE.text]);
    expect(drafts.map(({ insertMethod }) => insertMethod)).toEqual(["default", "default"]);
    const chunking = { transform_type: "chunking", chunk_size: 100, chunk_overlap: 0, strategy: "fixed" };
    const after = await open({}, { pre: [chosen(transform, chunking), chosen(extract, keyword)] });
    expect((await after.keep([ENGLISH])).entries[0]).toMatchObject({
      kind: "chunk",
      metadata: { chunk_index: 0, keywords: expect.arrayContaining(["violin"]) },
    });
  });

  test("[S0-28] keyword: at most so many, in metadata or as tags", async () => {
    const { entries } = await (await open(keyword)).keep([ENGLISH, CHINESE]);
    expect(entries[0]?.metadata.keywords).toContain("violin");
    expect(entries[1]?.metadata.keywords).toContain("咖啡馆");
    const one = await open({ ...keyword, max_keywords: 1, add_to_metadata: false });
    const [first, second] = (await one.keep([ENGLISH, CHINESE])).entries;
    expect(first?.tags).toHaveLength(1);
    expect(second?.tags).toHaveLength(1);
    expect(first?.metadata.keywords).toBeUndefined();
  });

  test("[S0-28] entity: names of the wanted kinds, persons among the persons, and times", async () => {
    const { entries } = await (await open(entity)).keep([ENGLISH, CHINESE]);
    expect(entries[0]?.metadata.entities).toEqual(expect.arrayContaining(["Anna"]));
    expect(entries[0]?.metadata.persons).toEqual(expect.arrayContaining(["Ada", "Anna"]));
    expect(entries[1]?.metadata.entities).toEqual(expect.arrayContaining(["王小明", "上海"]));
    const persons = await open({ ...entity, entity_types: ["person"], add_to_metadata: false });
    expect((await persons.keep([CHINESE])).entries[0]?.tags).toEqual(["王小明"]);
    const times = await open({ ...entity, entity_types: ["time"] });
    const [en, zh] = (await times.keep(["We met last Friday in Rome.", "我们上周五见过面。"])).entries;
    expect(en?.metadata.entities).toEqual(["last Friday"]);
    expect(zh?.metadata.entities).toEqual(["上周五"]);
  });

  test("[B.0.2] entity: events are a kind of their own", async () => {
    const events = await open({ ...entity, entity_types: ["event"] });
    const [en, zh] = (await events.keep(["Anna ran the Boston Marathon.", "小美去了上海电影节。"])).entries;
    expect(en?.metadata.entities).toEqual(["Boston Marathon"]);
    expect(zh?.metadata.entities).toEqual(["上海电影节"]);
  });

  test("[S0-92] noun: English nouns by a tagger, Chinese content words, in the order said", async () => {
    const noun = { extract_type: "noun", max_nouns: 10, add_to_metadata: true };
    const [en, zh] = (await (await open(noun)).keep(["The old dog chased a red ball.", CHINESE])).entries;
    expect(en?.metadata.nouns).toEqual(["dog", "ball"]);
    expect(zh?.metadata.nouns).toContain("咖啡馆");
    const [many] = (await (await open(noun)).keep(["Two dogs and my children chased balls."])).entries;
    expect(many?.metadata.nouns).toEqual(["dog", "child", "ball"]);
    const tagged = await open({ ...noun, max_nouns: 1, add_to_metadata: false });
    expect((await tagged.keep(["The old dog chased a red ball."])).entries[0]?.tags).toEqual(["dog"]);
  });

  test("[S0-28] persona: what speakers tell of themselves, with who told it", async () => {
    const world = await open({ extract_type: "persona", persona_prompt: "extract_persona" });
    const turns = [
      { text: "I love hiking and I work as a nurse.", speaker: "Ada" },
      { text: "我喜欢喝茶。", speaker: "小美" },
      { text: "Hello!", speaker: "Ben" },
    ];
    const { entries } = await world.keep(turns);
    expect(entries[0]?.metadata.persona).toContainEqual({
      speaker: "Ada",
      kind: "preference",
      text: expect.stringContaining("hiking"),
    });
    expect(JSON.stringify(entries[1]?.metadata.persona)).toContain("茶");
    expect(entries[2]?.metadata.persona).toBeUndefined();
  });

  test("triple and fact stand beside the text; I and yesterday are named", async () => {
    const options = { extract_type: "triple", triple_extraction_prompt: "extract_triples", max_triples: 5 };
    const turns = [
      { text: "I live in Berlin. I love my dog.", speaker: "Ada" },
      { text: "我住在上海。", speaker: "小美" },
    ];
    const { entries } = await (await open(options)).keep(turns);
    expect(entries[0]?.metadata.triples).toContainEqual({
      subject: "Ada",
      relation: expect.stringContaining("live"),
      object: "Berlin",
    });
    expect(entries[1]?.metadata.triples).toMatchObject([{ subject: "小美", object: "上海" }]);
    const one = await open({ ...options, max_triples: 1 });
    expect((await one.keep(turns)).entries[0]?.metadata.triples).toHaveLength(1);
    const facts = await open({ extract_type: "fact", fact_prompt: "extract_facts" });
    expect((await facts.keep(turns)).entries[0]?.metadata.facts).toContainEqual(
      expect.stringContaining("Ada"),
    );
  });

  test("[B.0.2] multi_summary: a summary with keywords for each theme, at most so many", async () => {
    const turns = [
      { text: "I planted roses in the garden.", speaker: "Ada" },
      { text: "The garden needs water for the roses.", speaker: "Ben" },
      { text: "我们周末去上海听音乐会。", speaker: "小美" },
      { text: "音乐会的票已经买好了。", speaker: "小美" },
    ];
    const options = { extract_type: "multi_summary", themes_prompt: "themes", max_themes: 2 };
    const input = { unit: "packet", with_speaker: true } as const;
    const [entry] = (await (await open(options, { input })).keep(turns)).entries;
    const theme = { theme: expect.any(String), keywords: expect.any(Array), content: expect.any(String) };
    expect(entry?.metadata.themes).toContainEqual(theme);
    const chat = JSON.stringify({
      themes: ["roses", "音乐会", "more"].map((one) => ({
        theme: one,
        keywords: [one],
        content: `About ${one}.`,
      })),
    });
    const kept = async (max_themes: number) => {
      const world = await open({ ...options, max_themes }, { input, chat });
      return (await world.keep(turns)).entries[0]?.metadata.themes;
    };
    expect(await kept(2)).toMatchObject([{ theme: "roses", content: "About roses." }, { theme: "音乐会" }]);
    expect(await kept(1)).toHaveLength(1);
  });

  test("[papers 5] note: keywords, context and tags; what is embedded is the preset's choice", async () => {
    const reply = {
      keywords: ["violin", "orchestra"],
      context: "Anna makes music.",
      tags: ["music", "family"],
    };
    const note = async (embed_note: string) => {
      const options = { extract_type: "note", note_prompt: "write_note", embed_note };
      return (await open(options, { chat: JSON.stringify(reply) })).keep([ENGLISH]);
    };
    const { entries, drafts } = await note("context_keywords");
    expect(entries[0]).toMatchObject({
      content: ENGLISH.text,
      tags: ["family", "music"],
      metadata: { keywords: reply.keywords, context: reply.context },
    });
    expect(drafts[0]?.embedText).toBe("Anna makes music. keywords: violin, orchestra");
    expect((await note("all")).drafts[0]?.embedText).toBe(
      `${ENGLISH.text} Anna makes music. keywords: violin, orchestra tags: music, family`,
    );
    expect((await note("content")).drafts[0]?.embedText).toBeUndefined();
    const local = await open({ extract_type: "note", note_prompt: "write_note", embed_note: "content" });
    expect((await local.keep([CHINESE])).entries[0]?.metadata.context).toContain("机器学习");
  });

  test("[B.0.2] all: keywords, names, nouns and persona at once", async () => {
    const { extract_type: _, ...rest } = { ...keyword, ...entity };
    const all = { ...rest, extract_type: "all", max_nouns: 9, persona_prompt: "extract_persona" };
    const turn = { text: "I love Berlin. My sister Anna plays the violin there.", speaker: "Ada" };
    const [entry] = (await (await open(all)).keep([turn])).entries;
    expect(Object.keys(entry?.metadata ?? {})).toEqual(
      expect.arrayContaining(["keywords", "entities", "nouns", "persona", "persons"]),
    );
    const [tagged] = (await (await open({ ...all, add_to_metadata: false })).keep([turn])).entries;
    expect(tagged?.tags).toEqual(expect.arrayContaining(["Berlin", "violin"]));
    expect(tagged?.metadata.keywords).toBeUndefined();
    expect(tagged?.metadata.persona).toBeDefined();
  });
});

test("[S4-5][S4-9] sentiment: from −1 to 1, in both languages", async () => {
  const world = await open({ extract_type: "sentiment" });
  const { entries } = await world.keep([
    "I love this wonderful garden!",
    "我讨厌下雨，太难过了。",
    "Rome is a city.",
  ]);
  const [good, bad, plain] = entries.map(({ metadata }) => Number(metadata.sentiment));
  expect(good).toBeGreaterThan(0.5);
  expect(bad).toBeLessThan(-0.3);
  expect(plain).toBe(0);
});
