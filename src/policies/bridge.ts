/**
 * The second hop: what the best find leads to. A question whose answer stands two steps away names the first step only ("Who
 * was the first president of the association that published this journal?"); the memory that answers it shares a name with the
 * memory found first, which the question does not say ("American Psychological Association"). So every memory that holds such
 * a name gets a bonus, the larger the fewer hold it: a name that leads to one memory leads there, one that stands everywhere
 * leads nowhere. One step from the best find, as measured (docs/flagship.md): more finds to start from, more steps, and a
 * walk over all names (personalised PageRank) each found less.
 */
import { nameWords, saysName } from "../text/name-words.ts";

export interface BridgeCandidate {
  /** What was said, without the speaker's name in front. */
  readonly text: string;
  readonly score: number;
}

export interface BridgeOptions {
  /** The most that a name can bring, in units of the score. */
  readonly weight: number;
  /** Names that lead nowhere, as those of the people who talk. */
  readonly ignored: readonly string[];
}

/** Nothing is lifted above what led to it. */
const BELOW_THE_FIRST = 0.99;

/** The bonus of every candidate, in the order given; zero for the best of them. */
export function bridgeBonus(
  question: string,
  pool: readonly BridgeCandidate[],
  { weight, ignored }: BridgeOptions,
): number[] {
  const bonus = pool.map(() => 0);
  const first = pool.reduce<BridgeCandidate | undefined>(
    (best, one) => (best === undefined || one.score > best.score ? one : best),
    undefined,
  );
  if (first === undefined || weight === 0) return bonus;
  const asked = question.toLowerCase();
  for (const name of nameWords(first.text, ignored)) {
    if (saysName(asked, name.toLowerCase())) continue;
    const holders = pool.flatMap((one, place) => (one !== first && saysName(one.text, name) ? [place] : []));
    for (const place of holders) bonus[place] = Math.max(bonus[place] ?? 0, weight / holders.length);
  }
  return bonus.map((most, place) =>
    Math.min(most, BELOW_THE_FIRST * (first.score - (pool[place]?.score ?? first.score))),
  );
}
