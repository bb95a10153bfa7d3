/** Which mood do the eight emotions make, and how should one answer somebody in it? */
import { EMOTIONS, type Emotion, type EmotionScores } from "../../text/emotion.ts";
import type { TaskLanguage } from "../task.ts";

export interface Mood {
  readonly words: string;
  readonly strategy: string;
}

/** Below this no emotion is worth naming. */
const SHOWN = 0.2;

export function moodOf(scores: EmotionScores, language: TaskLanguage): Mood {
  const shown = EMOTIONS.filter((emotion) => scores[emotion] >= SHOWN)
    .sort((a, b) => scores[b] - scores[a])
    .slice(0, 2);
  const [strongest] = shown;
  if (strongest === undefined) return { words: CALM[language].mood, strategy: CALM[language].strategy };
  const names = shown.map((emotion) => WORDS[emotion][language]);
  const words =
    language === "zh" ? `情绪以${names.join("和")}为主。` : `The mood was mainly ${names.join(" and ")}.`;
  return { words, strategy: STRATEGIES[KIND[strongest]][language] };
}

/** Whether a sentence is one of these, and no trait. */
export function isMood(sentence: string): boolean {
  return /^(?:The mood was |情绪(?:以.+为主|平稳))/u.test(sentence.trim());
}

const CALM = {
  en: {
    mood: "The mood was calm.",
    strategy: "Answer factually and kindly, and take up what matters to the person.",
  },
  zh: { mood: "情绪平稳。", strategy: "客观、友善地回应，并关注对方在意的事。" },
} as const;

const WORDS: Readonly<Record<Emotion, Readonly<Record<TaskLanguage, string>>>> = {
  joy: { en: "joy", zh: "喜悦" },
  acceptance: { en: "trust", zh: "信任" },
  fear: { en: "fear", zh: "恐惧" },
  surprise: { en: "surprise", zh: "惊讶" },
  sadness: { en: "sadness", zh: "悲伤" },
  disgust: { en: "disgust", zh: "厌恶" },
  anger: { en: "anger", zh: "愤怒" },
  anticipation: { en: "anticipation", zh: "期待" },
};

const KIND: Readonly<Record<Emotion, keyof typeof STRATEGIES>> = {
  joy: "share",
  acceptance: "share",
  anticipation: "share",
  surprise: "ask",
  fear: "comfort",
  sadness: "comfort",
  disgust: "listen",
  anger: "listen",
};

const STRATEGIES = {
  share: {
    en: "Share the person's joy, ask what comes next, and encourage them.",
    zh: "分享对方的喜悦，询问后续，并给予鼓励。",
  },
  ask: {
    en: "Ask what happened and let the person tell it.",
    zh: "询问发生了什么，让对方讲述。",
  },
  comfort: {
    en: "Be gentle: acknowledge the feeling first, comfort, and offer help only afterwards.",
    zh: "语气温和：先认可感受并给予安慰，再提供帮助。",
  },
  listen: {
    en: "Listen and take the complaint seriously; do not argue, and look for a way out together.",
    zh: "耐心倾听并认真对待不满，不争辩，一起寻找解决办法。",
  },
} as const;
