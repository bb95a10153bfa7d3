/**
 * Which nouns does a text name, as LD-Agent (Li et al., 2024) compares topics by them? English by a tagger, in the
 * singular, so that "dogs" and "a dog" meet; Chinese content words, since nothing here tags Chinese.
 */
import { tagEnglish } from "./english-tagger.ts";
import { extractKeywords } from "./keywords.ts";
import { isStopWord } from "./stop-words.ts";

const HAN_OR_MARKS = /[\p{Script=Han}\u3000-\u303f\uff00-\uff65]/gu;
const NEITHER = /[^\p{Script=Han}\u3000-\u303f\uff00-\uff65\n]+/gu;

/** Each once, in the order they are said, at most so many. */
export async function findNouns(text: string, limit: number): Promise<string[]> {
  const tagged = (await tagEnglish(text.replace(HAN_OR_MARKS, "\n"), undefined, "roots")).flat();
  const english = tagged.filter(
    ({ plain, tags }) => tags.has("Noun") && !tags.has("Pronoun") && isWord(plain),
  );
  const chinese = extractKeywords(text.replace(NEITHER, "\n"), { limit }).map((keyword) => keyword.text);
  const inOrder = [
    ...english.map(({ root, index }) => ({ noun: root, index })),
    ...chinese.map((noun) => ({ noun, index: text.indexOf(noun) })),
  ].sort((a, b) => a.index - b.index);
  return [...new Set(inOrder.map(({ noun }) => noun))].slice(0, limit);
}

function isWord(text: string): boolean {
  return /\p{L}{2}/u.test(text) && !isStopWord(text);
}
