/**
 * How pleasant is what a text says, from −1 to 1? A lexicon with negation and degree in the manner of VADER (Hutto &
 * Gilbert, 2014): a negated word turns round and weakens, and the sum is squashed so that long texts stay comparable.
 */
import { findFeelingWords, lexiconMap } from "./feeling-words.ts";
import { CHINESE_SENTIMENT } from "./lexicon/sentiment-chinese.ts";
import { ENGLISH_SENTIMENT } from "./lexicon/sentiment-english.ts";

/** 0 where nothing pleasant or unpleasant was found. */
export function scoreSentiment(text: string): number {
  let sum = 0;
  for (const { value, strength, negated } of findFeelingWords(text, LEXICON)) {
    sum += value * strength * (negated ? NEGATED : 1);
  }
  const loud = sum === 0 ? 0 : Math.sign(sum) * Math.min(3, exclamations(text)) * PER_EXCLAMATION;
  const total = sum + loud;
  return total / Math.sqrt(total * total + SPREAD);
}

const NEGATED = -0.7;
const PER_EXCLAMATION = 0.2;
/** With one word of strength 2 the score is about 0.6. */
const SPREAD = 7;

const LEXICON = {
  english: lexiconMap(weighted(ENGLISH_SENTIMENT), "en"),
  chinese: lexiconMap(weighted(CHINESE_SENTIMENT), "zh"),
};

function weighted(lists: Readonly<Record<string, string>>): (readonly [string, number])[] {
  return Object.entries(lists).map(([weight, words]) => [words, Number(weight)] as const);
}

function exclamations(text: string): number {
  return text.match(/[!！]/g)?.length ?? 0;
}
