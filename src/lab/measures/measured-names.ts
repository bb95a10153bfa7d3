/** Which measures can a run without a model take, before it is run? Those that a question without labels is given, all unmeasured. */
import { measureQuestion } from "./measure-question.ts";

const NOTHING = { evidence: [], sessions: [], answers: [], category: "", expects: "answer" } as const;

/** Looking at so many hits. Whether a data set has the labels for them is not said. */
export function measuredNames(ks: readonly number[]): string[] {
  const seen = { hits: [], sessionOf: () => undefined, texts: [] };
  return Object.keys(measureQuestion(NOTHING, seen, ks));
}
