/**
 * What was said last of the same comes first. Two memories say the same of something if they differ in one stretch of words
 * only ("The capital of X is A", "The capital of X is B") and the question asks for nothing that stands only there (a word
 * that also stands in what they share is asked of both: "Ann Lee is married to Bo Lee"): then both answer it equally well, and
 * the newer one is more likely to hold. They change places; nothing is dropped. Where scores tell more than nearness, one that
 * scores much less does not answer it equally well.
 */
import { z } from "zod";
import type { Found, FoundHit } from "../../../pipeline/question.ts";
import { contentWords, plainText } from "../../../tasks/rules/statement.ts";
import { splitWords } from "../../../text/words.ts";
import { rescored } from "../found-hits.ts";

export const newestOfSameOptions = z.strictObject({
  rerank_type: z
    .literal("newest_of_same")
    .describe(
      "Of memories that differ in one stretch of words, which the question does not name, the newest first.",
    ),
  min_shared: z
    .number()
    .gt(0)
    .max(1)
    .describe("What part of the longer one's words must stand in both, before and behind that stretch."),
  max_gap: z
    .number()
    .min(0)
    .nullable()
    .describe("How far apart the scores of two may lie that are to change places; null: however far."),
});
type Options = z.infer<typeof newestOfSameOptions>;

export function newestOfSameFirst(
  found: Found,
  { note }: { note(name: string, value: number): void },
  { min_shared, max_gap }: Options,
): Found {
  const { hits, question } = found;
  const asked = contentWords(question.text);
  const wordsOf = new Map(
    hits.map((hit) => [hit, splitWords(plainText(hit.content)).map(({ text }) => text)]),
  );
  const isSame = (one: FoundHit, other: FoundHit): boolean =>
    saysSame(wordsOf.get(one) ?? [], wordsOf.get(other) ?? [], asked, min_shared);
  const out = [...hits];
  const seen = new Set<FoundHit>();
  let moved = 0;
  for (const hit of hits) {
    if (seen.has(hit)) continue;
    const isNear = (other: FoundHit): boolean => max_gap === null || hit.score - other.score <= max_gap;
    const group = hits.filter(
      (other) => other === hit || (!seen.has(other) && isNear(other) && isSame(hit, other)),
    );
    for (const one of group) seen.add(one);
    const newest = [...group].sort((a, b) => b.happenedAt - a.happenedAt || (a.id < b.id ? 1 : -1));
    for (const [rank, one] of newest.entries()) {
      const place = group[rank];
      if (place === undefined || place === one) continue;
      out[hits.indexOf(place)] = rescored(one, place.score, { found: one.score });
      moved++;
    }
  }
  note("moved", moved);
  return moved === 0 ? found : { ...found, hits: out };
}

function saysSame(
  first: readonly string[],
  second: readonly string[],
  asked: ReadonlySet<string>,
  least: number,
): boolean {
  const shorter = Math.min(first.length, second.length);
  let start = 0;
  while (start < shorter && first[start] === second[start]) start++;
  let end = 0;
  while (end < shorter - start && first.at(-1 - end) === second.at(-1 - end)) end++;
  const longer = Math.max(first.length, second.length);
  // What begins otherwise speaks of something else.
  if (start === 0 || start + end < least * longer) return false;
  const shared = contentWords([...first.slice(0, start), ...first.slice(first.length - end)].join(" "));
  const own = [first, second].map((words) => words.slice(start, words.length - end).join(" "));
  return own.every(
    (stretch) => ![...contentWords(stretch)].some((word) => asked.has(word) && !shared.has(word)),
  );
}
