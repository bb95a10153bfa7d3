/**
 * How many cases, and which? The same ones in every run, unless told otherwise:
 *
 *     NEUROMEM_FUZZ_SEED=7 NEUROMEM_FUZZ_CASES=1000 npx vitest run test/fuzz
 *
 * CASES is how often each call is tried. A failure prints the smallest case that still fails, and the seed to repeat it with.
 */
import fc from "fast-check";

const SEED = Number(process.env.NEUROMEM_FUZZ_SEED ?? 20_261_116);

export interface FuzzRun {
  readonly seed: number;
  readonly cases: number;
}

export function fuzzRun(usualCases: number): FuzzRun {
  return { seed: SEED, cases: Number(process.env.NEUROMEM_FUZZ_CASES ?? usualCases) };
}

/** Tries the case, and, when it fails, smaller ones like it, though not for ever. */
export async function holdsForAll<Case>(
  { seed, cases }: FuzzRun,
  values: fc.Arbitrary<Case>,
  holds: (value: Case) => Promise<void>,
): Promise<void> {
  await fc.assert(fc.asyncProperty(values, holds), {
    seed,
    numRuns: cases,
    interruptAfterTimeLimit: 20_000 + cases * 200,
    markInterruptAsFailure: true,
  });
}
