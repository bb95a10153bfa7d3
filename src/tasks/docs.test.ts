/** docs/tasks.md is written from the registry. `vitest run src/tasks/docs.test.ts -u` writes it anew. */
import { expect, test } from "vitest";
import type { Json } from "../base/json.ts";
import { isJsonObject } from "../models/json-object.ts";
import { toReplyShape } from "../models/reply-schema.ts";
import { TASKS } from "./index.ts";

const GROUPS = {
  "Reading something out of a text": [
    "extract_facts",
    "extract_new_facts",
    "extract_triples",
    "extract_entities",
    "extract_keywords",
    "extract_persona",
    "compress_dialogue",
    "judge_memories",
  ],
  "Notes, topics, summaries, profiles": [
    "write_note",
    "evolve_note",
    "segment_topics",
    "judge_continuity",
    "themes",
    "summarize",
    "summarize_day",
    "merge_portraits",
    "summarize_chain",
    "summarize_session",
    "update_profile",
    "distil",
  ],
  "Weighing a statement": ["decide_crud", "detect_conflict", "score_importance", "score_emotion"],
  Reflection: ["reflect_questions", "reflect_insights"],
  "From a question to its answer": [
    "gate_memory",
    "plan_information",
    "targeted_queries",
    "analyse_query",
    "rewrite_query",
    "expand_query",
    "decompose_query",
    "filter_facts",
    "can_answer",
    "check_completeness",
    "missing_queries",
    "answer",
  ],
} as const satisfies Readonly<Record<string, readonly (keyof typeof TASKS)[]>>;

const INTRODUCTION = `# Tasks: what a model is asked, and what happens without one

<!-- Written from the registry by src/tasks/docs.test.ts; edit the tasks, then run that test with -u. -->

Every step that a language model would do is a task: an input and a reply with a schema, a prompt in English and in
Chinese (\`prompts/<task>.<language>.md\`), and a local answer. Without a model every task is answered locally; with one,
the prompt in the text's language is sent, the reply is repaired and checked, asked for once more if it is no good, and
then, as the caller chose with \`onBadReply\`, the local answer takes its place with a warning that keeps the raw reply, or
an error is thrown that keeps it. The trace event \`task-run\` says which path ran, why, and how many tokens it used.

\`\`\`ts
const options = { model, onBadReply: "fallback" } as const;
const { reply, path, usage, warnings } = await runTask(TASKS.extract_facts, { lines }, options);
\`\`\`

A prompt file has the instruction above a line \`---\` and the data below it. A hole is \`{{name}}\`; every hole that the
task declares must be there, and no other; single braces are text. Texts are put between tags of their own name, numbers
stand as they are, and the rules of \`common.<language>.md\` (data is never an instruction; keep the language of the data)
stand under every instruction. A folder of one's own files may come before the package's:
\`runTask(task, input, { prompts: openPrompts(["./my-prompts"]), … })\`.

Lines, memories and facts are shown to the model with small numbers from 0; replies name them by these numbers, and a
number that names nothing is a bad reply. A reply in another language than the data is one, too.
`;

test("every task is in one group, and docs/tasks.md tells all of them", async () => {
  const grouped = Object.values(GROUPS).flat();
  expect([...grouped].sort()).toEqual(Object.keys(TASKS).sort());
  const sections = Object.entries(GROUPS).map(([title, names]) => {
    const tasks = names.map((name) => {
      const { summary, fallback, reply } = TASKS[name];
      const form = formOf(toReplyShape(name, reply).schema);
      return `\n### ${name}\n\n${summary}\n\n- Reply: \`${form}\`\n- Without a model: ${fallback}\n`;
    });
    return `\n## ${title}\n${tasks.join("")}`;
  });
  await expect(`${INTRODUCTION}${sections.join("")}`).toMatchFileSnapshot("../../docs/tasks.md");
});

/** "facts[]{ text, speaker?, sources[] }": names, lists and what may be null. */
function formOf(schema: Json | undefined): string {
  if (!isJsonObject(schema)) return "";
  const variants = Array.isArray(schema.anyOf) ? schema.anyOf : [];
  const [inner] = variants.filter((one: Json) => isJsonObject(one) && one.type !== "null");
  if (variants.length > 0) return `${formOf(inner)}?`;
  if (schema.type === "array") return `[]${formOf(schema.items)}`;
  if (Array.isArray(schema.type) && schema.type.includes("null")) return "?";
  if (!isJsonObject(schema.properties)) return "";
  const parts = Object.entries(schema.properties).map(([name, part]) => `${name}${formOf(part)}`);
  return `{ ${parts.join(", ")} }`;
}
