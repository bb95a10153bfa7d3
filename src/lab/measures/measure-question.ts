/**
 * How well did a memory answer one question, as far as that can be told without a judge? Every measure by its name, 0 … 1
 * (tokens: a count), for each number of hits K that was asked for. null where a question's labels do not allow a measure:
 * such a question is left out of that mean, and is never counted as found.
 *
 * - `recall@K`: share of the evidence that the first K hits come from; `all@K`: 1 where it is all of it.
 * - `turns@K`: the same share within the first K distinct turns that hits come from, so that long hits gain nothing.
 * - `mrr`: 1 / place of the first hit that comes from evidence.
 * - `sessions@K`: share of the evidence's sessions among the first K distinct sessions.
 * - `contains@K`: an answer stands word for word in one of the first K hits.
 * - `value@K`: so does the newest of the values that changed; `newest@K`: it does, and no older one before it or beside it.
 * - `tokens@K`: tokens of the first K hits; `recall_in_N`: recall of the hits that fit into N tokens, those among them that
 *   stand behind the largest K. Where none of those could be asked for, the room stays empty, and this is the least that it
 *   could be.
 */
import type { Labels, LabQuestion } from "../dataset.ts";
import type { SeenHit } from "../result.ts";
import { hitsWithin, reciprocalRank, sessionsOf, shareFound, turnsOf } from "./found-evidence.ts";
import { newestValue } from "./newest-value.ts";
import { firstHolding } from "./phrase.ts";

const TOKEN_BUDGETS = [250, 500, 1000, 2000, 4000] as const;
export const LARGEST_BUDGET = Math.max(...TOKEN_BUDGETS);

/** LongMemEval describes there what an answer should be like ("The user would prefer …"): no text holds that. */
const DESCRIBED_ANSWERS = "single-session-preference";

export interface Seen {
  /** Best first. */
  readonly hits: readonly SeenHit[];
  /** What stands behind them. @default nothing */
  readonly further?: readonly Pick<SeenHit, "refs" | "tokens">[] | undefined;
  readonly sessionOf: (ref: string) => string | undefined;
  /** The whole of what is shown of each hit. */
  readonly texts: readonly string[];
}

/** A whole question, or its labels alone: those are of one that expects an answer, then. */
export type MeasuredQuestion = Labels &
  Pick<LabQuestion, "values"> &
  Partial<Pick<LabQuestion, "category" | "expects">>;

export function measureQuestion(
  question: MeasuredQuestion,
  { hits, further = [], sessionOf, texts }: Seen,
  ks: readonly number[],
): Record<string, number | null> {
  const { evidence, values } = question;
  const turns = turnsOf(hits);
  const seenSessions = sessionsOf(turns, sessionOf);
  const sessions = question.sessions.length > 0 ? question.sessions : sessionsOf(evidence, sessionOf);
  // Only what counts is read: of a memory that hands over everything, that is little.
  const read = texts.slice(0, Math.max(0, ...ks));
  const answered = firstHolding(read, answersOf(question));
  const newest = newestValue(read, question.expects === "abstain" ? undefined : values);

  const at = (name: string, of: (k: number) => number | null): (readonly [string, number | null])[] =>
    ks.map((k) => [`${name}@${k}`, of(k)]);
  const recall = (some: readonly Pick<SeenHit, "refs">[]): number | null =>
    shareFound(turnsOf(some), evidence);
  return Object.fromEntries([
    ...at("recall", (k) => recall(hits.slice(0, k))),
    ...at("all", (k) => isWhole(recall(hits.slice(0, k)))),
    ...at("turns", (k) => shareFound(turns.slice(0, k), evidence)),
    ["mrr", reciprocalRank(hits, evidence)],
    ...at("sessions", (k) => shareFound(seenSessions.slice(0, k), sessions)),
    ...at("contains", (k) => isWithin(answered, k)),
    ...at("newest", (k) => isWithin(newest?.first ?? null, k)),
    ...at("value", (k) => isWithin(newest?.told ?? null, k)),
    ...at("tokens", (k) => hits.slice(0, k).reduce((sum, { tokens }) => sum + tokens, 0)),
    ...TOKEN_BUDGETS.map(
      (budget) => [`recall_in_${budget}`, recall(hitsWithin(budget, [...hits, ...further]))] as const,
    ),
  ]);
}

/** Where saying nothing is right there is no answer to be found, whatever the data set writes in its place. */
function answersOf({ answers, category, expects }: MeasuredQuestion): readonly string[] {
  return expects === "abstain" || category === DESCRIBED_ANSWERS ? [] : answers;
}

function isWhole(share: number | null): number | null {
  return share === null ? null : Number(share === 1);
}

function isWithin(place: number | null, k: number): number | null {
  return place === null ? null : Number(place >= 0 && place < k);
}
