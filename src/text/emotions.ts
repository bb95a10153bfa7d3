/**
 * Which of the eight basic emotions (Plutchik, 1980) does a text show, and how strongly? By lexicon; a negated feeling
 * counts half for its opposite on the wheel ("not happy" is a little sad). The order is the one Emotional RAG stores.
 */
import { EMOTIONS, type Emotion, type EmotionScores } from "./emotion.ts";
import { findFeelingWords, lexiconMap } from "./feeling-words.ts";
import { CHINESE_EMOTIONS } from "./lexicon/emotions-chinese.ts";
import { ENGLISH_EMOTIONS } from "./lexicon/emotions-english.ts";

export function scoreEmotions(text: string): EmotionScores {
  const sums: Record<Emotion, number> = {
    joy: 0,
    acceptance: 0,
    fear: 0,
    surprise: 0,
    sadness: 0,
    disgust: 0,
    anger: 0,
    anticipation: 0,
  };
  for (const { value, strength, negated } of findFeelingWords(text, lexicon())) {
    for (const emotion of value) {
      if (negated) sums[OPPOSITE[emotion]] += strength / 2;
      else sums[emotion] += strength;
    }
  }
  for (const emotion of EMOTIONS) sums[emotion] = sums[emotion] / (sums[emotion] + HALF);
  return sums;
}

/** The eight numbers from 1 (not there) to 10, in the order of EMOTIONS, as Emotional RAG compares them. */
export function emotionVector(scores: EmotionScores): number[] {
  return EMOTIONS.map((emotion) => 1 + 9 * scores[emotion]);
}

/** So much strength gives a score of one half. */
const HALF = 1.5;

const OPPOSITE: Readonly<Record<Emotion, Emotion>> = {
  joy: "sadness",
  sadness: "joy",
  acceptance: "disgust",
  disgust: "acceptance",
  fear: "anger",
  anger: "fear",
  surprise: "anticipation",
  anticipation: "surprise",
};

type Lexicon = Readonly<Record<"english" | "chinese", ReadonlyMap<string, readonly Emotion[]>>>;

let made: Lexicon | undefined;

function lexicon(): Lexicon {
  made ??= { english: mapOf(ENGLISH_EMOTIONS, "en"), chinese: mapOf(CHINESE_EMOTIONS, "zh") };
  return made;
}

/** A word may stand for several emotions. */
function mapOf(lists: Readonly<Record<Emotion, string>>, language: "en" | "zh"): Map<string, Emotion[]> {
  const out = new Map<string, Emotion[]>();
  for (const emotion of EMOTIONS) {
    for (const word of lexiconMap([[lists[emotion], emotion]], language).keys()) {
      const known = out.get(word);
      if (known === undefined) out.set(word, [emotion]);
      else known.push(emotion);
    }
  }
  return out;
}
