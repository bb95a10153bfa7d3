/**
 * When was each turn said? As the data set tells; a turn without a date is said a minute after the one before it, so that order
 * is never lost, and the first of a stream without dates at a moment that is the same in every run.
 */
import type { LabTurn } from "../dataset.ts";

const BEGIN = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;

export function spokenMoments(turns: readonly Pick<LabTurn, "happenedAt">[]): number[] {
  // What comes before the first date came before it.
  const first = turns.findIndex(({ happenedAt }) => happenedAt !== undefined);
  let last = (turns[first]?.happenedAt ?? BEGIN) - (Math.max(first, 0) + 1) * MINUTE_MS;
  return turns.map(({ happenedAt }) => {
    last = happenedAt ?? last + MINUTE_MS;
    return last;
  });
}
