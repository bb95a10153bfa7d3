/** What is the answer, from these memories and nothing else? (S2-31.) */
import { z } from "zod";
import {
  memorySchema,
  momentSchema,
  printMemories,
  questionSchema,
  referenceOf,
  timestampOf,
} from "./dialogue.ts";
import { bestAnswer, quotedAnswer } from "./local/best-answer.ts";
import { numbersOrNoneForm, textForm, unknownNumbers } from "./reply-forms.ts";
import { defineTask, type TaskLanguage } from "./task.ts";

/** Said where nothing is known, with or without a model. */
export const NO_INFORMATION: Readonly<Record<TaskLanguage, string>> = {
  en: "No information available.",
  zh: "没有相关信息。",
};

export const answer = defineTask({
  name: "answer",
  summary:
    "The answer to a question from the given memories only, as a short phrase, with the numbers of the memories it rests on.",
  fallback:
    "The sentence that covers most of the question, or the time, person, place or number in it that was asked for; yes or no only where a sentence speaks of all that is asked; the first memory where none stands out, but the answer is likely to be there; nothing where it is doubted that the memories tell.",
  input: z.object({
    question: questionSchema,
    memories: z.array(memorySchema),
    /** When the question is asked. */
    happenedAt: momentSchema.optional(),
    zone: z.string().nullish(),
    /** Whoever found the memories doubts that the answer is among them; a model judges for itself. */
    isDoubtful: z.boolean().default(false),
    /** … or finds it more likely than not. */
    isLikely: z.boolean().default(false),
  }),
  reply: z.object({
    reasoning: z.string().default(""),
    answer: textForm,
    /** Numbers of the memories it was taken from. */
    evidence: numbersOrNoneForm,
  }),
  prompt: "answer",
  placeholders: ["question", "memories", "now"],
  fill: (input) => ({
    question: input.question,
    memories: printMemories(input.memories),
    now: timestampOf(input) ?? "",
  }),
  about: (input) => input.question,
  obvious: (input, { language }) =>
    input.memories.length === 0
      ? { reasoning: "", answer: NO_INFORMATION[language], evidence: [] }
      : undefined,
  local: async (input, { language }) => {
    const { question, memories, isDoubtful, isLikely } = input;
    const best = isDoubtful ? undefined : await bestAnswer(question, memories, referenceOf(input));
    const found = best ?? (isLikely && !isDoubtful ? quotedAnswer(question, memories) : undefined);
    if (found === undefined) return { reasoning: "", answer: NO_INFORMATION[language], evidence: [] };
    return { reasoning: found.sentence, answer: found.answer, evidence: [found.memory] };
  },
  problems: (reply, input) => unknownNumbers(reply.evidence, input.memories.length, "memory"),
  spoken: (reply) => [reply.answer],
});
