/**
 * How long will a tune take? At the pace of what was measured in this process; scores that were on disk cost nothing and count
 * as done only. Where nothing that is varied changes what is remembered, a case is lived through once, and that is behind.
 * Searches that end early or share settings make it shorter: it is a time at most.
 */

export interface TuneProgress {
  /** Scores of a setting on a case. */
  readonly done: number;
  readonly total: number;
  /** Undefined: cannot be told yet. */
  readonly msLeft: number | undefined;
}

export interface TunePace {
  measured(ms: number, wasLived: boolean): void;
  advance(done: number, total: number): void;
}

export function tunePace(
  variesWriting: boolean,
  onProgress: ((progress: TuneProgress) => void) | undefined,
): TunePace {
  const all = { count: 0, ms: 0 };
  const readOnly = { count: 0, ms: 0 };
  return {
    measured(ms, wasLived) {
      for (const kind of wasLived ? [all] : [all, readOnly]) {
        kind.count++;
        kind.ms += ms;
      }
    },
    advance(done, total) {
      const { count, ms } = variesWriting || readOnly.count === 0 ? all : readOnly;
      onProgress?.({ done, total, msLeft: count === 0 ? undefined : ((total - done) * ms) / count });
    },
  };
}
