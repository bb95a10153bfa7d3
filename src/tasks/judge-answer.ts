/** Is an answer right, held against the reference? The judge of benchmark runs. */
import { z } from "zod";
import { questionSchema } from "./dialogue.ts";
import { flagForm } from "./reply-forms.ts";
import { oppositionOf } from "./rules/polarity.ts";
import { contentWords, overlapOf, plainText } from "./rules/statement.ts";
import { defineTask } from "./task.ts";

export const judgeAnswer = defineTask({
  name: "judge_answer",
  summary: "Whether an answer says the same as the reference answer to a question.",
  fallback:
    "The reference stands in the answer, or both share enough of their words and do not contradict each other.",
  input: z.object({ question: questionSchema, reference: z.string(), answer: z.string() }),
  reply: z.preprocess(fromLabel, z.object({ correct: flagForm, reasoning: z.string().default("") })),
  prompt: "judge_answer",
  placeholders: ["question", "reference", "answer"],
  fill: (input) => ({ question: input.question, reference: input.reference, answer: input.answer }),
  about: (input) => input.question,
  local: ({ reference, answer }) => {
    const [gold, said] = [plainText(reference), plainText(answer)];
    if (gold === "" || said === "") return { correct: gold === said, reasoning: "" };
    if (` ${said} `.includes(` ${gold} `) || (/\p{Script=Han}/u.test(gold) && said.includes(gold))) {
      return { correct: true, reasoning: "" };
    }
    const { jaccard, ofFirst, ofSecond } = overlapOf(contentWords(gold), contentWords(said));
    // F1 of the two parts; a number that differs decides by itself.
    const f1 = ofFirst + ofSecond === 0 ? 0 : (2 * ofFirst * ofSecond) / (ofFirst + ofSecond);
    const isOpposed = oppositionOf(gold, said) !== undefined || differInNumbers(gold, said);
    return { correct: !isOpposed && (f1 >= ENOUGH || jaccard === 1), reasoning: "" };
  },
});

const ENOUGH = 0.6;

function differInNumbers(gold: string, said: string): boolean {
  const numbers = (text: string): string[] => [...text.matchAll(/\d+/g)].map(([digits]) => digits);
  const known = new Set(numbers(said));
  return numbers(gold).some((number) => !known.has(number));
}

const labelled = z.looseObject({ label: z.string() });

/** The published judges answer with a label, CORRECT or WRONG. */
function fromLabel(value: unknown): unknown {
  const parsed = labelled.safeParse(value);
  if (!parsed.success || "correct" in parsed.data) return value;
  return { ...parsed.data, correct: /^\s*(?:correct|正确)/i.test(parsed.data.label) };
}
