/**
 * The nouns of a text, as LD-Agent compares topics by them: `metadata.nouns`. English by a tagger; Chinese content words,
 * since nothing here tags Chinese.
 */
import { z } from "zod";
import type { Draft } from "../../../pipeline/draft.ts";
import { tagEnglish } from "../../../text/english-tagger.ts";
import { extractKeywords } from "../../../text/keywords.ts";
import { isStopWord } from "../../../text/stop-words.ts";
import { addToMetadata, type Findings } from "./findings.ts";

export const nounFields = {
  max_nouns: z.number().int().min(1).describe("Most nouns of a text, in the order they are said."),
};

export const nounOptions = z.strictObject({
  extract_type: z.literal("noun").describe("The nouns of a text."),
  ...nounFields,
  add_to_metadata: addToMetadata,
});

const HAN_OR_MARKS = /[\p{Script=Han}\u3000-\u303f\uff00-\uff65]/gu;

export async function findNouns(
  { content }: Draft,
  { max_nouns }: { readonly max_nouns: number },
): Promise<Findings> {
  const english = (await tagEnglish(content.replace(HAN_OR_MARKS, "\n"))).flat();
  const nouns = english.filter(
    ({ plain, tags }) => tags.has("Noun") && !tags.has("Pronoun") && isWord(plain),
  );
  const han = content.replace(/[^\p{Script=Han}\u3000-\u303f\uff00-\uff65\n]+/gu, "\n");
  const chinese = extractKeywords(han, { limit: max_nouns }).map(({ text }) => text);
  const inOrder = [...nouns.map(({ plain, index }) => ({ text: plain, index })), ...placed(chinese, content)];
  const all = inOrder.sort((a, b) => a.index - b.index).map(({ text }) => text);
  const kept = [...new Set(all)].slice(0, max_nouns);
  return { metadata: { nouns: kept }, terms: kept };
}

function placed(words: readonly string[], text: string): { readonly text: string; readonly index: number }[] {
  return words.map((word) => ({ text: word, index: text.indexOf(word) }));
}

function isWord(text: string): boolean {
  return /\p{L}{2}/u.test(text) && !isStopWord(text);
}
