/** The eight basic emotions (Plutchik, 1980), in the order Emotional RAG stores them. */
export const EMOTIONS = [
  "joy",
  "acceptance",
  "fear",
  "surprise",
  "sadness",
  "disgust",
  "anger",
  "anticipation",
] as const;
export type Emotion = (typeof EMOTIONS)[number];
/** From 0, not there, to 1. */
export type EmotionScores = Readonly<Record<Emotion, number>>;
