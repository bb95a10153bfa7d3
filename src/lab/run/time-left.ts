/**
 * How long will it take? Turns and questions cost differently, so each kind has its own rate; what has not begun is taken to go
 * at the rate of what has. Nothing is said before there is something to go by.
 */

/** How far a run is; what an earlier run had done counts as done, and not for the rate. */
export interface Done {
  readonly turns: number;
  readonly questions: number;
}

export interface RunProgress {
  readonly done: Done;
  readonly total: Done;
  /** Milliseconds spent on those of this process, by kind, and how many those were. */
  readonly spent: {
    readonly turnsMs: number;
    readonly turns: number;
    readonly questionsMs: number;
    readonly questions: number;
  };
}

/** Milliseconds until all runs are through, so many at once; undefined: cannot be told yet. */
export function timeLeft(runs: readonly RunProgress[], atOnce: number): number | undefined {
  const sum = (read: (run: RunProgress) => number): number => runs.reduce((all, run) => all + read(run), 0);
  const known = {
    turns: sum(({ spent }) => spent.turns),
    questions: sum(({ spent }) => spent.questions),
  };
  if (known.turns + known.questions === 0) return undefined;
  const rates = {
    turns: sum(({ spent }) => spent.turnsMs) / Math.max(1, known.turns),
    questions: sum(({ spent }) => spent.questionsMs) / Math.max(1, known.questions),
  };
  // A kind that nobody has seen yet is taken to cost what the other does.
  const turnMs = known.turns > 0 ? rates.turns : rates.questions;
  const questionMs = known.questions > 0 ? rates.questions : rates.turns;
  const lefts = runs.map(({ done, total, spent }) => {
    const own = (ms: number, count: number, otherwise: number): number =>
      count > 0 ? ms / count : otherwise;
    const turns = Math.max(0, total.turns - done.turns) * own(spent.turnsMs, spent.turns, turnMs);
    const asked =
      Math.max(0, total.questions - done.questions) * own(spent.questionsMs, spent.questions, questionMs);
    return turns + asked;
  });
  const all = lefts.reduce((total, left) => total + left, 0);
  // Never sooner than the longest of them, and never sooner than all of them shared evenly.
  return Math.max(all / Math.min(atOnce, Math.max(1, runs.length)), ...lefts);
}
