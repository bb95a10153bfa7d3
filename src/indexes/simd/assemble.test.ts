import { describe, expect, test } from "vitest";
import { assembleModule, type Code, i32, local, repeatUntilZero, v128 } from "./assemble.ts";

interface Memory {
  readonly buffer: ArrayBuffer;
}

declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Memory: new (limits: { readonly initial: number }) => Memory;
  readonly Instance: new (
    module: object,
    imports: { readonly env: { readonly memory: Memory } },
  ) => { readonly exports: { readonly run: (...given: readonly number[]) => number } };
};

const memory = new WebAssembly.Memory({ initial: 8 });

function compiled(body: readonly Code[], numbers = 0, vectors = 0): (...given: readonly number[]) => number {
  const module = new WebAssembly.Module(assembleModule({ name: "run", params: 2, numbers, vectors, body }));
  return new WebAssembly.Instance(module, { env: { memory } }).exports.run;
}

describe("assembled code", () => {
  test.each([0, 1, -1, 63, 64, -64, -65, 127, 128, 8191, -8192, 1_000_000, 2 ** 31 - 1, -(2 ** 31)])(
    "the constant %i survives its encoding",
    (value) => {
      expect(compiled([i32.const(value)])(0, 0)).toBe(value);
    },
  );

  test("parameters, arithmetic and a loop: a power by repeated multiplication", () => {
    const [base, times, product] = [0, 1, 2];
    const once = [
      ...[local.get(product), local.get(base), i32.mul, local.set(product)],
      ...[local.get(times), i32.const(-1), i32.add, local.set(times)],
    ];
    const power = compiled(
      [i32.const(1), local.set(product), repeatUntilZero(times, once), local.get(product)],
      1,
    );
    expect([power(3, 4), power(-2, 5), power(7, 1)]).toEqual([81, -32, 7]);
  });

  test("offsets beyond one byte reach the right place", () => {
    const copy = compiled([local.get(1), local.get(0), v128.load(300), v128.store(70_000), i32.const(0)]);
    new Uint8Array(memory.buffer).set([1, 2, 3, 4], 304);
    copy(4, 8);
    expect([...new Uint8Array(memory.buffer, 70_008, 4)]).toEqual([1, 2, 3, 4]);
  });
});
