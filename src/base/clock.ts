/** The only source of "now". Injected everywhere, so that tests and replays own the time. Epoch milliseconds (C-21). */

export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A clock that stands still until it is moved. */
export function manualClock(startMs: number): Clock & { advance(ms: number): void; set(ms: number): void } {
  let now = startMs;
  return {
    now: () => now,
    advance: (ms) => {
      now += ms;
    },
    set: (ms) => {
      now = ms;
    },
  };
}
