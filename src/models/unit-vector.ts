/** Vectors as they may enter: of the length their space has, and of length 1; one without a direction is refused, never stored as zeros (C-29). */
import { MemoryError } from "../base/errors.ts";
import { checkVector } from "../base/vector.ts";

export function unitVector(space: string, values: Float32Array): Float32Array {
  checkVector({ space, values });
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += (values[i] as number) ** 2;
  const length = Math.sqrt(sum);
  return values.map((value) => value / length);
}

export function checkDimension(space: string, dimension: number, values: Float32Array): Float32Array {
  if (values.length === dimension) return values;
  throw new MemoryError(
    "dimension_mismatch",
    `The embedder "${space}" sent a vector of ${values.length} numbers. Valid: ${dimension}, as it was set up; another size is another vector space.`,
    { details: { given: values.length, expected: dimension } },
  );
}
