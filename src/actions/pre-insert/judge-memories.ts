/**
 * What deserves to be remembered, as judgments with a reason, a type and tags (SimpleMemory; S3-9, B.3). The type is the
 * memory's kind and the reason its rationale. What is made here was not asked for by anybody, so it is not pinned and begins
 * with the strength of what is remembered in passing.
 */
import { z } from "zod";
import { labelSchema } from "../../base/text-input.ts";
import { defineAction, type PreInsertContext } from "../../pipeline/action.ts";
import type { Draft } from "../../pipeline/draft.ts";
import { judgeMemories as task } from "../../tasks/judge-memories.ts";
import { fromLines } from "./from-lines.ts";
import { linesOf } from "./lines-of.ts";
import { promptOption } from "./prompt-option.ts";

const options = z.strictObject({
  judge_prompt: promptOption("the memories in a dialogue, with type, reason and tags"),
  max_tags: z.int().min(1).describe("Most tags of a memory."),
  strength: z.int().describe("The strength that a memory begins with."),
});
type Options = z.infer<typeof options>;

export const judgeMemories = defineAction({
  stage: "pre_insert",
  name: "judge_memories",
  summary: "Makes judgments of what was said, each with its reason, its type and its tags (SimpleMemory).",
  options,
  claims: ({ judge_prompt: prompt }) => ({
    insertMethods: ["default"],
    rewrites: true,
    prompts: [{ task, prompt }],
  }),
  async run({ drafts }, context, given) {
    const made: Draft[] = [];
    for (const draft of drafts) made.push(...(await judged(draft, context, given)));
    context.note("memories", made.length);
    return made;
  },
});

async function judged(
  draft: Draft,
  { think }: PreInsertContext,
  { judge_prompt, max_tags, strength }: Options,
): Promise<Draft[]> {
  const lines = linesOf(draft);
  if (lines.length === 0) return [];
  const { memories } = await think(task, { lines: lines.map(({ line }) => line), max_tags }, judge_prompt);
  return memories.map(({ type, judgment, reasoning, tags, sources }) => {
    const told = sources.flatMap((number) => lines[number] ?? []);
    return fromLines(told.length > 0 ? told : lines, {
      kind: type,
      content: judgment,
      rationale: reasoning,
      tags: tags.filter((tag) => labelSchema.safeParse(tag).success),
      strength,
      insertMethod: "default",
    });
  });
}
