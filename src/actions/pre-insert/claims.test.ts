/** What an action claims of its drafts is what it makes: their insert methods and their vector fields. */
import { expect, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import type { ActionDefinition } from "../../pipeline/action.ts";
import { measureField, textField } from "../../services/vector-fields.ts";
import { hashEmbedder } from "../../testing/hash-embedder.ts";
import { chosen } from "../../testing/pipeline-world.ts";
import { openPreInsertWorld } from "../../testing/pre-insert-world.ts";
import { PRE_INSERT } from "./index.ts";

const sizes = { segment_prompt: "segment_topics", min_segment_size: 0, max_segment_size: 100 };
const names = { entity_prompt: "extract_entities", entity_types: ["person"] };
const words = { keyword_prompt: "extract_keywords", max_keywords: 3 };
const persona = { persona_prompt: "extract_persona" };
const triples = { triple_extraction_prompt: "extract_triples", max_triples: 3 };
const summary = { summarize_prompt: "summarize", summary_max_tokens: 20 };

const OPTIONS: Readonly<Record<string, readonly JsonObject[]>> = {
  none: [{}],
  tri_embed: [
    { ...triples, entry: "passage" },
    { ...triples, entry: "triple" },
  ],
  transform: [
    { transform_type: "chunking", chunk_size: 5, chunk_overlap: 1, strategy: "fixed" },
    { transform_type: "topic_segment", ...sizes },
    { transform_type: "fact_extract", fact_prompt: "extract_facts", fact_format: "statement" },
    { transform_type: "summarize", ...summary, target_tier: null },
    { transform_type: "compress", ratio: 0.5 },
    {
      transform_type: "segment_denoise",
      ...sizes,
      exchange_turns: 2,
      malformed_exchanges: 3,
      ratio: 0.5,
    },
    { transform_type: "with_previous", speakers: null },
    ...["dialog", "observation", "summary"].map((database) => ({
      transform_type: "session_database",
      database,
      date_style: "day",
      fact_prompt: "extract_facts",
      summarize_prompt: "summarize_session",
      summary_max_words: 20,
    })),
    { transform_type: "continuity_check", continuity_prompt: "judge_continuity", strategy: "structured" },
  ],
  extract: [
    { extract_type: "keyword", ...words, add_to_metadata: true },
    { extract_type: "entity", ...names, add_to_metadata: true },
    { extract_type: "noun", max_nouns: 3, add_to_metadata: true },
    { extract_type: "persona", ...persona },
    { extract_type: "triple", ...triples },
    { extract_type: "fact", fact_prompt: "extract_facts" },
    { extract_type: "multi_summary", themes_prompt: "themes", max_themes: 2 },
    { extract_type: "note", note_prompt: "write_note", embed_note: "all" },
    { extract_type: "all", ...words, ...names, ...persona, max_nouns: 3, add_to_metadata: true },
  ],
  score: [
    {
      score_type: "importance",
      importance_prompt: "score_importance",
      scale: 10,
      high_threshold: 8,
      middle_threshold: 5,
      high_tier: null,
      middle_tier: null,
    },
    { score_type: "emotion", emotion_prompt: "score_emotion" },
    { score_type: "heat", turns_per_interaction: 2 },
  ],
  multi_embed: [
    {
      output: "dict",
      fields: [
        { name: "who", field: "speaker" },
        { name: "mood", field: "emotion" },
      ],
    },
    { output: "concat", fields: [{ field: "content", weight: 1 }] },
    { output: "separate", fields: [{ field: "content" }, { field: "speaker" }] },
  ],
  blend_embed: [{ sentence_weight: 1, before_weight: 0.3, max_sentences: 8, min_words: 4 }],
  validate: [
    { validation_rules: [{ rule: "duplicate", match: "near", threshold: 0.99 }], on_fail: "skip" },
    { validation_rules: [{ rule: "length", min_chars: 1, max_chars: null }], on_fail: "warn" },
  ],
  scm_embed: [
    {
      embed_type: "three_way",
      insert_method: "scm_insert",
      summary_threshold_tokens: 5,
      ...summary,
      embed_summary: true,
    },
  ],
  compress_window: [
    {
      window_size: 4,
      overlap: 1,
      compress_prompt: "compress_dialogue",
      previous_entries: 1,
      parallel_windows: 2,
    },
  ],
  judge_memories: [{ judge_prompt: "judge_memories", max_tags: 5, strength: 10 }],
  carry: [{ fields: ["location", "tags"] }],
};

const TALK = [
  { text: "I moved to Rome last spring. I love my dog Rex.", speaker: "Ada" },
  { text: "我住在上海，我喜欢喝茶。", speaker: "小美" },
];

const { spaces } = hashEmbedder();
const FIELDS = [
  textField("content", spaces),
  textField("who", spaces),
  measureField("mood", 8),
  measureField("emotion", 8),
];

const CASES = PRE_INSERT.flatMap((action) =>
  (OPTIONS[action.name] ?? []).map((options): [string, ActionDefinition<"pre_insert">, JsonObject] => [
    [action.name, options[action.subtype ?? ""]].filter(Boolean).join(" "),
    action,
    options,
  ]),
);

test("[S0-24] every action of the stage is checked", () => {
  expect(Object.keys(OPTIONS)).toEqual(PRE_INSERT.map(({ name }) => name));
});

test.each(CASES)(
  "[S0-24][S0-33] %s: drafts name the methods and fill the fields it claims",
  async (_, action, options) => {
    const world = await openPreInsertWorld({ pre: [chosen(action, options)], fields: FIELDS });
    try {
      const { drafts, entries } = await world.keep(TALK);
      const claims = action.claims?.(action.options.parse(options)) ?? {};
      const methods = new Set(drafts.map(({ insertMethod }) => insertMethod));
      // An action that claims no method leaves the one its drafts came with.
      expect([...methods]).toEqual(claims.insertMethods ?? ["default"]);
      const fields = drafts.flatMap(({ vectors }) => vectors.map(({ space }) => space.split("#")[1]));
      const filled = new Set(fields.filter((name) => name !== undefined));
      expect([...filled].sort()).toEqual((claims.vectorFields ?? []).map(({ name }) => name).sort());
      // Who, when and from what stay with whatever is made of a turn.
      for (const { sources, metadata } of entries) {
        expect(sources.length).toBeGreaterThan(0);
        expect(metadata.persons).toBeDefined();
      }
    } finally {
      await world.close();
    }
  },
);
