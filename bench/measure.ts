/**
 * How long does it take? Rivals take turns in every round, so whatever else the machine is doing slows all of them alike,
 * and what is compared comes from one and the same stretch of time: the median for the time of an answer, the mean for a
 * rate, in which rare slow tasks must count.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { MaybePromise } from "../src/base/promise.ts";

export interface Contender {
  /**
   * Does one task; its number chooses which, so that rivals do the same ones. Returns a number if that, and not all of
   * the time, is what it took in milliseconds.
   */
  run(task: number): MaybePromise<unknown>;
  /** Tasks per round: more for what is over in a moment. @default 1 */
  readonly times?: number;
}

/** On a busy machine whoever has just computed for long is made to wait: a short rest gives all the same start. */
const REST_MS = 5;

/** Milliseconds per task of a contender, summed up by the median unless told otherwise. */
export type Turns<Name> = (name: Name, sumUp?: (times: readonly number[]) => number) => number;

/** `warmUp` rounds before the first do not count. */
export async function takeTurns<Name extends string>(
  rounds: number,
  warmUp: number,
  contenders: Readonly<Record<Name, Contender>>,
): Promise<Turns<Name>> {
  const samples = new Map<Name, number[]>();
  for (let round = -warmUp; round < rounds; round++) {
    for (const name in contenders) {
      const times = await timesOf(contenders[name], round + warmUp);
      if (round >= 0) samples.set(name, [...(samples.get(name) ?? []), ...times]);
    }
  }
  return (name, sumUp = median) => sumUp(samples.get(name) ?? []);
}

/**
 * Median over the tasks of each one's best time, every task after a rest, as questions come. For times that are compared
 * across minutes rather than in turns: what others do to the machine can only add, and adds more to what takes longer.
 */
export async function leastDisturbed(tasks: number, repeats: number, run: Contender["run"]): Promise<number> {
  const best = Array.from({ length: tasks }, () => Number.POSITIVE_INFINITY);
  for (let repeat = 0; repeat < repeats; repeat++) {
    for (const [task, known] of best.entries()) {
      await sleep(REST_MS);
      best[task] = Math.min(known, await timeOf(run, task));
    }
  }
  return median(best);
}

/** The first task after the rest does not count: it finds the caches cold. */
async function timesOf({ run, times = 1 }: Contender, round: number): Promise<number[]> {
  await sleep(REST_MS);
  await run(round * times);
  const taken: number[] = [];
  for (let time = 0; time < times; time++) taken.push(await timeOf(run, round * times + time));
  return taken;
}

async function timeOf(run: Contender["run"], task: number): Promise<number> {
  const start = performance.now();
  const own = await run(task);
  return typeof own === "number" ? own : performance.now() - start;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
