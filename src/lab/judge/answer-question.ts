/**
 * What does a model answer from what was recalled, and from nothing else? The task is the one that `Memory.ask` uses, with its
 * prompt: a short phrase in the words of the memories, dates written out, "No information available." where they do not tell.
 * Nobody is told the category: questions that cannot be answered are asked like all others, not as a choice of two.
 */
import { answer as answerTask } from "../../tasks/answer.ts";
import { runTask } from "../../tasks/run-task.ts";
import type { QuestionLine } from "../result.ts";
import type { Asking } from "./asking.ts";

export interface AnswerLimits {
  /** So many of the hits are shown, best first; unsaid: all that were recalled. */
  readonly hits?: number | undefined;
}

export async function answerQuestion(
  { text, askedAt, hits }: Pick<QuestionLine, "text" | "askedAt" | "hits">,
  asking: Asking,
  limits: AnswerLimits = {},
): Promise<string> {
  const shown = hits.slice(0, limits.hits ?? hits.length);
  const given = {
    question: text,
    memories: shown.map((hit) => ({ text: hit.whole ?? hit.text, happenedAt: hit.at })),
    happenedAt: askedAt,
  };
  const { reply } = await runTask(answerTask, given, asking);
  return reply.answer;
}
