/** Can a question be answered from a text alone? SCM asks it of the raw turn and of its summary before it drops either. */
import { z } from "zod";
import { splitSentences } from "../text/sentences.ts";
import { momentSchema, questionSchema, referenceOf, withTimestamp } from "./dialogue.ts";
import { answerKindOf } from "./local/question.ts";
import { rankByRelevance } from "./local/relevance.ts";
import { holdsKind } from "./local/short-answer.ts";
import { flagForm } from "./reply-forms.ts";
import { defineTask } from "./task.ts";

export const canAnswer = defineTask({
  name: "can_answer",
  summary: "Whether a question can be answered from one text alone.",
  fallback: "Most of the question's words are in it, and something of the kind that is asked for.",
  input: z.object({
    question: questionSchema,
    text: z.string(),
    happenedAt: momentSchema.optional(),
    zone: z.string().nullish(),
  }),
  reply: z.object({ can_answer: flagForm }),
  prompt: "can_answer",
  placeholders: ["question", "text"],
  fill: (input) => ({ question: input.question, text: withTimestamp(input, input.text) }),
  about: (input) => input.question,
  obvious: (input) => (input.text.trim() === "" ? { can_answer: false } : undefined),
  local: async (input) => {
    const [whole] = rankByRelevance(input.question, [input.text]);
    if (whole === undefined || whole.coverage < COVERED) return { can_answer: false };
    const kind = answerKindOf(input.question);
    const reference = referenceOf(input) ?? { at: 0, zone: "UTC" };
    for (const { text } of splitSentences(input.text)) {
      if (await holdsKind(input.question, kind, { text, reference })) return { can_answer: true };
    }
    return { can_answer: false };
  },
});

/** The part of the question's words that must be there: one of two, two of three. */
const COVERED = 0.5;
