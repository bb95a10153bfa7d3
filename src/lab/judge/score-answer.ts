/**
 * How good is an answer, without a judge? LoCoMo by its authors' own F1, category by category; sets whose answers are names
 * and short phrases (facts that changed, several hops) by whether a right answer stands in what was said (SubEM), with the F1
 * of words beside it. An answer where nothing is told is right if it says so, in any data set.
 */
import { splitWords } from "../../text/words.ts";
import type { DatasetKind } from "../dataset.ts";
import { type LocomoCategory, locomoScore, stemF1 } from "../measures/locomo-f1.ts";
import { firstHolding } from "../measures/phrase.ts";
import type { QuestionLine } from "../result.ts";

export interface AnswerScore {
  /** null: no right answer is known. */
  readonly f1: number | null;
  /** 1 where a right answer stands in what was said, as whole words; null likewise, and where nothing can be answered. */
  readonly answer_contains: number | null;
}

export function scoreAnswer(
  kind: DatasetKind,
  { category, expects, answers }: Pick<QuestionLine, "category" | "expects" | "answers">,
  said: string,
): AnswerScore {
  if (expects === "abstain") return { f1: saysNothingIsKnown(said) ? 1 : 0, answer_contains: null };
  if (answers.length === 0) return { f1: null, answer_contains: null };
  const f1 = Math.max(...answers.map((answer) => f1Of(kind, category, said, answer)));
  // "No information available." does not answer with its first word.
  const isFound = !saysNothingIsKnown(said) && answers.some((answer) => holds(said, answer));
  return { f1, answer_contains: isFound ? 1 : 0 };
}

/** LoCoMo's two phrases, and how the same is said in Chinese. */
export function saysNothingIsKnown(said: string): boolean {
  return /no information available|not mentioned|没有相关信息|没有提到|未提及|没有提及/i.test(said);
}

/** Whether the words of the answer stand in what was said, one behind the other; in Chinese, its characters. */
export function holds(said: string, answer: string): boolean {
  return firstHolding([said], [answer]) === 0;
}

function f1Of(kind: DatasetKind, category: string, said: string, answer: string): number {
  const [prediction, reference] = [apart(said), apart(answer)];
  const known = kind === "locomo" ? LOCOMO[category] : undefined;
  return known === undefined ? stemF1(prediction, reference) : locomoScore(prediction, reference, known);
}

const LOCOMO: Readonly<Record<string, LocomoCategory>> = { "1": 1, "2": 2, "3": 3, "4": 4 };

/** Chinese has no spaces: its words are set apart, so that they are counted one by one. Other text is left as it is. */
function apart(text: string): string {
  if (!/\p{Script=Han}/u.test(text)) return text;
  return text
    .replaceAll(/[，、]/g, ",")
    .replaceAll("；", ";")
    .split(/([,;])/)
    .map((part) => (/[,;]/.test(part) ? part : wordsOf(part)))
    .join("");
}

function wordsOf(text: string): string {
  return splitWords(text)
    .map(({ text: word }) => word)
    .join(" ");
}
