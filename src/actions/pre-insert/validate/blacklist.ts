/** None of these words; where one stands, it can be masked. Whole words in English, anywhere and in both scripts in Chinese. */
import { z } from "zod";
import type { Draft } from "../../../pipeline/draft.ts";
import { simplify } from "../../../text/simplify.ts";
import { recast } from "../recast.ts";
import type { Failure } from "./rule.ts";

export const blacklistRule = z.strictObject({
  rule: z.literal("blacklist").describe("None of these words."),
  words: z.array(z.string().regex(/\S/)).min(1).describe("Words or phrases, in any case and script."),
});

const MASK = "*";

export function checkBlacklist(draft: Draft, { words }: z.infer<typeof blacklistRule>): Failure | undefined {
  // Simplified letter by letter, so places in the one text are places in the other.
  const found = [...simplify(draft.content).matchAll(patternOf(words))];
  if (found.length === 0) return undefined;
  let content = draft.content;
  for (const { index, 0: word } of found) {
    content = content.slice(0, index) + MASK.repeat(word.length) + content.slice(index + word.length);
  }
  return { problem: `holds ${found.length} forbidden words`, repaired: recast(draft, { content }) };
}

function patternOf(words: readonly string[]): RegExp {
  const longestFirst = [...words].sort((a, b) => b.length - a.length);
  const parts = longestFirst.map((word) => {
    const plain = simplify(word.trim()).replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
    const before = /^[\p{L}\p{N}]/u.test(word) && !/^\p{Script=Han}/u.test(word) ? "(?<![\\p{L}\\p{N}])" : "";
    const after = /[\p{L}\p{N}]$/u.test(word) && !/\p{Script=Han}$/u.test(word) ? "(?![\\p{L}\\p{N}])" : "";
    return `${before}${plain}${after}`;
  });
  return new RegExp(parts.join("|"), "giu");
}
