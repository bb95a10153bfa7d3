/** One question and what was recalled for it, as a line of the results: what was seen, and what is measured of it. */
import type { Recalled } from "../../runtime/recall.ts";
import { estimateTokens } from "../../text/token-count.ts";
import type { LabQuestion } from "../dataset.ts";
import { hitsWithin } from "../measures/found-evidence.ts";
import { LARGEST_BUDGET, measureQuestion } from "../measures/measure-question.ts";
import type { ModelUse, QuestionLine, SeenHit } from "../result.ts";
import { stageTimes } from "./stage-times.ts";

export interface Asked {
  readonly point: QuestionLine["point"];
  readonly askedAt: number;
  readonly queryMs: number;
  /** Unless it failed. */
  readonly recalled?: Recalled | undefined;
  /** The turns of each hit. */
  readonly refs?: readonly (readonly string[])[] | undefined;
  /** What stands behind the hits, with the turns of each. */
  readonly further?: Pick<Recalled, "hits"> & { readonly refs: readonly (readonly string[])[] };
  readonly model?: ModelUse | undefined;
  readonly error?: string | undefined;
}

/** Of a hit, so much is shown at once. */
const BEGINNING = 240;

export function questionLine(
  ofCase: string,
  question: LabQuestion,
  { point, askedAt, queryMs, recalled, refs = [], further, model, error }: Asked,
  { ks, sessions }: { readonly ks: readonly number[]; readonly sessions: ReadonlyMap<string, string> },
): QuestionLine {
  const found = recalled?.hits ?? [];
  const hits = found.map(({ text, score, happenedAt }, place): SeenHit => {
    const isLong = text.length > BEGINNING;
    return {
      refs: refs[place] ?? [],
      score: rounded(score),
      tokens: estimateTokens(text),
      text: isLong ? beginning(text) : text,
      ...(isLong ? { whole: text } : {}),
      at: happenedAt,
    };
  });
  const behind = hitsWithin(LARGEST_BUDGET, [
    ...hits,
    ...(further?.hits ?? []).map(({ text }, place) => ({
      refs: further?.refs[place] ?? [],
      tokens: estimateTokens(text),
    })),
  ]).slice(hits.length);
  const seen = {
    hits,
    further: behind,
    sessionOf: (ref: string) => sessions.get(ref),
    texts: found.map(({ text }) => text),
  };
  const stages = stageTimes();
  stages.add(recalled?.stages ?? []);
  const { id, text, category, expects, evidence, answers, trap, corrected } = question;
  return {
    type: "question",
    case: ofCase,
    question: id,
    ...{ text, category, expects, point, askedAt, evidence, answers },
    ...(trap === undefined ? {} : { trap }),
    hits,
    ...(behind.length === 0 ? {} : { further: behind }),
    contextTokens: recalled?.context == null ? null : estimateTokens(recalled.context),
    confidence: confidenceOf(recalled),
    measures: measureQuestion(question, seen, ks),
    ...(corrected === undefined
      ? {}
      : { corrected: measureQuestion({ ...question, ...corrected }, seen, ks) }),
    ...(model === undefined || model.calls === 0 ? {} : { model }),
    ...(error === undefined ? {} : { error }),
    times: { queryMs, stagesMs: stages.take() },
  };
}

/** The memory's own word where it has one, else how well the best hit fits. */
function confidenceOf(recalled: Recalled | undefined): number | null {
  if (recalled === undefined) return null;
  if (recalled.confidence !== null) return rounded(recalled.confidence);
  const [best] = recalled.hits;
  return best === undefined ? null : rounded(best.score);
}

/** Digits beyond these differ between processors. */
function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

/** Never half a character. */
function beginning(text: string): string {
  const cut = text.slice(0, BEGINNING);
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}
