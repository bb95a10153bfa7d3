/**
 * What of a dialogue deserves to be remembered, as a judgment with its reason? SimpleMemory's record (S3-9, B.3): one of five
 * types, the judgment itself, why it holds, and the tags that a later chat must mention to bring it back.
 */
import { z } from "zod";
import { joinLines, linesSchema, printLines } from "./dialogue.ts";
import { judgedMemories } from "./local/judged-memories.ts";
import { MEMORY_TYPES, memoryTypeOf } from "./memory-types.ts";
import {
  distinctTexts,
  numbersOrNoneForm,
  termsOrNoneForm,
  textForm,
  unknownNumbers,
} from "./reply-forms.ts";
import { defineTask } from "./task.ts";

/** What is none of the five types is knowledge (B.3). */
const typeForm = z.preprocess(
  (value) => (typeof value === "string" ? memoryTypeOf(value) : value),
  z.enum(MEMORY_TYPES).catch("knowledge"),
);

export const judgeMemories = defineTask({
  name: "judge_memories",
  summary:
    "What of a dialogue deserves to be remembered: a judgment, why it holds, its type (knowledge, event, skill, task, emotional) and tags.",
  fallback:
    "Every sentence that tells something, restated with names and absolute times; its names and keywords are its tags.",
  input: z.object({
    lines: linesSchema,
    /** Most tags of a memory. */
    max_tags: z.number().int().min(1),
  }),
  reply: z.object({
    memories: z.array(
      z.object({
        type: typeForm,
        judgment: textForm,
        reasoning: textForm,
        tags: termsOrNoneForm,
        sources: numbersOrNoneForm,
      }),
    ),
  }),
  prompt: "judge_memories",
  placeholders: ["dialogue", "max_tags"],
  fill: (input) => ({ dialogue: printLines(input.lines), max_tags: input.max_tags }),
  about: (input) => joinLines(input.lines),
  local: async ({ lines, max_tags }) => ({ memories: await judgedMemories(lines, max_tags) }),
  problems: (reply, input) =>
    unknownNumbers(
      reply.memories.flatMap(({ sources }) => sources),
      input.lines.length,
      "line",
    ),
  settle: (reply, { max_tags }) => ({
    memories: reply.memories.map((memory) => ({
      ...memory,
      tags: distinctTexts(memory.tags).slice(0, max_tags),
    })),
  }),
  spoken: (reply) => reply.memories.map(({ judgment }) => judgment),
});
