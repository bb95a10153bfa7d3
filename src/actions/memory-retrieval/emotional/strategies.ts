/**
 * How do meaning and mood become one order? The five rules of Emotional RAG (Huang et al., 2024) over two distances that
 * are not scaled to each other, smaller is better: d_sem, Euclidean between unit vectors of the texts, and d_emo, 1 − cosine
 * of the eight emotions. C-M gives nothing to choose by where moods are parallel (all products are 0): then, as for every
 * other tie, the smaller d_sem decides.
 */
import type { FoundHit } from "../../../pipeline/question.ts";

export const EMOTION_STRATEGIES = ["original_rag", "c_a", "c_m", "s_c", "s_s"] as const;
export type EmotionStrategy = (typeof EMOTION_STRATEGIES)[number];

export interface Measured {
  readonly hit: FoundHit;
  readonly d_sem: number;
  readonly d_emo: number;
}

/** Below this, moods are parallel and what differs is rounding. */
const ROUNDING = 1e-6;

/** Of unit vectors: |a − b|² = 2 − 2·cos. */
export function semanticDistance(cosine: number): number {
  return Math.sqrt(Math.max(0, 2 - 2 * cosine));
}

export function emotionDistance(cosine: number): number {
  const distance = 1 - cosine;
  return distance < ROUNDING ? 0 : distance;
}

/** The distance that a strategy orders by in the end. */
export function distanceOf({ d_sem, d_emo }: Pick<Measured, "d_sem" | "d_emo">, by: EmotionStrategy): number {
  switch (by) {
    case "c_a":
      return d_sem + d_emo;
    case "c_m":
      return d_sem * d_emo;
    case "s_c":
      return d_emo;
    case "original_rag":
    case "s_s":
      return d_sem;
  }
}

/** Nearest first. */
export function inOrder(items: readonly Measured[], by: EmotionStrategy): Measured[] {
  return items.toSorted(
    (a, b) => distanceOf(a, by) - distanceOf(b, by) || a.d_sem - b.d_sem || (a.hit.id < b.hit.id ? -1 : 1),
  );
}
