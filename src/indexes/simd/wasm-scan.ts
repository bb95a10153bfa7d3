/** The scan in WebAssembly: one memory per index, one module per process, compiled when the first vector comes. */
import { MemoryError } from "../../base/errors.ts";
import { assembleInt8Kernel } from "./int8-kernel.ts";
import { type Int8Scan, SCAN_ROWS } from "./int8-scan.ts";
import {
  blockCount,
  HIT,
  HIT_BYTES,
  queryBytes,
  ROWS_AT_ONCE,
  readHeader,
  rowBytes,
  writeBar,
  writeQuery,
  writeRow,
} from "./row-format.ts";

/** Undefined where WebAssembly lacks relaxed SIMD, or no address space is left for one more memory. */
export function createWasmScan(dimension: number): Int8Scan | undefined {
  const stride = rowBytes(dimension);
  const hitsAt = queryBytes(dimension);
  const rowsAt = alignedUp(hitsAt + (SCAN_ROWS / ROWS_AT_ONCE) * HIT_BYTES, 64);
  const wasm = instantiate(rowsAt);
  if (wasm === undefined) return undefined;
  const { memory, scan } = wasm;
  const blocks = blockCount(dimension);
  let view = new DataView(memory.buffer);
  let reserved = 0;
  /** What the lower bits of the query can bring. */
  let lower = 0;
  return {
    reserve(count) {
      // A run is read in equal parts, so some rows beyond its end.
      growTo(memory, rowsAt + (count + ROWS_AT_ONCE - 1) * stride);
      view = new DataView(memory.buffer);
      reserved = Math.max(reserved, count);
    },
    write: (number, row) => writeRow(view, rowsAt + number * stride, row),
    header: (number) => readHeader(view, rowsAt + number * stride),
    rows: (first, count) => new Uint8Array(memory.buffer, rowsAt + first * stride, count * stride),
    ask(codes, scale) {
      lower = writeQuery(view, 0, codes, scale);
    },
    scan({ first, count }, bar, visit) {
      if (count === 0) return;
      writeBar(view, 0, bar, lower);
      const part = Math.ceil(count / ROWS_AT_ONCE);
      const end = scan(rowsAt + first * stride, stride, part, 0, blocks, hitsAt);
      for (let hit = hitsAt; hit < end; hit += HIT_BYTES) {
        const place = view.getInt32(hit + HIT.place, true);
        const reached = view.getInt32(hit + HIT.reached, true);
        for (let lane = 0; reached >> lane !== 0; lane++) {
          const row = place + lane * part;
          if ((reached >> lane) % 2 === 0 || row >= count) continue;
          visit(first + row, view.getInt32(hit + HIT.dots + 4 * lane, true));
        }
      }
    },
    bytes: () => rowsAt + reserved * stride,
  };
}

type Scan = (
  rowsAt: number,
  stride: number,
  part: number,
  queryAt: number,
  blocks: number,
  hitsAt: number,
) => number;

interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): void;
}

/** The part of the global that is used here; the compiler's own libraries tie it to the browser's. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Memory: new (limits: { readonly initial: number; readonly maximum: number }) => Memory;
  readonly Instance: new (
    module: object,
    imports: { readonly env: { readonly memory: Memory } },
  ) => { readonly exports: { readonly scan: Scan } };
};

const PAGE_BYTES = 65_536;
const MOST_PAGES = 65_536;

let compiled: object | undefined;

function instantiate(bytes: number): { readonly memory: Memory; readonly scan: Scan } | undefined {
  try {
    compiled ??= new WebAssembly.Module(assembleInt8Kernel());
    const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE_BYTES), maximum: MOST_PAGES });
    const { scan } = new WebAssembly.Instance(compiled, { env: { memory } }).exports;
    return { memory, scan };
  } catch {
    // Not an error: the plain loop takes over, slower and with the same answers.
    return undefined;
  }
}

function growTo(memory: Memory, bytes: number): void {
  const pages = memory.buffer.byteLength / PAGE_BYTES;
  const needed = Math.ceil(bytes / PAGE_BYTES);
  if (needed <= pages) return;
  if (needed > MOST_PAGES) throw tooLarge();
  try {
    // Pages cost nothing until they are written to, and every growth voids all views.
    memory.grow(Math.min(MOST_PAGES, Math.max(needed, Math.ceil(pages * 1.25))) - pages);
  } catch (cause) {
    throw tooLarge(cause);
  }
}

function tooLarge(cause?: unknown): MemoryError {
  return new MemoryError(
    "capability_missing",
    "The codes of a vector_flat index have outgrown the memory. Valid: at most 4 GB of them, one byte per component; beyond that, an index in a server.",
    { cause },
  );
}

function alignedUp(bytes: number, to: number): number {
  return Math.ceil(bytes / to) * to;
}
