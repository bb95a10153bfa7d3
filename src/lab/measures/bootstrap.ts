/**
 * How far could a mean be off, had other questions been asked? The percentile bootstrap (Efron, "Bootstrap methods", Annals
 * of Statistics 1979): as many questions as there are, drawn from them with replacement, give another mean; the middle 95 of
 * 100 such means are the interval. What is drawn depends on the seed and on the number of questions alone, so a run with the
 * same seed gives the same interval, and measures of the same questions are drawn together.
 *
 * The questions count as independent. Those of one conversation are not quite, so an interval is rather too narrow than too
 * wide; and for a handful of questions it is no more than a hint.
 */
import { MemoryError } from "../../base/errors.ts";
import { seededRandom } from "../../base/random.ts";
import type { Estimate } from "../result.ts";
import { quantileOf } from "./quantile.ts";

export const DRAWS = 2000;

/** At least one value; there is no mean of nothing. */
export function estimate(values: readonly number[], seed: number, draws: number = DRAWS): Estimate {
  return meanWithInterval(Float64Array.from(values), drawPlaces(values.length, seed, draws), draws);
}

/** The same for many lists, each by its name; what those of equal length share is done once. Empty lists are left out. */
export function estimateAll(
  lists: ReadonlyMap<string, readonly number[]>,
  seed: number,
  draws: number = DRAWS,
): Record<string, Estimate> {
  const found = new Map<string, Estimate>();
  for (const [length, alike] of Map.groupBy(lists, ([, values]) => values.length)) {
    if (length === 0) continue;
    const places = drawPlaces(length, seed, draws);
    for (const [name, values] of alike)
      found.set(name, meanWithInterval(Float64Array.from(values), places, draws));
  }
  // In the order given, whatever the lengths.
  return Object.fromEntries(
    [...lists.keys()].flatMap((name) => {
      const one = found.get(name);
      return one === undefined ? [] : [[name, one]];
    }),
  );
}

/**
 * How much more has `b` than `a`? Both of the same questions in the same order: what is drawn is a question with both its
 * values, so that what makes a question hard for both does not widen the interval. One that holds 0 tells of no difference.
 */
export function differenceEstimate(
  a: readonly number[],
  b: readonly number[],
  seed: number,
  draws: number = DRAWS,
): Estimate {
  if (a.length !== b.length)
    throw new MemoryError(
      "input_invalid",
      `Two runs are compared question by question, but one has ${a.length} values and the other ${b.length}; give those of the questions that both have, in the same order.`,
    );
  return estimate(
    b.map((value, place) => value - (a[place] ?? 0)),
    seed,
    draws,
  );
}

/** For every draw, which of `count` questions: one row of places after the other. */
function drawPlaces(count: number, seed: number, draws: number): Uint32Array {
  if (count === 0 || !Number.isInteger(draws) || draws < 1)
    throw new MemoryError(
      "input_invalid",
      `An interval needs at least one value and one draw, not ${count} values and ${draws} draws.`,
    );
  const random = seededRandom(seed);
  const places = new Uint32Array(count * draws);
  for (let at = 0; at < places.length; at++) places[at] = Math.floor(random.next() * count);
  return places;
}

/** The interval that the middle 95 of 100 drawn values span, sorted in place. */
export function middleOf(drawn: Float64Array): { readonly low: number; readonly high: number } {
  drawn.sort();
  return { low: quantileOf(drawn, 0.025), high: quantileOf(drawn, 0.975) };
}

function meanWithInterval(values: Float64Array, places: Uint32Array, draws: number): Estimate {
  const count = values.length;
  const means = new Float64Array(draws);
  for (let draw = 0, at = 0; draw < draws; draw++) {
    let sum = 0;
    for (const end = at + count; at < end; at++) sum += values[places[at] ?? 0] ?? 0;
    means[draw] = sum / count;
  }
  const sum = values.reduce((total, value) => total + value, 0);
  return { mean: sum / count, ...middleOf(means), count };
}
