/** Which of the facts that came to mind bear on the question? Recognition memory of HippoRAG 2. */
import { z } from "zod";
import { printNumbered, questionSchema } from "./dialogue.ts";
import { rankByRelevance } from "./local/relevance.ts";
import { numbersForm, unknownNumbers } from "./reply-forms.ts";
import { defineTask } from "./task.ts";

const tripleSchema = z.object({
  subject: z.string(),
  relation: z.string(),
  object: z.string(),
  /** How near it is to the question, 0 to 1, where that is known. */
  near: z.number().optional(),
});

export const filterFacts = defineTask({
  name: "filter_facts",
  summary: "Which of a few facts help to answer a question, by their numbers; none is a valid answer.",
  fallback:
    "Those near enough to the question, where nearness is known; else those that share a content word with it.",
  input: z.object({
    question: questionSchema,
    facts: z.array(tripleSchema),
    /** For the answer by rules: how near a fact must be. */
    least: z.number().optional(),
  }),
  reply: z.object({ keep: numbersForm }),
  prompt: "filter_facts",
  placeholders: ["question", "facts"],
  fill: (input) => ({ question: input.question, facts: printNumbered(input.facts.map(sentenceOf)) }),
  about: (input) => input.question,
  obvious: (input) => (input.facts.length === 0 ? { keep: [] } : undefined),
  local: ({ question, facts, least }) => ({
    keep: (least === undefined ? byWords(question, facts) : byNearness(facts, least)).sort((a, b) => a - b),
  }),
  problems: (reply, input) => unknownNumbers(reply.keep, input.facts.length, "fact"),
});

function byWords(question: string, facts: readonly z.infer<typeof tripleSchema>[]): number[] {
  return rankByRelevance(question, facts.map(sentenceOf))
    .filter(({ shared }) => shared.length > 0)
    .map(({ index }) => index);
}

function byNearness(facts: readonly z.infer<typeof tripleSchema>[], least: number): number[] {
  return facts.flatMap(({ near = 0 }, place) => (near >= least ? [place] : []));
}

function sentenceOf({ subject, relation, object }: z.infer<typeof tripleSchema>): string {
  return `${subject} ${relation} ${object}`;
}
