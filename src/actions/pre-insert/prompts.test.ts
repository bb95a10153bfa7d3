/** Every option that names a prompt file changes what the model is asked; a reply that is no reply follows on_bad_reply. */
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import type { ActionDefinition } from "../../pipeline/action.ts";
import { measureField, textField } from "../../services/vector-fields.ts";
import { TASKS, type TaskName } from "../../tasks/index.ts";
import { hashEmbedder } from "../../testing/hash-embedder.ts";
import { chosen } from "../../testing/pipeline-world.ts";
import { openPreInsertWorld } from "../../testing/pre-insert-world.ts";
import { compressWindow } from "./compress-window.ts";
import { extract } from "./extract.ts";
import { scmEmbed } from "./scm-embed.ts";
import { score } from "./score.ts";
import { transform } from "./transform.ts";
import { triEmbed } from "./tri-embed.ts";

interface Case {
  readonly action: ActionDefinition<"pre_insert">;
  readonly options: JsonObject;
  readonly prompt: string;
  readonly task: TaskName;
}

const segment = { min_segment_size: 0, max_segment_size: 100 };
const all = {
  extract_type: "all",
  max_keywords: 3,
  entity_types: ["person"],
  max_nouns: 3,
  add_to_metadata: true,
  keyword_prompt: "extract_keywords",
  entity_prompt: "extract_entities",
  persona_prompt: "extract_persona",
};
const use = (
  action: ActionDefinition<"pre_insert">,
  prompt: string,
  task: TaskName,
  options: JsonObject,
): Case => ({ action, prompt, task, options });

const database = {
  transform_type: "session_database",
  date_style: "day",
  fact_prompt: "extract_facts",
  summarize_prompt: "summarize_session",
  summary_max_words: 20,
};

const CASES: readonly Case[] = [
  use(triEmbed, "triple_extraction_prompt", "extract_triples", { max_triples: 5, entry: "passage" }),
  use(transform, "segment_prompt", "segment_topics", { transform_type: "topic_segment", ...segment }),
  use(transform, "segment_prompt", "segment_topics", {
    transform_type: "segment_denoise",
    exchange_turns: 1,
    malformed_exchanges: 3,
    ratio: 0.9,
    ...segment,
  }),
  use(transform, "fact_prompt", "extract_facts", {
    transform_type: "fact_extract",
    fact_format: "statement",
  }),
  use(transform, "summarize_prompt", "summarize", {
    transform_type: "summarize",
    summary_max_tokens: 5,
    target_tier: null,
  }),
  use(transform, "fact_prompt", "extract_facts", { ...database, database: "observation" }),
  use(transform, "summarize_prompt", "summarize_session", { ...database, database: "summary" }),
  use(transform, "continuity_prompt", "judge_continuity", {
    transform_type: "continuity_check",
    strategy: "structured",
  }),
  use(extract, "keyword_prompt", "extract_keywords", {
    extract_type: "keyword",
    max_keywords: 3,
    add_to_metadata: true,
  }),
  use(extract, "entity_prompt", "extract_entities", {
    extract_type: "entity",
    entity_types: ["person"],
    add_to_metadata: true,
  }),
  use(extract, "persona_prompt", "extract_persona", { extract_type: "persona" }),
  use(extract, "triple_extraction_prompt", "extract_triples", { extract_type: "triple", max_triples: 3 }),
  use(extract, "fact_prompt", "extract_facts", { extract_type: "fact" }),
  use(extract, "themes_prompt", "themes", { extract_type: "multi_summary", max_themes: 2 }),
  use(extract, "note_prompt", "write_note", { extract_type: "note", embed_note: "content" }),
  use(extract, "keyword_prompt", "extract_keywords", all),
  use(extract, "entity_prompt", "extract_entities", all),
  use(extract, "persona_prompt", "extract_persona", all),
  use(score, "importance_prompt", "score_importance", {
    score_type: "importance",
    scale: 10,
    high_threshold: 8,
    middle_threshold: 5,
    high_tier: null,
    middle_tier: null,
  }),
  use(score, "emotion_prompt", "score_emotion", { score_type: "emotion" }),
  use(scmEmbed, "summarize_prompt", "summarize", {
    embed_type: "three_way",
    insert_method: "scm_insert",
    summary_threshold_tokens: 1,
    summary_max_tokens: 20,
    embed_summary: true,
  }),
  use(compressWindow, "compress_prompt", "compress_dialogue", {
    window_size: 4,
    overlap: 1,
    previous_entries: 1,
    parallel_windows: 1,
  }),
];

const TALK = [
  { text: "I moved to Rome and I love my dog Rex.", speaker: "Ada" },
  { text: "我住在上海，我喜欢喝茶。", speaker: "小美" },
];

async function run({ action, options, prompt, task }: Case, onBadReply: "fallback" | "throw") {
  const { placeholders } = TASKS[task];
  const file = `A prompt of my own.\n\n---\n\n${placeholders.map((name) => `{{${name}}}`).join("\n")}\n`;
  const world = await openPreInsertWorld({
    pre: [chosen(action, { ...options, [prompt]: "my_own" })],
    chat: "I would rather not.",
    onBadReply,
    promptFiles: { my_own: file },
    fields: [textField("content", hashEmbedder().spaces), measureField("emotion", 8)],
    input: { unit: "packet", with_speaker: true },
  });
  try {
    await world.keep(TALK);
    return { kept: await world.keep(TALK), asked: world.asked() };
  } finally {
    await world.close();
  }
}

describe.each(CASES)("$action.name with $prompt $options.transform_type $options.extract_type", (one) => {
  test("[S0-92][C-30] the prompt file that the preset names is what the model is asked by", async () => {
    const { kept, asked } = await run(one, "fallback");
    expect(asked).toContain("A prompt of my own.");
    expect(kept.entries.length).toBeGreaterThan(0);
    const options = one.action.options.parse({ ...one.options, [one.prompt]: "my_own" });
    expect(one.action.claims?.(options).prompts).toContainEqual({ task: TASKS[one.task], prompt: "my_own" });
  });

  test("a reply that is none stops the insert where the preset says so", async () => {
    await expect(run(one, "throw")).rejects.toMatchObject({ code: "reply_invalid" });
  });
});

test("[B.0.9-9] a prompt file with another placeholder than its task fills is refused, not sent with a hole", async () => {
  const world = await openPreInsertWorld({
    pre: [chosen(extract, { extract_type: "note", note_prompt: "my_own", embed_note: "content" })],
    chat: "{}",
    promptFiles: { my_own: "Note this.\n\n---\n\n{{dialogue}}\n" },
  });
  try {
    await expect(world.keep(TALK)).rejects.toThrow(/dialogue.*memory/su);
    expect(world.asked()).toBe("[]");
  } finally {
    await world.close();
  }
});
