/** Is what was found enough to answer? The adequacy check of SimpleMem's reflection on retrieval (S2-30, C-14). */
import { z } from "zod";
import { memorySchema, printMemories, questionSchema, referenceOf } from "./dialogue.ts";
import { answerKindOf } from "./local/question.ts";
import { rankByRelevance, uncoveredWords } from "./local/relevance.ts";
import { holdsKind } from "./local/short-answer.ts";
import { type InformationPlan, planSchema, printPlan } from "./plan-information.ts";
import { distinctTexts, sentencesForm } from "./reply-forms.ts";
import { defineTask } from "./task.ts";

export const checkCompleteness = defineTask({
  name: "check_completeness",
  summary:
    "Whether the memories that were found are enough to answer a question, what is missing, and how much is covered.",
  fallback:
    "The question's words must be among the memories, and one of the best must hold the kind of thing asked for.",
  input: z.object({ question: questionSchema, memories: z.array(memorySchema), plan: planSchema.optional() }),
  reply: z.object({
    assessment: z.preprocess(
      (value) => (typeof value === "string" ? value.trim().toLowerCase() : value),
      z.enum(["complete", "incomplete"]),
    ),
    reasoning: z.string().default(""),
    missing_info_types: sentencesForm,
    coverage_percentage: z.preprocess(
      (value) => (typeof value === "string" ? Number.parseFloat(value) : value),
      z.number().min(0).max(100),
    ),
  }),
  prompt: "check_completeness",
  placeholders: ["question", "plan", "memories"],
  fill: (input) => ({
    question: input.question,
    plan: printPlan(input.plan),
    memories: printMemories(input.memories),
  }),
  about: (input) => input.question,
  obvious: (input) =>
    input.memories.length === 0
      ? {
          assessment: "incomplete",
          reasoning: "",
          missing_info_types: [input.question.trim()].filter(Boolean),
          coverage_percentage: 0,
        }
      : undefined,
  local: async ({ question, memories, plan }) => {
    const texts = memories.map(({ text }) => text);
    const ranked = rankByRelevance(question, texts);
    const missing = [...uncoveredWords(question, texts), ...unmet(plan, texts)];
    const kind = answerKindOf(question);
    let isThere = false;
    for (const { index, coverage } of ranked.slice(0, LOOKED_AT)) {
      const memory = memories[index];
      if (memory === undefined || coverage < COVERED) break;
      isThere ||= await holdsKind(question, kind, {
        text: memory.text,
        reference: referenceOf(memory) ?? { at: 0, zone: "UTC" },
      });
    }
    const best = ranked[0]?.coverage ?? 0;
    const isComplete = isThere && missing.length === 0;
    return {
      assessment: isComplete ? "complete" : "incomplete",
      reasoning: "",
      missing_info_types: isComplete ? [] : distinctTexts([...missing, ...(isThere ? [] : [kind])]),
      coverage_percentage: Math.round(100 * (isThere ? best : best / 2)),
    };
  },
  spoken: (reply) => [reply.reasoning],
});

const LOOKED_AT = 5;
/** The part of the question that a memory must cover to count as an answer. */
const COVERED = 0.4;

/** What the plan asks for and no memory speaks of. */
function unmet(plan: InformationPlan | undefined, texts: readonly string[]): string[] {
  const wanted = (plan?.required_info ?? []).filter(({ priority }) => priority === "high");
  return wanted.flatMap(({ info_type, description }) => {
    const best = rankByRelevance(description, texts)[0]?.coverage ?? 0;
    return best >= COVERED ? [] : [info_type];
  });
}
