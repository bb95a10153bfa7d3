/**
 * A turn that somebody has judged already: its text is the judgment, and the rest stands under one reserved name in its
 * metadata, so that the journal alone brings the memory back. It becomes a draft as it was worded; actions that reword or
 * split pass it by (`Claims.rewrites`).
 */
import { z } from "zod";
import type { NewEntry } from "../base/entry.ts";
import { jsonObjectSchema } from "../base/json.ts";
import { labelSchema } from "../base/text-input.ts";
import type { Turn } from "../base/turn.ts";
import { MEMORY_TYPES } from "../tasks/memory-types.ts";

/** The reserved name. A caller's own metadata may not use it. */
export const JUDGMENT = "neuromem:judgment";

export const judgmentSchema = z.strictObject({
  type: z.enum(MEMORY_TYPES),
  reasoning: z.string(),
  tags: z.array(labelSchema).max(1000),
  strength: z.int32(),
  pinned: z.boolean(),
  importance: z.number().min(0).max(1).nullable(),
  /** The caller's own fields. */
  own: jsonObjectSchema.optional(),
});
export type Judgment = z.infer<typeof judgmentSchema>;

/** What was judged; undefined: it was only said. */
export function judgmentOf({ metadata }: Pick<Turn, "metadata">): Judgment | undefined {
  const found = metadata[JUDGMENT];
  return found === undefined ? undefined : judgmentSchema.safeParse(found).data;
}

export function isJudged(turn: Pick<Turn, "metadata">): boolean {
  return judgmentOf(turn) !== undefined;
}

/** What of an entry the judgment decides. */
export function judgedFields({ text }: Pick<Turn, "text">, judgment: Judgment): NewEntry {
  const { type, reasoning, tags, strength, pinned, importance } = judgment;
  return {
    content: text,
    kind: type,
    rationale: reasoning,
    tags,
    strength,
    pinned,
    ...(importance === null ? {} : { importance }),
  };
}

/** What is embedded of it: the judgment with its tags (B.3). */
export function judgedText({ content, tags = [] }: Pick<NewEntry, "content" | "tags">): string {
  return [content, ...tags].join(" ");
}
