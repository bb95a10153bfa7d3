/** Which questions do recent memories raise? The focal points of reflection in Generative Agents (C-14: insight). */
import { z } from "zod";
import { printNumbered } from "./dialogue.ts";
import { focalTopics } from "./local/focal-topics.ts";
import { sentencesForm } from "./reply-forms.ts";
import { defineTask } from "./task.ts";

export const reflectQuestions = defineTask({
  name: "reflect_questions",
  summary: "The `count` most salient questions that can be answered about the subjects of some statements.",
  fallback: "One question about each of the names and keywords that most statements share.",
  input: z.object({
    statements: z.array(z.string()).min(1),
    /** Generative Agents: 3. */
    count: z.number().int().min(1),
  }),
  reply: z.object({ questions: sentencesForm }),
  prompt: "reflect_questions",
  placeholders: ["statements", "count"],
  fill: (input) => ({ statements: printNumbered(input.statements), count: input.count }),
  about: (input) => input.statements.join("\n"),
  local: async ({ statements, count }, { language }) => {
    const topics = await focalTopics(statements, count);
    const ask = (topic: string): string =>
      language === "zh" ? `关于${topic}，有哪些重要的信息？` : `What is important about ${topic}?`;
    return { questions: topics.map(({ topic }) => ask(topic)) };
  },
  settle: ({ questions }, { count }) => ({ questions: questions.slice(0, count) }),
  spoken: (reply) => reply.questions,
});
