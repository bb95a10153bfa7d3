/** How strongly does a text show each of the eight emotions, from 1 to 10? As Emotional RAG compares memories. */
import { z } from "zod";
import { EMOTIONS, type Emotion } from "../text/emotion.ts";
import { emotionVector, scoreEmotions } from "../text/emotions.ts";
import { scaleForm } from "./reply-forms.ts";
import { defineTask } from "./task.ts";

const score = scaleForm(1, 10);

export const scoreEmotion = defineTask({
  name: "score_emotion",
  summary:
    "How strongly a text shows joy, acceptance, fear, surprise, sadness, disgust, anger and anticipation, each 1 to 10.",
  fallback: "Words of feeling in English and Chinese lexicons, with negation and degree.",
  input: z.object({ text: z.string() }),
  reply: z.preprocess(
    fromList,
    z.object({
      joy: score,
      acceptance: score,
      fear: score,
      surprise: score,
      sadness: score,
      disgust: score,
      anger: score,
      anticipation: score,
    }),
  ),
  prompt: "score_emotion",
  placeholders: ["text"],
  fill: (input) => ({ text: input.text }),
  about: (input) => input.text,
  local: (input) => {
    const vector = emotionVector(scoreEmotions(input.text));
    const of = (emotion: Emotion): number => Math.round(vector[EMOTIONS.indexOf(emotion)] ?? 1);
    return {
      joy: of("joy"),
      acceptance: of("acceptance"),
      fear: of("fear"),
      surprise: of("surprise"),
      sadness: of("sadness"),
      disgust: of("disgust"),
      anger: of("anger"),
      anticipation: of("anticipation"),
    };
  },
});

const entry = z.object({ dim: z.string(), score: z.unknown() });
const listed = z.union([
  z.array(entry),
  z.object({ emotions: z.array(entry) }).transform(({ emotions }) => emotions),
]);

const named = z.record(z.string(), z.unknown());

/** As an object, or in the published form, a list of { analysis, dim, score }. What it leaves out is not there, which is 1. */
function fromList(value: unknown): unknown {
  const none = EMOTIONS.map((emotion): [string, unknown] => [emotion, 1]);
  const parsed = listed.safeParse(value);
  if (!parsed.success) {
    const { data = {} } = named.safeParse(value);
    const isSome = EMOTIONS.some((emotion) => data[emotion] !== undefined);
    return isSome ? { ...Object.fromEntries(none), ...data } : value;
  }
  const said = parsed.data.map(({ dim, score: given }): [string, unknown] => [
    dim.trim().toLowerCase(),
    given,
  ]);
  return Object.fromEntries([...none, ...said]);
}
