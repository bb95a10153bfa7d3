import { afterEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import { PUBLIC } from "../../base/scope.ts";
import { chosen } from "../../testing/pipeline-world.ts";
import { openPreInsertWorld, type PreInsertSetup } from "../../testing/pre-insert-world.ts";
import { estimateTokens } from "../../text/token-count.ts";
import { scmEmbed } from "./scm-embed.ts";
import { score } from "./score.ts";
import { compressText } from "./transform/compress-text.ts";
import { transform } from "./transform.ts";
import { triEmbed } from "./tri-embed.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function open(options: JsonObject, more: Partial<PreInsertSetup> = {}) {
  const world = await openPreInsertWorld({ pre: [chosen(transform, options)], ...more });
  closing.push(world.close);
  return world;
}

const PACKET = { unit: "packet", with_speaker: true } as const;
const STORY = "Ada moved to Rome in spring. She found a flat near the river. Her dog Rex came later.";
const GESCHICHTE = "小美去年春天搬到了上海。她在河边找到了房子。她的狗后来也来了。";

const IMPORTANCE: JsonObject = {
  score_type: "importance",
  importance_prompt: "score_importance",
  scale: 10,
  high_threshold: 8,
  middle_threshold: 5,
  high_tier: null,
  middle_tier: null,
};
const TRIPLES = { triple_extraction_prompt: "extract_triples", max_triples: 9 };
const tier = (name: string) => ({
  ...{ name, capacity: null, membership: "exclusive", indexes: ["queue", "vector", "text"] },
});
const TIERED = {
  name: "hierarchical_memory",
  options: {
    ...{
      collection_name: "notes",
      top_k: 5,
      migration_policy: "auto",
      eviction: null,
      graph: null,
      vitality: null,
    },
    tiers: [tier("stm"), tier("ltm")],
  },
};

describe("what is made of a text", () => {
  const KINDS: readonly [string, JsonObject][] = [
    ["fact", { transform_type: "fact_extract", fact_prompt: "extract_facts", fact_format: "statement" }],
    ["chunk", { transform_type: "chunking", chunk_size: 50, chunk_overlap: 0, strategy: "sentence" }],
    [
      "segment",
      {
        transform_type: "topic_segment",
        segment_prompt: "segment_topics",
        min_segment_size: 0,
        max_segment_size: 99,
      },
    ],
  ];

  test.each(KINDS)(
    "[S0-33] keeps its kind %s when a later action names the insert method",
    async (kind, options) => {
      const pre = [chosen(transform, options), chosen(score, IMPORTANCE)];
      const { entries } = await (await open({}, { pre })).keep([
        { text: "I moved to Rome.", speaker: "Ada" },
      ]);
      expect(entries).toMatchObject([{ kind, importance: expect.any(Number) }]);
    },
  );

  test("is told nothing that only the text before it says", async () => {
    const pre = [
      chosen(triEmbed, { ...TRIPLES, entry: "passage" }),
      chosen(transform, { transform_type: "compress", ratio: 0.5 }),
      chosen(transform, {
        transform_type: "summarize",
        summarize_prompt: "summarize",
        summary_max_tokens: 9,
        target_tier: null,
      }),
    ];
    const { entries } = await (await open({}, { pre })).keep([STORY]);
    expect(entries).toHaveLength(1);
    expect(entries[0]?.metadata).not.toHaveProperty("triples");
    expect(entries[0]?.metadata).not.toHaveProperty("compressed");
  });
});

describe("chunking", () => {
  const chunking = (more: JsonObject = {}): JsonObject => ({
    transform_type: "chunking",
    chunk_size: 10,
    chunk_overlap: 0,
    strategy: "sentence",
    ...more,
  });

  test("each piece comes from the turns it holds words of, at their time", async () => {
    const world = await open(chunking(), { input: PACKET });
    const { entries, drafts } = await world.keep([
      { text: "I moved to Rome in spring.", speaker: "Ada", happenedAt: 1000 },
      { text: "我在上海找到了一个小房子。", speaker: "小美", happenedAt: 2000 },
      { text: "My dog Rex came later.", speaker: "Ada", happenedAt: 3000 },
    ]);
    const ids = [...new Set(drafts.flatMap(({ sources = [] }) => sources))];
    expect(ids).toHaveLength(3);
    expect(entries.filter(({ content }) => content.includes("Rome"))).toMatchObject([
      { sources: [ids[0]], happenedAt: 1000 },
    ]);
    expect(entries.find(({ content }) => content.includes("上海"))).toMatchObject({
      sources: expect.not.arrayContaining([ids[0]]),
    });
    expect(entries.at(-1)).toMatchObject({ sources: [ids[2]], happenedAt: 3000 });
  });

  test("each piece keeps the triples that it states", async () => {
    const pre = [chosen(triEmbed, { ...TRIPLES, entry: "passage" }), chosen(transform, chunking())];
    const world = await open({}, { pre });
    const { entries } = await world.keep([
      { text: "I live in Rome with my family now. Bob works for Google in Oslo these days.", speaker: "Ada" },
    ]);
    const stated = entries.map(({ content, metadata }) => [content, JSON.stringify(metadata.triples)]);
    expect(stated.length).toBeGreaterThan(1);
    expect(stated.some(([, triples]) => triples?.includes("Rome"))).toBe(true);
    for (const [content, triples] of stated) {
      for (const name of ["Rome", "Google"]) {
        if (triples?.includes(name)) expect(content).toContain(name);
      }
    }
  });

  test("[S0-27][S0-42] each piece is an entry of kind chunk that knows its place and its turn", async () => {
    const world = await open(chunking());
    const { entries, drafts } = await world.keep([{ text: STORY, speaker: "Ada", session: "one" }]);
    expect(entries.map(({ content }) => content).join(" ")).toBe(STORY);
    expect(entries.map(({ metadata }) => metadata.chunk_index)).toEqual([0, 1, 2]);
    for (const entry of entries) {
      expect(entry).toMatchObject({
        kind: "chunk",
        metadata: { total_chunks: 3, speaker: "Ada", session: "one" },
        sources: [drafts[0]?.turns[0]?.id],
      });
    }
  });

  test("size, overlap and strategy each change the pieces, in Chinese as well", async () => {
    const pieces = async (more: JsonObject, text: string) =>
      (await (await open(chunking(more))).keep([text])).entries.map(({ content }) => content);
    expect(await pieces({}, GESCHICHTE)).toHaveLength(3);
    expect(await pieces({ chunk_size: 100 }, GESCHICHTE)).toEqual([GESCHICHTE]);
    expect((await pieces({ chunk_size: 20, chunk_overlap: 10 }, STORY))[1]).toMatch(/^She found.*Her dog/);
    const lines = "Ada is here. Ben too.\n小美在这里。小明也在。";
    expect(await pieces({ chunk_size: 14, strategy: "paragraph" }, lines)).toEqual(lines.split("\n"));
    expect(await pieces({ chunk_size: 14 }, lines)).not.toEqual(lines.split("\n"));
    expect((await pieces({ strategy: "fixed" }, STORY))[0]).not.toMatch(/\.$/);
  });

  test("an overlap as large as a piece is refused", () => {
    expect(transform.options.safeParse(chunking({ chunk_overlap: 10 })).success).toBe(false);
  });
});

const DOGS = [
  "My dog Rex chews shoes",
  "Rex the dog needs a vet for his teeth",
  "The dog vet said Rex is fine",
];
const TAXES = [
  "The tax office wants forms",
  "Which tax forms does the office want?",
  "Form nine of the tax office",
];

describe("topic_segment", () => {
  const segmenting = (more: JsonObject = {}): JsonObject => ({
    transform_type: "topic_segment",
    segment_prompt: "segment_topics",
    min_segment_size: 0,
    max_segment_size: 500,
    ...more,
  });
  const reply = JSON.stringify({
    segments: [
      { start: 0, end: 2, summary: "Rex the dog" },
      { start: 3, end: 5, summary: "Tax forms" },
    ],
  });
  const turns = [...DOGS, ...TAXES].map((text, i) => ({ text, speaker: i % 2 ? "Ben" : "Ada" }));

  test.each(["packet", "turn"] as const)(
    "[S0-27] what was said about one topic is one entry, from drafts per %s",
    async (unit) => {
      const world = await open(segmenting(), { chat: reply, input: { unit, with_speaker: true } });
      const { entries, drafts } = await world.keep(turns);
      expect(entries.map(({ content }) => content.split("\n").length)).toEqual([3, 3]);
      expect(entries[0]).toMatchObject({
        kind: "segment",
        content: expect.stringContaining("Ben: Rex the dog needs"),
        metadata: { summary: "Rex the dog", segment: drafts[0]?.turns[0]?.id, persons: ["Ada", "Ben"] },
        sources: drafts[0]?.turns.map(({ id }) => id),
      });
      expect(entries[0]?.sources).toHaveLength(3);
      expect(entries[0]?.metadata.speaker).toBeUndefined();
    },
  );

  test("small segments join, large ones are cut but keep their name, and no line is lost", async () => {
    const joined = await open(segmenting({ min_segment_size: 60 }), { chat: reply, input: PACKET });
    expect((await joined.keep(turns)).entries).toHaveLength(1);
    const cut = await open(segmenting({ max_segment_size: 12 }), { chat: reply, input: PACKET });
    const { entries } = await cut.keep(turns);
    expect(entries.length).toBeGreaterThan(2);
    expect(new Set(entries.map(({ metadata }) => metadata.segment)).size).toBe(2);
    for (const { content } of entries) expect(estimateTokens(content)).toBeLessThanOrEqual(12);
    expect(
      entries
        .map(({ content }) => content)
        .join("\n")
        .replace(/\s+/g, " "),
    ).toBe(turns.map(({ speaker, text }) => `${speaker}: ${text}`).join(" "));
  });

  test("without a model, in Chinese, every line is in one segment", async () => {
    const world = await open(segmenting(), { input: { unit: "packet", with_speaker: false } });
    const said = ["我家的狗叫雷克斯。", "狗狗今天去看了兽医。", "报税的表格很麻烦。", "税务局要九号表格。"];
    const { entries } = await world.keep(said);
    expect(entries.map(({ content }) => content).join("\n")).toBe(said.join("\n"));
  });
});

describe("fact_extract", () => {
  const facts = (more: JsonObject = {}): JsonObject => ({
    transform_type: "fact_extract",
    fact_prompt: "extract_facts",
    fact_format: "statement",
    ...more,
  });
  const turns = [
    { text: "I moved to Rome last spring.", speaker: "Ada", happenedAt: Date.UTC(2026, 2, 1) },
    { text: "How nice!", speaker: "Ben", happenedAt: Date.UTC(2026, 2, 2) },
  ];
  const reply = JSON.stringify({ facts: [{ text: "Ada lives in Rome.", speaker: "Ada", sources: [0] }] });

  test("[S0-27] each fact is an entry whose sources are the turns that told it", async () => {
    const world = await open(facts(), { chat: reply, input: PACKET });
    const { entries, drafts } = await world.keep(turns);
    expect(entries).toMatchObject([
      {
        kind: "fact",
        content: "Ada lives in Rome.",
        happenedAt: Date.UTC(2026, 2, 1),
        sources: [drafts[0]?.turns[0]?.id],
        metadata: { speaker: "Ada", persons: ["Ada", "Ben"] },
      },
    ]);
    expect(drafts[0]?.turns).toHaveLength(1);
  });

  test("fact_format: as a triple, or as JSON that is embedded by its sentence", async () => {
    const asTriple = await open(facts({ fact_format: "triple" }), { chat: reply, input: PACKET });
    expect((await asTriple.keep(turns)).entries[0]).toMatchObject({
      content: "Ada lives in Rome",
      metadata: { triples: [{ subject: "Ada", object: "Rome" }] },
    });
    const asJson = await open(facts({ fact_format: "json" }), { chat: reply, input: PACKET });
    const { entries, drafts } = await asJson.keep(turns);
    expect(JSON.parse(entries[0]?.content ?? "")).toEqual({
      fact: "Ada lives in Rome.",
      speaker: "Ada",
      time: "2026-03-01T00:00:00.000Z",
    });
    expect(drafts[0]?.embedText).toBe("Ada lives in Rome.");
  });

  test("without a model, in Chinese; talk that tells nothing leaves no entry", async () => {
    const world = await open(facts(), { input: PACKET });
    const { entries } = await world.keep([{ text: "我上个月搬到了上海。", speaker: "小美" }]);
    expect(entries.map(({ content }) => content).join()).toMatch(/小美.*上海/);
    expect((await world.keep([{ text: "Hi!", speaker: "Ada" }])).entries).toEqual([]);
  });
});

describe("summarize", () => {
  const summarizing = (summary_max_tokens: number, target_tier: string | null = null): JsonObject => ({
    transform_type: "summarize",
    summarize_prompt: "summarize",
    summary_max_tokens,
    target_tier,
  });

  test.each([STORY, GESCHICHTE])(
    "[S0-27] the summary takes the text's place and keeps to its length",
    async (text) => {
      const world = await open(summarizing(14));
      const { entries, drafts } = await world.keep([text]);
      expect(entries).toMatchObject([{ kind: "summary", sources: [drafts[0]?.turns[0]?.id] }]);
      expect(estimateTokens(entries[0]?.content ?? "")).toBeLessThanOrEqual(14);
      expect(estimateTokens(text)).toBeGreaterThan(14);
      const wide = await open(summarizing(200));
      expect((await wide.keep([text])).entries[0]?.content).toBe(text);
    },
  );

  test("nobody is asked to shorten what is short enough", async () => {
    const world = await open(summarizing(200), { chat: JSON.stringify({ summary: "Made up." }) });
    const { entries } = await world.keep([STORY, GESCHICHTE]);
    expect(entries.map(({ content }) => content)).toEqual([STORY, GESCHICHTE]);
    expect(world.asked()).toBe("[]");
  });

  test("[S0-33][S0-42] its tier and kind go with the draft, whoever stores it", async () => {
    const importance = chosen(score, IMPORTANCE);
    const pre = [chosen(transform, summarizing(14, "ltm")), importance];
    const world = await open({}, { pre, service: TIERED });
    const { entries, drafts } = await world.keep([STORY, GESCHICHTE]);
    expect(drafts.map(({ insertMethod }) => insertMethod)).toEqual(["priority_insert", "priority_insert"]);
    expect(entries.map(({ kind, tier }) => [kind, tier])).toEqual([
      ["summary", "ltm"],
      ["summary", "ltm"],
    ]);
    const anywhere = await open(
      {},
      { pre: [chosen(transform, summarizing(14)), importance], service: TIERED },
    );
    expect((await anywhere.keep([STORY])).entries).toMatchObject([{ kind: "summary", tier: "stm" }]);
    const claims = (tier: string | null) =>
      transform.claims?.(transform.options.parse(summarizing(14, tier)));
    expect(claims("ltm")).toMatchObject({ abilities: ["tiers"], tiers: ["ltm"] });
    expect(claims(null)?.tiers).toBeUndefined();
  });

  test("a model that is told too little keeps to the length all the same", async () => {
    const world = await open(summarizing(8), { chat: JSON.stringify({ summary: STORY }) });
    expect((await world.keep([STORY])).entries[0]?.content).toBe("Ada moved to Rome in spring.");
  });
});

describe("compress and segment_denoise", () => {
  test("a very long text is compressed in little time, to no more than its share", () => {
    const long = Array.from(
      { length: 3000 },
      (_, i) => `Ada saw the river ${i} and told Bob. 小美${i}去了公园。`,
    ).join(" ");
    const start = performance.now();
    const short = compressText(long, 0.5);
    expect(performance.now() - start).toBeLessThan(3000);
    expect(short.length).toBeLessThanOrEqual(long.length / 2);
    expect(short.length).toBeGreaterThan(long.length / 4);
    // All of the text has its share, not the beginning alone.
    expect(short).toMatch(/river 29\d\d/);
  });

  test("a segment that must be larger than it may is refused", () => {
    const sizes = { segment_prompt: "segment_topics", min_segment_size: 200, max_segment_size: 100 };
    for (const form of [
      { transform_type: "topic_segment" },
      { transform_type: "segment_denoise", exchange_turns: 1, malformed_exchanges: null, ratio: 0.5 },
    ]) {
      expect(transform.options.safeParse({ ...form, ...sizes }).error?.message).toContain("max_segment_size");
    }
  });

  test("[B.0.2] the compressed text is embedded, the whole is kept", async () => {
    const world = await open({ transform_type: "compress", ratio: 0.5 });
    const { entries, drafts } = await world.keep([STORY, GESCHICHTE]);
    expect(entries.map(({ content }) => content)).toEqual([STORY, GESCHICHTE]);
    for (const { embedText = "", content } of drafts) {
      expect(embedText.length).toBeLessThanOrEqual(content.length / 2);
      expect(embedText).not.toBe("");
    }
    expect(entries[0]?.metadata.compressed).toBe(drafts[0]?.embedText);
    const whole = await open({ transform_type: "compress", ratio: 1 });
    expect((await whole.keep([STORY])).drafts[0]?.embedText).toBe(STORY);
  });

  test("[B.0.2] a summary is embedded rather than the compressed text, whichever comes first", async () => {
    const scm = chosen(scmEmbed, {
      embed_type: "three_way",
      insert_method: "scm_insert",
      summary_threshold_tokens: 1,
      summarize_prompt: "summarize",
      summary_max_tokens: 9,
      embed_summary: true,
    });
    const compress = chosen(transform, { transform_type: "compress", ratio: 0.7 });
    for (const pre of [
      [scm, compress],
      [compress, scm],
    ]) {
      const { drafts, entries } = await (await open({}, { pre })).keep([STORY]);
      expect(drafts[0]?.embedText).toBe(entries[0]?.metadata.summary);
      expect(entries[0]?.metadata.compressed).toBe(compressText(STORY, 0.7));
    }
  });

  test("[papers 8] SeCom: a segment is found by its denoised text and read in full", async () => {
    const options = {
      transform_type: "segment_denoise",
      segment_prompt: "segment_topics",
      min_segment_size: 0,
      max_segment_size: 500,
      exchange_turns: 1,
      malformed_exchanges: null,
      ratio: 0.6,
    };
    const world = await open(options, {
      input: { unit: "packet", with_speaker: false },
      chat: JSON.stringify({
        segments: [
          { start: 0, end: 2 },
          { start: 3, end: 5 },
        ],
      }),
    });
    const { entries, drafts } = await world.keep([...DOGS, ...TAXES]);
    expect(entries.map(({ content }) => content)).toEqual([DOGS.join("\n"), TAXES.join("\n")]);
    expect(entries.map(({ kind }) => kind)).toEqual(["segment", "segment"]);
    for (const { embedText = "", content } of drafts) {
      expect(embedText.length).toBeLessThan(content.length * 0.61);
    }
  });
});

describe("continuity_check", () => {
  const linking = (strategy: string): JsonObject => ({
    transform_type: "continuity_check",
    continuity_prompt: "judge_continuity",
    strategy,
  });

  const tier = { name: "stm", capacity: null, membership: "exclusive", indexes: ["queue", "vector", "text"] };

  test.each<[string, string, JsonObject]>([
    ["neuromem_vdb", "structured", {}],
    ["short_term_memory", "recent", { maxlen: 10 }],
    [
      "hierarchical_memory",
      "temporal",
      { tiers: [tier], migration_policy: "auto", eviction: null, graph: null },
    ],
  ])(
    "[papers 6] pages are chained while the topic goes on, across packets, on %s by %s",
    async (name, strategy, more) => {
      const world = await open(linking(strategy), {
        service: { name, options: { collection_name: "notes", top_k: 5, vitality: null, ...more } },
      });
      const pages = [];
      for (const text of [
        "My dog Rex needs a vet.",
        "Which vet does your dog Rex need?",
        "By the way, taxes are due on Monday.",
        "我家的猫生病了。",
        "猫生病了要看兽医。",
      ]) {
        world.clock.advance(1000);
        pages.push(...(await world.keep([{ text, happenedAt: world.clock.now() }])).entries);
      }
      const links = pages.map(({ metadata }) => [metadata.previous_page, metadata.chain_id]);
      const ids = pages.map(({ metadata }) => metadata.page_id);
      expect(links).toEqual([
        [null, ids[0]],
        [ids[0], ids[0]],
        [null, ids[2]],
        [null, ids[3]],
        [ids[3], ids[3]],
      ]);
    },
  );

  test("pages of one packet are chained to each other, and nobody else's talk is gone on with", async () => {
    const world = await open(linking("structured"));
    await world.say(["My dog Rex needs a vet."], PUBLIC);
    const { entries } = await world.keep(["My dog Rex needs a vet.", "The vet likes Rex the dog."]);
    expect(entries.map(({ metadata }) => metadata.previous_page)).toEqual([
      null,
      entries[0]?.metadata.page_id,
    ]);
  });

  test("the scope's own talk is gone on with, however much was said in public since", async () => {
    const world = await open(linking("structured"));
    const said = await world.keep(["My dog Rex needs a vet."]);
    world.clock.advance(1000);
    for (let i = 0; i < 30; i++) await world.service.insert(PUBLIC, { content: `Taxes are due, ${i}.` });
    world.clock.advance(1000);
    const { entries } = await world.keep(["The vet likes Rex the dog."]);
    expect(entries[0]?.metadata.previous_page).toBe(said.entries[0]?.metadata.page_id);
  });
});
