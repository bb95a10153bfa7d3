/** What do the answers of a run say together? Means with their intervals, what was asked in vain apart, and what judges let pass. */
import { estimateAll } from "../measures/bootstrap.ts";
import { categoriesOf } from "../measures/summarize.ts";
import { keyOf } from "../report/run.ts";
import type { Estimate, ModelUse, QuestionLine } from "../result.ts";
import type { AnswerLine, AnswersHead, PlantedLine } from "./answer-line.ts";
import { addUse, NO_USE } from "./asking.ts";
import { JUDGE_NAMES, type JudgeName } from "./judges.ts";
import { PLANT_RULES } from "./planted-answers.ts";

type Estimates = Readonly<Record<string, Estimate>>;

export interface JudgedRun {
  readonly format: 1;
  readonly run: string;
  readonly models: { readonly answer: string; readonly judge: string };
  readonly hits: number | null;
  readonly seed: number;
  readonly prompts: string;
  /** Over the questions that expect an answer. */
  readonly overall: Estimates;
  /** Over those where saying that nothing is told is right. */
  readonly abstain: Estimates;
  readonly byCategory: Readonly<Record<string, Estimates>>;
  /** Of answers that are wrong, the share each judge let pass: all of them, and by how they were made. */
  readonly falsePositives: Readonly<Record<JudgeName, Estimates>>;
  /** Questions without an answer or a judgement, by why. */
  readonly failed: Readonly<Record<string, number>>;
  readonly cost: { readonly answers: ModelUse; readonly judges: ModelUse; readonly planted: ModelUse };
}

export function judgedRun(
  head: AnswersHead,
  lines: readonly QuestionLine[],
  answers: ReadonlyMap<string, AnswerLine>,
  planted: readonly PlantedLine[],
): JudgedRun {
  const answered = lines.filter((line) => answers.has(keyOf(line)));
  const answersTo = (some: readonly QuestionLine[]): AnswerLine[] =>
    some.map((line) => answers.get(keyOf(line))).filter((found) => found !== undefined);
  const estimatesOf = (some: readonly QuestionLine[]): Estimates =>
    measured(
      answersTo(some).map(({ measures }) => measures),
      head.seed,
    );
  const expecting = (what: "answer" | "abstain") => answered.filter(({ expects }) => expects === what);
  const sum = (uses: readonly ModelUse[]): ModelUse => uses.reduce(addUse, NO_USE);
  return {
    format: 1,
    run: head.run,
    models: { answer: head.answerModel, judge: head.judgeModel },
    hits: head.hits,
    seed: head.seed,
    prompts: head.prompts,
    overall: estimatesOf(expecting("answer")),
    abstain: estimatesOf(expecting("abstain")),
    byCategory: Object.fromEntries(categoriesOf(answered).map(([name, some]) => [name, estimatesOf(some)])),
    falsePositives: judgeFalsePositives(planted, head.seed),
    failed: failures([...answersTo(answered), ...planted]),
    cost: {
      answers: sum(answersTo(answered).map(({ use }) => use.answer)),
      judges: sum(answersTo(answered).map(({ use }) => use.judges)),
      planted: sum(planted.map((one) => one.use)),
    },
  };
}

/** The share of wrong answers that each judge let pass, under "all" and under each way they were made. */
export function judgeFalsePositives(
  planted: readonly PlantedLine[],
  seed: number,
): Readonly<Record<JudgeName, Estimates>> {
  const of = (judge: JudgeName): Estimates => {
    const passed = (some: readonly PlantedLine[]) => some.flatMap((one) => one.passed[judge] ?? []);
    const byRule = PLANT_RULES.map(
      (rule) => [rule, passed(planted.filter((one) => one.rule === rule))] as const,
    );
    return estimateAll(new Map([["all", passed(planted)], ...byRule]), seed);
  };
  const [lenient, strict] = JUDGE_NAMES;
  return { [lenient]: of(lenient), [strict]: of(strict) };
}

function measured(some: readonly AnswerLine["measures"][], seed: number): Estimates {
  const names = [...new Set(some.flatMap((one) => Object.keys(one)))];
  return estimateAll(new Map(names.map((name) => [name, some.flatMap((one) => one[name] ?? [])])), seed);
}

function failures(lines: readonly { readonly error?: string | undefined }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { error } of lines) if (error !== undefined) counts[error] = (counts[error] ?? 0) + 1;
  return counts;
}
