/**
 * Is an answer right? Two judges, one generous and one strict, because the judge's prompt moves a score more than the memory
 * does: the same released answers were 91 of 100 to one judge and 35 to another. Their prompts are files of the package.
 * Without a model there is no judging: a rule that plays the judge would be a third measure under the name of these two.
 */
import { z } from "zod";
import { MemoryError } from "../../base/errors.ts";
import { NO_INFORMATION } from "../../tasks/answer.ts";
import { questionSchema } from "../../tasks/dialogue.ts";
import { flagForm } from "../../tasks/reply-forms.ts";
import { runTask } from "../../tasks/run-task.ts";
import { defineTask } from "../../tasks/task.ts";
import { languageOf } from "../../tasks/task-language.ts";
import type { QuestionLine } from "../result.ts";
import type { Asking } from "./asking.ts";

export const JUDGE_NAMES = ["judge_lenient", "judge_strict"] as const;
export type JudgeName = (typeof JUDGE_NAMES)[number];

/** One judge: what it is asked and what it replies is the same for both, the prompt is not. */
export function judgeTask(name: JudgeName) {
  return defineTask({
    name,
    summary: "Whether an answer says the same as the reference answer to a question.",
    fallback: "None: without a model nothing is judged.",
    input: z.object({ question: questionSchema, reference: z.string(), answer: z.string() }),
    reply: z.preprocess(fromLabel, z.object({ correct: flagForm, reasoning: z.string().default("") })),
    prompt: name,
    placeholders: ["question", "reference", "answer"],
    fill: ({ question, reference, answer }) => ({ question, reference, answer }),
    about: ({ question }) => question,
    local: () => {
      throw new MemoryError("capability_missing", `${name} needs a model. Valid: a run with one.`);
    },
  });
}

const labelled = z.looseObject({ label: z.string() });

/** The published judges answer with a label, CORRECT or WRONG. */
function fromLabel(value: unknown): unknown {
  const parsed = labelled.safeParse(value);
  if (!parsed.success || "correct" in parsed.data) return value;
  return { ...parsed.data, correct: /^\s*(?:correct|正确)/i.test(parsed.data.label) };
}

export interface Verdict {
  readonly isRight: boolean;
  readonly reason: string;
}

/** What both judges say of an answer. */
export async function judgeBoth(
  question: string,
  reference: string,
  answer: string,
  asking: Asking,
): Promise<Readonly<Record<JudgeName, Verdict>>> {
  const ask = async (name: JudgeName): Promise<Verdict> => {
    const { reply } = await runTask(judgeTask(name), { question, reference, answer }, asking);
    return { isRight: reply.correct, reason: reply.reasoning };
  };
  const [lenient, strict] = await Promise.all([ask("judge_lenient"), ask("judge_strict")]);
  return { judge_lenient: lenient, judge_strict: strict };
}

/** More of them, as names of one person, tell a judge nothing new. */
const MOST_REFERENCES = 10;

/** What judges hold an answer against, one line for each right answer; undefined where none is known. */
export function referenceOf({
  text,
  expects,
  answers,
}: Pick<QuestionLine, "text" | "expects" | "answers">): string | undefined {
  if (expects === "abstain") return NO_INFORMATION[languageOf(text)];
  return answers.length === 0 ? undefined : answers.slice(0, MOST_REFERENCES).join("\n");
}
