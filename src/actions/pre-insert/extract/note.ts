/**
 * An A-MEM note (Xu et al., 2025) of what was said: `metadata.keywords`, `metadata.context`, and its tags as tags. What is
 * embedded differs between paper and releases, so the preset says.
 */
import { z } from "zod";
import type { PreInsertContext } from "../../../pipeline/action.ts";
import type { Draft } from "../../../pipeline/draft.ts";
import { NOTE_FORMS, noteText } from "../../../policies/note-text.ts";
import { writeNote } from "../../../tasks/write-note.ts";
import { promptOption } from "../prompt-option.ts";
import { withMetadata, withTags } from "./findings.ts";

export const noteOptions = z.strictObject({
  extract_type: z.literal("note").describe("Keywords, context and tags of a memory, as A-MEM notes them."),
  note_prompt: promptOption("keywords, context and tags"),
  embed_note: z
    .enum(NOTE_FORMS)
    .describe(
      "What of a note is embedded: its content alone (released library), its context and keywords (paper's code), or all four parts (paper).",
    ),
});
type Options = z.infer<typeof noteOptions>;

export async function takeNote(
  draft: Draft,
  { think }: PreInsertContext,
  { note_prompt, embed_note }: Options,
): Promise<Draft> {
  const { keywords, context, tags } = await think(writeNote, { text: draft.content }, note_prompt);
  const noted = withTags(withMetadata(draft, { keywords, context }), tags);
  if (embed_note === "content") return noted;
  const { content } = draft;
  return { ...noted, embedText: noteText({ content, context, keywords, tags }, embed_note) };
}
