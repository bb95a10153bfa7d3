/**
 * A run's questions answered by a model from what was recalled, and the answers judged. It reads what the run left behind and
 * writes beside it, so that one recall can be answered by many models, and no model's answer can change what was measured of
 * the recall. What was answered stays answered: a run that was stopped goes on, and asks nothing twice.
 */
import { createHash } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { mapLimited } from "../../models/map-limited.ts";
import type { ChatModel } from "../../models/model.ts";
import type { Prices } from "../../models/prices.ts";
import { answer as answerTask } from "../../tasks/answer.ts";
import { packagePrompts } from "../../tasks/prompt-library.ts";
import { TASK_LANGUAGES } from "../../tasks/task.ts";
import { keyOf } from "../report/run.ts";
import type { QuestionLine, RunSummary } from "../result.ts";
import type { AnswerLine, AnswersHead, PlantedLine } from "./answer-line.ts";
import { answerQuestion } from "./answer-question.ts";
import { openAnswers, plantKey } from "./answers-file.ts";
import { addUse, askingOf, isQuestionsOwn } from "./asking.ts";
import { type JudgedRun, judgedRun } from "./judged-run.ts";
import { JUDGE_NAMES, judgeBoth, judgeTask, referenceOf } from "./judges.ts";
import { type Planted, plantAnswers } from "./planted-answers.ts";
import { readAsked } from "./read-asked.ts";
import { scoreAnswer } from "./score-answer.ts";

export interface JudgeOptions {
  /** Who answers. */
  readonly model: ChatModel;
  /** Who judges. @default who answers */
  readonly judge?: ChatModel | undefined;
  /** So many hits are shown to who answers. @default all that were recalled */
  readonly hits?: number | undefined;
  /** Most wrong answers that are put to the judges. @default 100 */
  readonly planted?: number | undefined;
  /** @default 7 */
  readonly seed?: number | undefined;
  readonly prices?: Prices | undefined;
  /** What other models or prompts answered before is thrown away. */
  readonly isFresh?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told once how much there is to ask, then whenever one more is done. */
  readonly onBegin?: ((total: number) => void) | undefined;
  readonly onDone?: (() => void) | undefined;
}

/** Questions under way at once; how many requests a server gets at once is the model's own limit. */
const AT_ONCE = 4;

export async function judgeRun(folder: string, options: JudgeOptions): Promise<JudgedRun> {
  const { model, judge = model, hits, planted: most = 100, seed = 7, signal } = options;
  const { summary, lines } = await readAsked(folder);
  const plants = plantAnswers(lines, most, seed);
  const head: AnswersHead = {
    ...{ type: "head", format: 1, run: summary.run, results: hashOf(lines), prompts: await promptsHash() },
    ...{ answerModel: nameOf(model), judgeModel: nameOf(judge), hits: hits ?? null, seed, planted: most },
  };
  const isFresh = options.isFresh === true;
  // First: figures of other answers must not stand beside new ones, should this be stopped.
  if (isFresh) await rm(join(folder, "answers.json"), { force: true });
  const file = await openAnswers(join(folder, "answers.jsonl"), head, isFresh);
  const answers = new Map(file.answers);
  const planted = new Map(file.planted);
  const isLeft = (known: { readonly error?: string | undefined } | undefined): boolean =>
    known === undefined || known.error !== undefined;
  const leftLines = lines.filter((line) => isLeft(answers.get(keyOf(line))));
  const leftPlants = plants.filter((plant) => isLeft(planted.get(plantKey(plant))));
  options.onBegin?.(leftLines.length + leftPlants.length);

  const asked = { ...options, judge, seed };
  await mapLimited(
    leftLines,
    AT_ONCE,
    async (line, stop) => {
      const done = withEarlier(
        await answerOne(line, summary, { ...asked, signal: stop }),
        answers.get(keyOf(line)),
      );
      await file.append(done);
      answers.set(keyOf(done), done);
      options.onDone?.();
    },
    signal,
  );
  await mapLimited(
    leftPlants,
    AT_ONCE,
    async (plant, stop) => {
      const tried = await tryJudges(plant, { ...asked, signal: stop });
      const earlier = planted.get(plantKey(plant));
      const done = earlier === undefined ? tried : { ...tried, use: addUse(earlier.use, tried.use) };
      await file.append(done);
      planted.set(plantKey(done), done);
      options.onDone?.();
    },
    signal,
  );
  const inOrder = plants.flatMap((plant) => planted.get(plantKey(plant)) ?? []);
  const judged = judgedRun(head, lines, answers, inOrder);
  await writeFile(join(folder, "answers.json"), `${JSON.stringify(judged, null, 2)}\n`);
  return judged;
}

type Asked = JudgeOptions & { readonly judge: ChatModel; readonly seed: number };

async function answerOne(line: QuestionLine, { dataset }: RunSummary, asked: Asked): Promise<AnswerLine> {
  const [writer, judges] = [askingOf(asked.model, asked), askingOf(asked.judge, asked)];
  const empty = { f1: null, answer_contains: null, judge_lenient: null, judge_strict: null };
  const { case: one, question } = line;
  let said: string | null = null;
  let measures: Record<string, number | null> = empty;
  const done = (more: Pick<AnswerLine, "reasons" | "error">): AnswerLine => ({
    ...{ type: "answer", case: one, question, answer: said, measures },
    ...more,
    use: { answer: writer.use(), judges: judges.use() },
  });
  try {
    said = await answerQuestion(line, writer.asking, { hits: asked.hits });
    measures = { ...empty, ...scoreAnswer(dataset.kind, line, said) };
    const reference = referenceOf(line);
    if (reference === undefined) return done({ reasons: {} });
    const verdicts = await judgeBoth(line.text, reference, said, judges.asking);
    const reasons: Record<string, string> = {};
    for (const name of JUDGE_NAMES) {
      measures[name] = verdicts[name].isRight ? 1 : 0;
      reasons[name] = verdicts[name].reason;
    }
    return done({ reasons });
  } catch (error) {
    if (!isQuestionsOwn(error)) throw error;
    return done({ reasons: {}, error: error.code });
  }
}

/** What an attempt that failed has used was used. */
function withEarlier(done: AnswerLine, earlier: AnswerLine | undefined): AnswerLine {
  if (earlier === undefined) return done;
  const { answer, judges } = earlier.use;
  return {
    ...done,
    use: { answer: addUse(answer, done.use.answer), judges: addUse(judges, done.use.judges) },
  };
}

async function tryJudges({ text, ...plant }: Planted, asked: Asked): Promise<PlantedLine> {
  const judges = askingOf(asked.judge, asked);
  try {
    const verdicts = await judgeBoth(text, plant.reference, plant.answer, judges.asking);
    const passed = Object.fromEntries(JUDGE_NAMES.map((name) => [name, verdicts[name].isRight ? 1 : 0]));
    return { type: "planted", ...plant, passed, use: judges.use() };
  } catch (error) {
    if (!isQuestionsOwn(error)) throw error;
    return { type: "planted", ...plant, passed: {}, error: error.code, use: judges.use() };
  }
}

function nameOf({ provider, id }: ChatModel): string {
  return `${provider}:${id}`;
}

/** Times differ from run to run and change no answer. */
function hashOf(lines: readonly QuestionLine[]): string {
  const hash = createHash("sha256");
  for (const { times: _, ...line } of lines) hash.update(`${JSON.stringify(line)}\n`);
  return hash.digest("hex");
}

async function promptsHash(): Promise<string> {
  const hash = createHash("sha256");
  for (const task of [answerTask, ...JUDGE_NAMES.map(judgeTask)]) {
    for (const language of TASK_LANGUAGES) {
      const { system, user } = await packagePrompts.get(task, language);
      hash.update(`${task.prompt}.${language}\n${system}\n${user}\n`);
    }
  }
  return hash.digest("hex");
}
