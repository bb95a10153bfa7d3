/**
 * What does asking and judging leave behind? Lines of JSON beside those of the run they belong to, which stays as it was: one
 * that says how it was asked, one for every answer, one for every wrong answer that was put to the judges to try them.
 */
import { z } from "zod";
import { keyOf } from "../report/run.ts";
import type { QuestionLine } from "../result.ts";
import { PLANT_RULES } from "./planted-answers.ts";

const use = z.object({
  calls: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  usd: z.number().nullable(),
});

const head = z.object({
  type: z.literal("head"),
  format: z.literal(1),
  run: z.string(),
  /** SHA-256 of the questions with what was recalled for them. */
  results: z.string(),
  answerModel: z.string(),
  judgeModel: z.string(),
  /** SHA-256 of the prompts of answers and judges. */
  prompts: z.string(),
  /** So many hits were shown; null: all that were recalled. */
  hits: z.number().nullable(),
  seed: z.number(),
  /** Most planted answers. */
  planted: z.number(),
});

const answer = z.object({
  type: z.literal("answer"),
  case: z.string(),
  question: z.string(),
  answer: z.string().nullable(),
  /** f1, answer_contains, judge_lenient, judge_strict; null: cannot be said of this question. */
  measures: z.record(z.string(), z.number().nullable()),
  /** Why each judge judged so. */
  reasons: z.record(z.string(), z.string()),
  /** Why there is no answer, or no judgement. */
  error: z.string().optional(),
  use: z.object({ answer: use, judges: use }),
});

const planted = z.object({
  type: z.literal("planted"),
  rule: z.enum(PLANT_RULES),
  case: z.string(),
  question: z.string(),
  reference: z.string(),
  answer: z.string(),
  /** By judge: 1 where it let the wrong answer pass. */
  passed: z.record(z.string(), z.number()),
  error: z.string().optional(),
  use,
});

export const answersLineSchema = z.discriminatedUnion("type", [head, answer, planted]);

export type AnswersHead = Readonly<z.infer<typeof head>>;
export type AnswerLine = Readonly<z.infer<typeof answer>>;
export type PlantedLine = Readonly<z.infer<typeof planted>>;
export type AnswersLine = AnswersHead | AnswerLine | PlantedLine;

/** The lines of a run with what was answered and judged, for whoever shows or compares them. */
export function withAnswers(lines: readonly QuestionLine[], answers: readonly AnswerLine[]): QuestionLine[] {
  const known = new Map(answers.map((line) => [keyOf(line), line]));
  const last = new Map(lastAsked(lines).map((line) => [keyOf(line), line]));
  return lines.map((line) => {
    const found = last.get(keyOf(line)) === line ? known.get(keyOf(line)) : undefined;
    if (found === undefined) return line;
    const { answer: said, measures, error } = found;
    return {
      ...line,
      ...(said === null ? {} : { answer: said }),
      ...(error === undefined ? {} : { error }),
      measures: { ...line.measures, ...measures },
    };
  });
}

/** Of a question that was asked at several points of the stream, the last time: what is answered. */
export function lastAsked(lines: readonly QuestionLine[]): QuestionLine[] {
  const last = new Map<string, QuestionLine>();
  for (const line of lines) {
    const known = last.get(keyOf(line));
    if (known === undefined || line.point.number >= known.point.number) last.set(keyOf(line), line);
  }
  return [...last.values()];
}
