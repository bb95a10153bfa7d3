/** The scan without WebAssembly: a plain loop over the same rows, many times slower, with the same answers. */
import { grow } from "../grow.ts";
import type { Int8Scan } from "./int8-scan.ts";
import { HEADER, HEADER_BYTES, readHeader, rowBytes, writeRow } from "./row-format.ts";

export function createPlainScan(dimension: number): Int8Scan {
  const stride = rowBytes(dimension);
  let bytes: Uint8Array = new Uint8Array(0);
  let view = new DataView(bytes.buffer);
  let query: { readonly codes: Int16Array; readonly scale: number } = { codes: new Int16Array(0), scale: 0 };
  return {
    reserve(count) {
      bytes = grow(bytes, count * stride, (length) => new Uint8Array(length));
      view = new DataView(bytes.buffer);
    },
    write: (number, row) => writeRow(view, number * stride, row),
    header: (number) => readHeader(view, number * stride),
    rows: (first, count) => bytes.subarray(first * stride, (first + count) * stride),
    ask(codes, scale) {
      query = { codes: codes.slice(), scale };
    },
    scan({ first, count }, bar, visit) {
      const all = new Int8Array(bytes.buffer);
      for (let row = first; row < first + count; row++) {
        const at = row * stride;
        const dot = integerDot(query.codes, all, at + HEADER_BYTES);
        const score = dot * view.getFloat32(at + HEADER.scale, true) * query.scale;
        if (score + view.getFloat32(at + HEADER.residual, true) >= bar) visit(row, dot);
      }
    },
    bytes: () => bytes.byteLength,
  };
}

function integerDot(query: Int16Array, codes: Int8Array, start: number): number {
  let sum = 0;
  for (let i = 0; i < query.length; i++) sum += (query[i] as number) * (codes[start + i] as number);
  return sum;
}
