/** By which measure is a setting better? One that every question can be measured by without a model, and where more is better. */
import { MemoryError } from "../../base/errors.ts";
import { validNames } from "../../base/nearest-name.ts";
import { measuredNames } from "../measures/measured-names.ts";
import { isCount } from "../report/measure-names.ts";

/** As a run looks by default, so that both speak of the same recall. */
const USUAL_KS = [5, 10, 20];

/** How many hits are looked at for it; refused where there is no such measure. */
export function measureKs(measure: string): number[] {
  const own = /@(\d+)$/.exec(measure)?.[1];
  const ks = [...new Set([...USUAL_KS, ...(own === undefined ? [] : [Number(own)])])].sort((a, b) => a - b);
  const names = ks.some((k) => k < 1) ? [] : namesFor(ks);
  if (names.includes(measure)) return ks;
  throw new MemoryError(
    "unknown_name",
    `There is no measure "${measure}" to tune by. ${validNames(measure, namesFor(USUAL_KS))}`,
  );
}

/** Tokens are a cost: the most of them is not the best. */
function namesFor(ks: readonly number[]): string[] {
  return measuredNames(ks).filter((name) => !isCount(name));
}
