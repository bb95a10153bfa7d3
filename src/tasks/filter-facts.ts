/** Which of the facts that came to mind bear on the question? Recognition memory of HippoRAG 2. */
import { z } from "zod";
import { printNumbered, questionSchema } from "./dialogue.ts";
import { rankByRelevance } from "./local/relevance.ts";
import { numbersForm, unknownNumbers } from "./reply-forms.ts";
import { defineTask } from "./task.ts";

const tripleSchema = z.object({ subject: z.string(), relation: z.string(), object: z.string() });

export const filterFacts = defineTask({
  name: "filter_facts",
  summary: "Which of a few facts help to answer a question, by their numbers; none is a valid answer.",
  fallback: "Those that share a content word with the question.",
  input: z.object({ question: questionSchema, facts: z.array(tripleSchema) }),
  reply: z.object({ keep: numbersForm }),
  prompt: "filter_facts",
  placeholders: ["question", "facts"],
  fill: (input) => ({ question: input.question, facts: printNumbered(input.facts.map(sentenceOf)) }),
  about: (input) => input.question,
  obvious: (input) => (input.facts.length === 0 ? { keep: [] } : undefined),
  local: ({ question, facts }) => ({
    keep: rankByRelevance(question, facts.map(sentenceOf))
      .filter(({ shared }) => shared.length > 0)
      .map(({ index }) => index)
      .sort((a, b) => a - b),
  }),
  problems: (reply, input) => unknownNumbers(reply.keep, input.facts.length, "fact"),
});

function sentenceOf({ subject, relation, object }: z.infer<typeof tripleSchema>): string {
  return `${subject} ${relation} ${object}`;
}
