/**
 * Names that a memory can be found by, in `metadata.mentions`: graph services link memories that speak of the same. By rules
 * alone, names, quotations, things named by several words, identifiers (Mem0's third version).
 */
import { z } from "zod";
import type { Draft } from "../../../pipeline/draft.ts";
import { findTopicNames, TOPIC_KINDS } from "../../../text/topic-names.ts";
import type { Findings } from "./findings.ts";

export const mentionOptions = z.strictObject({
  extract_type: z
    .literal("mention")
    .describe(
      "Names, quotations, compounds and identifiers, in metadata.mentions, by which memories are linked.",
    ),
  mention_types: z.array(z.enum(TOPIC_KINDS)).min(1).describe("Which of them count."),
  max_mentions: z.int().min(1).describe("Most that are kept of a text, the first found."),
});

export async function findMentioned(
  { content, turns }: Draft,
  { mention_types, max_mentions }: z.infer<typeof mentionOptions>,
): Promise<Findings> {
  const persons = [...new Set(turns.map(({ speaker }) => speaker).filter((name) => name !== ""))];
  const found = await findTopicNames(content, { persons });
  const wanted = found.filter(({ kind }) => mention_types.includes(kind)).map(({ text }) => text);
  const mentions = wanted.slice(0, max_mentions);
  return { metadata: { mentions }, terms: mentions };
}
