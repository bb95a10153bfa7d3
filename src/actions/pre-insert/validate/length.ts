/** Neither too short nor too long; what is too long can be cut. */
import { z } from "zod";
import type { Draft } from "../../../pipeline/draft.ts";
import { splitWords } from "../../../text/words.ts";
import { measuresOf } from "../recast.ts";
import type { Failure } from "./rule.ts";

export const lengthRule = z
  .strictObject({
    rule: z.literal("length").describe("Neither too short nor too long."),
    min_chars: z.number().int().min(0).nullable().describe("Fewest characters; null: no bound."),
    max_chars: z.number().int().min(1).nullable().describe("Most characters; null: no bound."),
  })
  .refine(({ min_chars, max_chars }) => min_chars === null || max_chars === null || min_chars <= max_chars, {
    path: ["min_chars"],
    error: "must not be above max_chars",
  });

export function checkLength(
  draft: Draft,
  { min_chars, max_chars }: z.infer<typeof lengthRule>,
): Failure | undefined {
  const length = [...draft.content].length;
  if (min_chars !== null && length < min_chars) {
    return { problem: `has ${length} characters, fewer than ${min_chars}` };
  }
  if (max_chars === null || length <= max_chars) return undefined;
  // It is the same text, only cut: what is known of it stays, and what was embedded of it whole goes.
  const { embedText: _embedText, ...kept } = draft;
  const content = firstChars(draft.content, max_chars);
  return {
    problem: `has ${length} characters, more than ${max_chars}`,
    repaired: { ...kept, content, vectors: measuresOf(draft) },
  };
}

/** After the last word that ends within them, if there is one. */
function firstChars(text: string, most: number): string {
  const within = [...text].slice(0, most).join("");
  const ends = splitWords(text).map(({ text: word, index }) => index + word.length);
  return text.slice(0, ends.findLast((end) => end <= within.length) ?? within.length);
}
