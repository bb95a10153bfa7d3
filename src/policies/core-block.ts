/**
 * What may be done to a block of core memory? MemGPT's two edits: lines are added at the end, and an exact part is replaced
 * (by nothing: it is taken out). A block has a limit in characters, and an edit that would not fit is refused with what
 * would be valid, because the one who edits is a model and reads it.
 */
import { z } from "zod";
import { MemoryError } from "../base/errors.ts";

export const blockSchema = z.strictObject({
  label: z
    .string()
    .regex(/^[\p{L}\p{N}_]{1,32}$/u, "a label is 1–32 letters, digits and _")
    .describe("What the block is called."),
  limit: z.int().min(1).describe("Most characters it may hold."),
  initial: z
    .string()
    .min(1)
    .nullable()
    .describe(
      "What it holds before anything is written; null: nothing, and then there is no such entry yet.",
    ),
});
export type BlockRule = Readonly<z.infer<typeof blockSchema>>;

/** The block with one more line. */
export function appended(rule: BlockRule, current: string, content: string): string {
  const line = content.trim();
  if (line === "")
    throw new MemoryError("input_invalid", "There is nothing to append. Valid: a text that is not empty.");
  return fitting(rule, current === "" ? line : `${current}\n${line}`);
}

/** The block with one exact part replaced, the first where there are several. */
export function replaced(rule: BlockRule, current: string, old: string, by: string): string {
  const at = old === "" ? -1 : current.indexOf(old);
  if (at === -1) {
    throw new MemoryError(
      "input_invalid",
      `The block "${rule.label}" does not hold the text to be replaced. Valid: a part of the block, exactly as it stands there.`,
    );
  }
  const edited = `${current.slice(0, at)}${by}${current.slice(at + old.length)}`;
  // What was taken out leaves no empty lines behind.
  const kept = by === "" ? edited.replace(/\n{2,}/g, "\n").trim() : edited;
  return fitting(rule, kept);
}

/** In characters, as a reader counts them. */
export function lengthOf(text: string): number {
  return [...text].length;
}

function fitting({ label, limit }: BlockRule, text: string): string {
  const length = lengthOf(text);
  if (length <= limit) return text;
  throw new MemoryError(
    "text_too_large",
    `The block "${label}" would hold ${length} characters, and its limit is ${limit}. Valid: a shorter text, a replacement of what stands there, or archival memory.`,
    { details: { label, limit, length } },
  );
}
