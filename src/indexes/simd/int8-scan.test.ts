import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seededRandom } from "../../base/random.ts";
import { type Int8Scan, SCAN_ROWS } from "./int8-scan.ts";
import { createPlainScan } from "./plain-scan.ts";
import { rowBytes } from "./row-format.ts";
import { createWasmScan } from "./wasm-scan.ts";

interface Case {
  readonly dimension: number;
  readonly rows: number;
  readonly seed: number;
  /** Only the largest codes, where sums run over first. */
  readonly extreme: boolean;
}

const cases: fc.Arbitrary<Case> = fc.record({
  dimension: fc.integer({ min: 1, max: 130 }),
  rows: fc.integer({ min: 1, max: 70 }),
  seed: fc.nat(100_000),
  extreme: fc.boolean(),
});

function wasm(dimension: number): Int8Scan {
  const scan = createWasmScan(dimension);
  if (scan === undefined) throw new Error("WebAssembly SIMD is missing");
  return scan;
}

function fill(scan: Int8Scan, { dimension, rows, seed, extreme }: Case): Int16Array {
  const random = seededRandom(seed);
  const code = (most: number): number =>
    extreme ? most * (random.next() < 0.5 ? -1 : 1) : Math.round((2 * random.next() - 1) * most);
  scan.reserve(rows);
  for (let row = 0; row < rows; row++) {
    const codes = Int8Array.from({ length: dimension }, () => code(127));
    scan.write(row, {
      codes,
      scale: random.next() / Math.hypot(...codes, 1),
      residual: 0.01 * random.next(),
      ordinal: 7 * row,
    });
  }
  const query = Int16Array.from({ length: dimension }, () => code(8191));
  scan.ask(query, 1e-4);
  return query;
}

function visited(scan: Int8Scan, run: { first: number; count: number }, bar: number): Map<number, number> {
  const dots = new Map<number, number>();
  scan.scan(run, bar, (row, dot) => dots.set(row, dot));
  return dots;
}

describe("the WebAssembly scan", () => {
  test("is there, in this version of Node", () => {
    expect(createWasmScan(384)).toBeDefined();
  });

  test("gives every dot product of any run, exactly as the plain loop does", () => {
    fc.assert(
      fc.property(cases, fc.nat(69), fc.integer({ min: 0, max: 70 }), (given, start, length) => {
        const [fast, plain] = [wasm(given.dimension), createPlainScan(given.dimension)];
        for (const scan of [fast, plain]) fill(scan, given);
        const first = start % given.rows;
        const run = { first, count: Math.min(length, given.rows - first) };
        const found = visited(fast, run, Number.NEGATIVE_INFINITY);
        expect(found.size).toBe(run.count);
        expect(found).toEqual(visited(plain, run, Number.NEGATIVE_INFINITY));
      }),
    );
  });

  test("leaves out only what stays below the bar, and always the same as the plain loop or a little more", () => {
    fc.assert(
      fc.property(cases, fc.double({ min: -1, max: 1, noNaN: true }), (given, bar) => {
        const [fast, plain] = [wasm(given.dimension), createPlainScan(given.dimension)];
        for (const scan of [fast, plain]) fill(scan, given);
        const run = { first: 0, count: given.rows };
        const found = visited(fast, run, bar - 1e-6);
        for (const [row, dot] of visited(plain, run, bar)) expect(found.get(row)).toBe(dot);
      }),
    );
  });

  test("a run of the greatest length, of which everybody is a hit, leaves all rows as they were", () => {
    const scan = wasm(20);
    fill(scan, { dimension: 20, rows: SCAN_ROWS, seed: 3, extreme: false });
    const before = scan.rows(0, SCAN_ROWS).slice();
    const run = { first: 0, count: SCAN_ROWS };
    expect(visited(scan, run, Number.NEGATIVE_INFINITY).size).toBe(SCAN_ROWS);
    expect(scan.rows(0, SCAN_ROWS)).toEqual(before);
  });

  test("an impossible bar lets nobody through", () => {
    const scan = wasm(20);
    fill(scan, { dimension: 20, rows: 50, seed: 1, extreme: false });
    expect(visited(scan, { first: 0, count: 50 }, 1e9).size).toBe(0);
  });
});

describe.each([
  { name: "wasm", create: wasm },
  { name: "plain", create: createPlainScan },
])("$name", ({ create }) => {
  test("rows keep their headers and bytes when the memory grows, and move in one copy", () => {
    const scan = create(24);
    fill(scan, { dimension: 24, rows: 5, seed: 2, extreme: false });
    const before = scan.rows(0, 5).slice();
    scan.reserve(3 * SCAN_ROWS);
    expect(scan.rows(0, 5)).toEqual(before);
    expect(before.length).toBe(5 * rowBytes(24));
    scan.rows(9000, 1).set(scan.rows(3, 1));
    expect(scan.header(9000)).toEqual(scan.header(3));
    expect(scan.header(9000).ordinal).toBe(21);
    expect(scan.bytes()).toBeGreaterThan(3 * SCAN_ROWS * 24);
  });

  test("sums at the edge of 32 bits come out right in 8192 dimensions", () => {
    const dimension = 8192;
    const scan = create(dimension);
    scan.reserve(2);
    const most = Math.floor((2 ** 31 - 1) / (127 * dimension));
    for (const [row, code] of [127, -127].entries()) {
      scan.write(row, { codes: new Int8Array(dimension).fill(code), scale: 1, residual: 0, ordinal: row });
    }
    scan.ask(new Int16Array(dimension).fill(most), 1);
    expect(visited(scan, { first: 0, count: 2 }, Number.NEGATIVE_INFINITY)).toEqual(
      new Map([
        [0, 127 * dimension * most],
        [1, -127 * dimension * most],
      ]),
    );
  });
});
