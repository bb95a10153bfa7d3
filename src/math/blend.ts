/**
 * One direction out of several: their weighted sum with length one. Only where a part points counts, not how long it is,
 * so a weight means the same whichever embedder made the parts.
 */
import { type Numbers, norm } from "./cosine.ts";

export interface Part {
  readonly values: Numbers;
  readonly weight: number;
}

/** Of parts of one dimension; undefined where nothing is left: no part, none with a direction, or they cancel out. */
export function blend(parts: readonly Part[]): Float32Array | undefined {
  const sum = new Float64Array(parts[0]?.values.length ?? 0);
  let total = 0;
  for (const { values, weight } of parts) {
    const length = norm(values);
    if (length === 0) continue;
    for (let i = 0; i < sum.length; i++)
      sum[i] = (sum[i] as number) + (weight * (values[i] as number)) / length;
    total += Math.abs(weight);
  }
  const length = norm(sum);
  // What rounding leaves of parts that cancel out is no direction.
  return length <= total * Number.EPSILON * sum.length
    ? undefined
    : Float32Array.from(sum, (value) => value / length);
}
