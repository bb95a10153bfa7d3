/** What must be known to answer a question? The first step of SimpleMem's planned retrieval (S2-24). */
import { z } from "zod";
import { extractKeywords } from "../text/keywords.ts";
import { oneLine, questionSchema } from "./dialogue.ts";
import { namesIn } from "./local/names.ts";
import { answerKindOf, statementOf } from "./local/question.ts";
import { subQuestions } from "./local/sub-questions.ts";
import { distinctTexts, scaleForm, sentencesForm, termsOrNoneForm, textForm } from "./reply-forms.ts";
import { defineTask } from "./task.ts";

const PRIORITIES = ["high", "medium", "low"] as const;

export const planSchema = z.object({
  question_type: textForm,
  key_entities: termsOrNoneForm,
  required_info: z.array(
    z.object({
      info_type: textForm,
      description: textForm,
      priority: z.preprocess(
        (value) => (typeof value === "string" ? value.trim().toLowerCase() : value),
        z.enum(PRIORITIES).catch("medium"),
      ),
    }),
  ),
  relationships: z.preprocess((value) => value ?? [], sentencesForm),
  minimal_queries_needed: scaleForm(1, 10),
});
export type InformationPlan = z.infer<typeof planSchema>;

export const planInformation = defineTask({
  name: "plan_information",
  summary:
    "What kind of question it is, whom and what it is about, which pieces of information it needs, and how many queries.",
  fallback:
    "The kind of answer by the words of asking, names and keywords as entities, one piece of information per sub-question.",
  input: z.object({ question: questionSchema }),
  reply: planSchema,
  prompt: "plan_information",
  placeholders: ["question"],
  fill: (input) => ({ question: input.question }),
  about: (input) => input.question,
  local: async ({ question }) => {
    const names = (await namesIn(question)).all;
    const keywords = extractKeywords(question, { limit: 4 }).map(({ text }) => text);
    const parts = subQuestions(question);
    return {
      question_type: answerKindOf(question),
      key_entities: distinctTexts(names.length > 0 ? names : keywords),
      required_info: parts.map((part) => ({
        info_type: answerKindOf(part),
        description: statementOf(part) || "?",
        priority: "high" as const,
      })),
      relationships: [],
      minimal_queries_needed: Math.min(10, Math.max(1, parts.length)),
    };
  },
  spoken: (reply) => reply.required_info.map(({ description }) => description),
});

/** A plan as it is shown to the steps that follow it. */
export function printPlan(plan: InformationPlan | undefined): string {
  if (plan === undefined) return "";
  const { question_type, key_entities, required_info, relationships } = plan;
  return [
    `question_type: ${question_type}`,
    `key_entities: ${key_entities.join(", ")}`,
    ...required_info.map(
      ({ info_type, description, priority }) => `- ${info_type} (${priority}): ${description}`,
    ),
    ...relationships.map((relationship) => `- ${relationship}`),
  ]
    .map(oneLine)
    .join("\n");
}
