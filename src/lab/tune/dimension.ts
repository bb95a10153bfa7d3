/**
 * What may an option be? Anything between two numbers, or one of a few values. A range is walked in positions from 0 to 1,
 * evenly or by factors (`log`), and rounded to figures that a person would write, so that the same value comes again.
 */
import type { Json } from "../../base/json.ts";

export interface RangeDimension {
  readonly kind: "range";
  readonly path: string;
  readonly low: number;
  readonly high: number;
  readonly isLog: boolean;
  /** The option takes whole numbers only. */
  readonly isWhole: boolean;
}

export interface ChoiceDimension {
  readonly kind: "choice";
  readonly path: string;
  readonly values: readonly Json[];
}

export type Dimension = RangeDimension | ChoiceDimension;

/** Of a number between the ends; finer differences are not what a data set can tell apart. */
const FIGURES = 3;

/** The value at a position from 0 to 1. */
export function valueAt(dimension: Dimension, position: number): Json {
  const at = Math.min(1, Math.max(0, position));
  if (dimension.kind === "choice") {
    const { values } = dimension;
    return values[Math.min(values.length - 1, Math.floor(at * values.length))] ?? null;
  }
  const { low, high, isLog, isWhole } = dimension;
  const exact = isLog ? low * (high / low) ** at : low + (high - low) * at;
  const rounded = isWhole ? Math.round(exact) : roundedWithin(exact, high - low);
  return Math.min(high, Math.max(low, rounded));
}

/** Where a value of a range stands; one that is outside at the nearer end, one that is no number in the middle. */
export function positionOf({ low, high, isLog }: RangeDimension, value: Json | undefined): number {
  if (typeof value !== "number") return 0.5;
  const inside = Math.min(high, Math.max(low, value));
  return isLog ? Math.log(inside / low) / Math.log(high / low) : (inside - low) / (high - low);
}

/** The values a dimension has, where they can be counted; undefined where there is always one more between two. */
export function valuesOf(dimension: Dimension): readonly Json[] | undefined {
  if (dimension.kind === "choice") return dimension.values;
  const { low, high, isWhole } = dimension;
  return isWhole ? Array.from({ length: high - low + 1 }, (_, place) => low + place) : undefined;
}

/** Three figures, of the number or of the span it lies in, whichever is finer. */
function roundedWithin(value: number, span: number): number {
  const ofSpan = span * 10 ** -FIGURES;
  const digits = Math.max(0, Math.min(100, Math.ceil(-Math.log10(ofSpan))));
  const bySpan = Number(value.toFixed(digits));
  return Math.abs(value) < span ? Number(value.toPrecision(FIGURES)) : bySpan;
}
