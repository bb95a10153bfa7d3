/**
 * What does it feel like? (S0-29; Emotional RAG, 2024.) Eight numbers from 1 to 10 in the vector field "emotion", by which
 * recall may compare moods, and the strongest of them as category and intensity.
 */
import { z } from "zod";
import type { PreInsertContext } from "../../../pipeline/action.ts";
import type { Draft } from "../../../pipeline/draft.ts";
import { measureSpace } from "../../../services/vector-fields.ts";
import { scoreEmotion } from "../../../tasks/score-emotion.ts";
import { EMOTIONS } from "../../../text/emotion.ts";
import { promptOption } from "../prompt-option.ts";

/** The vector field, and how many numbers it has. */
export const EMOTION_FIELD = { name: "emotion", dimension: EMOTIONS.length } as const;

export const emotionOptions = z.strictObject({
  score_type: z.literal("emotion").describe("How strongly a memory shows each of eight emotions."),
  emotion_prompt: promptOption("the emotions of a text"),
});

/** The task's scale: not there, and as strong as can be. */
const LEAST = 1;
const MOST = 10;

export async function feelDraft(
  draft: Draft,
  { think }: PreInsertContext,
  { emotion_prompt }: z.infer<typeof emotionOptions>,
): Promise<Draft> {
  const scores = await think(scoreEmotion, { text: draft.content }, emotion_prompt);
  const values = Float32Array.from(EMOTIONS, (emotion) => scores[emotion]);
  const strongest = EMOTIONS.reduce((best, emotion) => (scores[emotion] > scores[best] ? emotion : best));
  const intensity = (scores[strongest] - LEAST) / (MOST - LEAST);
  const space = measureSpace(EMOTION_FIELD.name);
  return {
    ...draft,
    vectors: [...draft.vectors.filter((vector) => vector.space !== space), { space, values }],
    insertMethod: "emotion_insert",
    insertParams: {
      ...draft.insertParams,
      emotion: { category: intensity === 0 ? "neutral" : strongest, intensity },
    },
  };
}
