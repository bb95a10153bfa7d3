/**
 * What says the same is said once, by the best of those that say it. The same is the same text whatever its case, width,
 * punctuation or Chinese script; near to it is a text with nearly the same words that contradicts it in nothing.
 */
import { z } from "zod";
import type { PostRetrievalContext } from "../../../pipeline/action.ts";
import type { Found, FoundHit } from "../../../pipeline/question.ts";
import { simplify } from "../../../text/simplify.ts";
import { wordSet } from "../word-likeness.ts";
import { type Statement, sayTheSame } from "./same-statement.ts";

export const dedupOptions = z.strictObject({
  filter_type: z.literal("dedup").describe("Every text once."),
  near_threshold: z
    .number()
    .gt(0)
    .max(1)
    .nullable()
    .describe(
      "The share of words in common (Jaccard) from which on two texts say the same, if neither denies the other and order, numbers and persons agree; null: only equal texts.",
    ),
});

export function keepDistinct(
  found: Found,
  { note }: PostRetrievalContext,
  { near_threshold }: z.infer<typeof dedupOptions>,
): Found {
  const kept: { hit: FoundHit; plain: string; said: Statement }[] = [];
  const dropped: { id: string; same_as: string }[] = [];
  for (const hit of found.hits) {
    const plain = plainOf(hit.text);
    const said = { text: hit.text, words: wordSet(hit.text) };
    const twin = kept.find(
      (one) => one.plain === plain || (near_threshold !== null && sayTheSame(one.said, said, near_threshold)),
    );
    if (twin === undefined) kept.push({ hit, plain, said });
    else dropped.push({ id: hit.id, same_as: twin.hit.id });
  }
  if (dropped.length > 0) note("dropped", dropped);
  return { ...found, hits: kept.map(({ hit }) => hit) };
}

function plainOf(text: string): string {
  const folded = simplify(text.normalize("NFKC").toLowerCase());
  const words = folded.replace(/[\s\p{P}]+/gu, " ").trim();
  // A text of signs alone is compared sign by sign.
  return words === "" ? folded.trim() : words;
}
