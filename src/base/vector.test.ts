import { describe, expect, test } from "vitest";
import { MemoryError } from "./errors.ts";
import { checkVector } from "./vector.ts";

const expected = { space: "bge-small", dimension: 3 };
const vector = (...values: number[]) => ({ space: "bge-small", values: Float32Array.from(values) });

describe("[C-22] a vector is checked before it can poison a search", () => {
  test("a good one passes unchanged, with or without expectations", () => {
    const good = vector(1, 2, 3);
    expect(checkVector(good, expected)).toBe(good);
    expect(checkVector(good)).toBe(good);
    expect(() => checkVector(vector(1e-45, 0, 0))).not.toThrow();
    expect(() => checkVector(vector(3e38, 3e38, 3e38))).not.toThrow();
  });

  test.each([
    ["another embedder's", { space: "minilm", values: Float32Array.of(1, 2, 3) }, "embedder_mismatch"],
    ["too short", vector(1, 2), "dimension_mismatch"],
    ["too long", vector(1, 2, 3, 4), "dimension_mismatch"],
    ["NaN", vector(1, Number.NaN, 0), "vector_invalid"],
    ["infinity", vector(1, Number.POSITIVE_INFINITY, 0), "vector_invalid"],
    ["minus infinity", vector(Number.NEGATIVE_INFINITY, 0, 0), "vector_invalid"],
    ["all zero", vector(0, -0, 0), "vector_invalid"],
  ])("%s is refused", (_, wrong, code) => {
    expect(() => checkVector(wrong, expected)).toThrowError(
      expect.objectContaining({ code, message: expect.stringContaining("Valid") }),
    );
    expect(() => checkVector(wrong, expected)).toThrowError(MemoryError);
  });

  test("an empty vector has no direction", () => {
    expect(() => checkVector(vector())).toThrowError(/not all zero/);
  });
});
