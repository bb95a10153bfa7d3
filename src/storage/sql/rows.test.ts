import { expect, test } from "vitest";
import { vectorFromBytes, vectorToBytes } from "./rows.ts";

test("a vector comes back bit for bit, wherever its bytes lie in what a driver read", () => {
  const values = Float32Array.of(0.1, -2, 3e-9);
  for (const offset of [0, 3, 4]) {
    const page = new Uint8Array(offset + 12);
    page.set(vectorToBytes(values), offset);
    expect(vectorFromBytes(page.subarray(offset))).toEqual(values);
  }
});

test("bytes that are no vector are told, not cut", () => {
  const corrupt = expect.objectContaining({
    code: "storage_corrupt",
    message: expect.stringContaining("10"),
  });
  expect(() => vectorFromBytes(new Uint8Array(10))).toThrow(corrupt);
});
