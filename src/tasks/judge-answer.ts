/** Is an answer right, held against the reference? The judge of benchmark runs. */
import { z } from "zod";
import { splitWords } from "../text/words.ts";
import { questionSchema } from "./dialogue.ts";
import { flagForm } from "./reply-forms.ts";
import { isNegated, oppositionOf } from "./rules/polarity.ts";
import { contentWords, overlapOf, plainText } from "./rules/statement.ts";
import { defineTask } from "./task.ts";

export const judgeAnswer = defineTask({
  name: "judge_answer",
  summary: "Whether an answer says the same as the reference answer to a question.",
  fallback:
    "The reference stands in the answer and is not denied there, or both share enough of their words and do not contradict each other.",
  input: z.object({ question: questionSchema, reference: z.string(), answer: z.string() }),
  reply: z.preprocess(fromLabel, z.object({ correct: flagForm, reasoning: z.string().default("") })),
  prompt: "judge_answer",
  placeholders: ["question", "reference", "answer"],
  fill: (input) => ({ question: input.question, reference: input.reference, answer: input.answer }),
  about: (input) => input.question,
  local: ({ reference, answer }) => {
    const [gold, said] = [plainText(reference), plainText(answer)];
    if (gold === "" || said === "") return { correct: gold === said, reasoning: "" };
    if (holds(said, gold)) return { correct: affirms(answer, gold), reasoning: "" };
    const { jaccard, ofFirst, ofSecond } = overlapOf(contentWords(gold), contentWords(said));
    // F1 of the two parts; a number that differs decides by itself.
    const f1 = ofFirst + ofSecond === 0 ? 0 : (2 * ofFirst * ofSecond) / (ofFirst + ofSecond);
    const isOpposed = oppositionOf(gold, said) !== undefined || differInNumbers(gold, said);
    return { correct: !isOpposed && (f1 >= ENOUGH || jaccard === 1), reasoning: "" };
  },
});

const ENOUGH = 0.6;

/** Whether the reference stands in the answer, as words; Chinese has no spaces, but 但是 does not say 是. */
function holds(said: string, gold: string): boolean {
  if (` ${said} `.includes(` ${gold} `)) return true;
  if (!/\p{Script=Han}/u.test(gold) || !said.includes(gold)) return false;
  const isContent = contentWords(gold).size > 0;
  return isContent || said.startsWith(gold) || splitWords(said).some(({ text }) => text === gold);
}

/** Whether the answer says what it holds, and does not deny it: "not tea", "no longer likes tea", 不喜欢猫. */
function affirms(answer: string, gold: string): boolean {
  const clauses = answer
    .split(CLAUSE)
    .map(plainText)
    .filter((clause) => holds(clause, gold));
  // A reference of several clauses is in none of them.
  if (clauses.length === 0) return oppositionOf(gold, plainText(answer)) === undefined;
  return clauses.some((clause) => {
    const whole = ` ${clause} `.indexOf(` ${gold} `);
    const end = (whole < 0 ? clause.indexOf(gold) : whole) + gold.length;
    const isEnded = /^\s*(?:no (?:longer|more)|not any ?more)\b/.test(clause.slice(end));
    return isNegated(clause.slice(0, end)) === isNegated(gold) && !isEnded;
  });
}

const CLAUSE = /[,;:!?，。；：！？、\n]|\.(?=\s|$)|\b(?:but|however|although)\b|但是?|而是|可是|不过/iu;

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
