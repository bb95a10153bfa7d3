/**
 * Would the judges notice? Answers that are wrong by the way they are made, to be put to the judges like all others: what
 * another question of the same kind asks for, a sentence that speaks of the topic and tells nothing, a date that is not the
 * one, and what a careless reader would say where nothing is told. How many of them a judge lets pass is its false-positive
 * rate, without which its score says little: a well-known judge lets three of five vague answers pass.
 */
import { type Random, seededRandom } from "../../base/random.ts";
import { languageOf } from "../../tasks/task-language.ts";
import { extractKeywords } from "../../text/keywords.ts";
import { stemF1 } from "../measures/locomo-f1.ts";
import type { QuestionLine } from "../result.ts";
import { shuffled } from "../shuffled.ts";
import { referenceOf } from "./judges.ts";
import { holds } from "./score-answer.ts";
import { shiftedDate } from "./shifted-date.ts";

export const PLANT_RULES = ["other_answer", "vague", "shifted_date", "trap"] as const;
export type PlantRule = (typeof PLANT_RULES)[number];

export interface Planted {
  readonly rule: PlantRule;
  readonly case: string;
  readonly question: string;
  readonly text: string;
  readonly reference: string;
  /** Wrong. */
  readonly answer: string;
}

type Asked = Pick<QuestionLine, "case" | "question" | "text" | "category" | "expects" | "answers" | "trap">;

/** At most `most` of them, as even by rule as the questions allow; the same for the same seed. */
export function plantAnswers(lines: readonly Asked[], most: number, seed: number): Planted[] {
  const taken: Planted[] = [];
  let open = PLANT_RULES.map((rule, place) => plantsOf(rule, lines, seededRandom(seed + place)));
  while (open.length > 0 && taken.length < most) {
    open = open.filter((plants) => {
      const { value } = taken.length < most ? plants.next() : {};
      if (value !== undefined) taken.push(value);
      return value !== undefined;
    });
  }
  return taken.toSorted((a, b) => PLANT_RULES.indexOf(a.rule) - PLANT_RULES.indexOf(b.rule));
}

/** One after the other: to look for another answer among thousands takes its time. */
function* plantsOf(
  rule: PlantRule,
  lines: readonly Asked[],
  random: Random,
): Generator<Planted, undefined, undefined> {
  for (const line of shuffled(lines, random)) {
    const plant = plantOne(rule, line, lines, random);
    if (plant !== undefined) yield plant;
  }
  return undefined;
}

function plantOne(
  rule: PlantRule,
  line: Asked,
  lines: readonly Asked[],
  random: Random,
): Planted | undefined {
  const reference = referenceOf(line);
  const answer = reference === undefined ? undefined : wrongAnswer(rule, line, lines, random);
  if (reference === undefined || answer === undefined) return undefined;
  return { rule, case: line.case, question: line.question, text: line.text, reference, answer };
}

function wrongAnswer(
  rule: PlantRule,
  line: Asked,
  lines: readonly Asked[],
  random: Random,
): string | undefined {
  if ((rule === "trap") !== (line.expects === "abstain")) return undefined;
  switch (rule) {
    case "trap":
      return line.trap !== undefined && isApart(line.trap, line.answers) ? line.trap : undefined;
    case "other_answer":
      return otherAnswer(line, lines, random);
    case "vague":
      return vagueAnswer(line);
    case "shifted_date": {
      const [answer = ""] = line.answers;
      const shifted = shiftedDate(answer);
      return shifted !== undefined && isApart(shifted, line.answers) ? shifted : undefined;
    }
  }
}

/** So alike two answers of different questions may be to count as different. */
const ALIKE = 0.3;

/** Of the same conversation where it has one: names and things that were talked about. */
function otherAnswer(line: Asked, lines: readonly Asked[], random: Random): string | undefined {
  const others = lines.filter(
    (other) =>
      other.question !== line.question && other.category === line.category && other.expects === "answer",
  );
  const near = others.filter((other) => other.case === line.case);
  for (const group of [near, others]) {
    const answers = [...new Set(group.flatMap(({ answers: [first] }) => first ?? []))].filter(
      (answer) => !YES_OR_NO.test(answer) && isApart(answer, line.answers) && isUnlike(answer, line.answers),
    );
    if (answers.length > 0) return answers[Math.floor(random.next() * answers.length)];
  }
  return undefined;
}

/** A bare yes may say the right thing in other words. */
const YES_OR_NO = /^(?:yes|no|是的?|不是|否|没有|有)[.。]?$/i;

/** None of the right answers stands in it, nor it in one of them. */
function isApart(answer: string, right: readonly string[]): boolean {
  return right.every((one) => !holds(answer, one) && !holds(one, answer));
}

function isUnlike(answer: string, right: readonly string[]): boolean {
  return right.every((one) => stemF1(answer, one) < ALIKE);
}

const VAGUE_WORDS = 3;

/** It speaks of what the question speaks of, and says nothing that was asked for. */
function vagueAnswer({ text, answers }: Asked): string | undefined {
  const words = extractKeywords(text, { limit: VAGUE_WORDS })
    .map((keyword) => keyword.text)
    .filter((word) => answers.every((answer) => !holds(answer, word) && !holds(word, answer)));
  if (words.length === 0) return undefined;
  return languageOf(text) === "zh"
    ? `与${words.join("、")}有关的一些事情。`
    : `Something that has to do with ${words.join(" and ")}.`;
}
