/**
 * The inner loop of the vector scan, in WebAssembly SIMD: which rows of int8 codes can reach the bar? For each row
 *
 *     (Σ codes · (query + 8192) − 8192 · Σ codes) · scale · the query's scale + residual ≥ bar
 *
 * `scan(rowsAt, stride, eighth, queryAt, blocks, hitsAt)` takes addresses in bytes (the layout is `row-format.ts`),
 * reads 8 · eighth rows and returns where the list of hits ends.
 *
 * - Eight rows are read together, one from each eighth of the run: every piece of the query is loaded once for eight
 *   rows, and the processor fetches ahead in eight pages of memory at once, which is what a long scan waits for.
 * - Nearly all rows are far from the bar, and the upper seven bits of the query are enough to tell. Only where one of
 *   eight rows could reach it with the most that the lower seven can bring are those multiplied, too.
 * - The relaxed dot product of signed bytes with seven-bit ones is one instruction on processors that have it, and on
 *   these operands it has only one possible answer: two products of 127 · 127 fit the 16 bits some processors add in.
 * - Whoever was looked at closely is written to the list of hits, with a bit for each row that reaches the bar; the end of
 *   the list only moves on if one does.
 */
import {
  assembleModule,
  type Code,
  f32x4,
  i32,
  i32x4,
  ifNotZero,
  local,
  repeatUntilZero,
  v128,
} from "./assemble.ts";
import {
  BLOCK,
  HEADER,
  HEADER_BYTES,
  HIT,
  HIT_BYTES,
  OFFSET_BITS,
  PLANE_BITS,
  QUERY,
  ROWS_AT_ONCE,
} from "./row-format.ts";

/** The locals by number: parameters, further i32, v128. */
const [row0, stride, eighth, queryAt, blocks, hitsAt, row1] = [0, 1, 2, 3, 4, 5, 6];
const ROWS = Array.from({ length: ROWS_AT_ONCE }, (_, n) => (n === 0 ? row0 : row1 + n - 1));
const [left, query, place, width, reached] = [13, 14, 15, 16, 17];
const product0 = 18;
const [plane, sums, scales, residuals, dots, upperOfFirst] = [26, 27, 28, 29, 30, 31];
/** Four rows fill the lanes of a vector; what the upper bits gave each of them is kept until the lower are asked for. */
const FOURS = [0, 1].map((half) => ({
  rows: ROWS.slice(4 * half, 4 * half + 4),
  product: product0 + 4 * half,
  upper: upperOfFirst + half,
  hit: 16 * half,
  bits: 4 * half,
}));
type Four = (typeof FOURS)[number];

export function assembleInt8Kernel(): Uint8Array<ArrayBuffer> {
  const highPlane = [local.get(queryAt), i32.const(QUERY.planes), i32.add];
  const eightRows = [
    ...ROWS.flatMap((row) => advance(row, HEADER_BYTES)),
    ...multiply(highPlane),
    ...toStart(),
    ...set(reached, i32.const(0)),
    ...FOURS.flatMap((four) => [...roughDots(four), ...noteReached(four, QUERY.roughBar)]),
    ...[local.get(reached), ifNotZero(lookClosely(highPlane))],
    ...ROWS.flatMap((row) => set(row, local.get(row), local.get(stride), i32.add)),
    ...advance(place, 1),
    ...advance(eighth, -1),
  ];
  return assembleModule({
    name: "scan",
    params: 6,
    numbers: 12,
    vectors: 15,
    body: [...prepare(), repeatUntilZero(eighth, eightRows), local.get(hitsAt)],
  });
}

function prepare(): Code[] {
  const bytes = [local.get(eighth), local.get(stride), i32.mul];
  return [
    ...set(width, local.get(blocks), i32.const(BLOCK), i32.mul),
    ...ROWS.slice(1).flatMap((row, n) => set(row, local.get(ROWS[n] ?? row0), ...bytes, i32.add)),
  ];
}

/** Walks each row from its first code to its end. */
function multiply(planeAt: readonly Code[]): Code[] {
  const oneBlock = [
    ...set(plane, local.get(query), v128.load(0)),
    ...ROWS.flatMap((row, n) => [
      ...set(
        product0 + n,
        ...[local.get(row), v128.load(0), local.get(plane), local.get(product0 + n)],
        i32x4.relaxedDotI8x16I7x16Add,
      ),
      ...advance(row, BLOCK),
    ]),
    ...advance(query, BLOCK),
    ...advance(left, -1),
  ];
  return [
    ...ROWS.flatMap((_, n) => set(product0 + n, v128.zero)),
    ...set(query, ...planeAt),
    ...set(left, local.get(blocks)),
    repeatUntilZero(left, oneBlock),
  ];
}

/** From the rows' ends back to their headers. */
function toStart(): Code[] {
  return ROWS.flatMap((row) => set(row, local.get(row), local.get(stride), i32.subtract));
}

/** dots = as if all lower bits of the query were middling ones. */
function roughDots({ rows, product, upper }: Four): Code[] {
  return [
    ...gather(sums, rows, HEADER.sum),
    ...set(upper, ...folded(product), ...shifted(PLANE_BITS)),
    ...set(upper, local.get(upper), local.get(sums), ...shifted(OFFSET_BITS), i32x4.subtract),
    ...set(dots, local.get(upper), local.get(sums), ...shifted(PLANE_BITS - 1), i32x4.add),
  ];
}

function lookClosely(highPlane: readonly Code[]): Code[] {
  return [
    ...ROWS.flatMap((row) => advance(row, HEADER_BYTES)),
    ...multiply([...highPlane, local.get(width), i32.add]),
    ...toStart(),
    ...set(reached, i32.const(0)),
    ...FOURS.flatMap((four) => [
      ...set(dots, ...folded(four.product), local.get(four.upper), i32x4.add),
      ...[local.get(hitsAt), local.get(dots), v128.store(HIT.dots + four.hit)],
      ...noteReached(four, QUERY.bar),
    ]),
    ...[local.get(hitsAt), local.get(place), i32.store(HIT.place)],
    ...[local.get(hitsAt), local.get(reached), i32.store(HIT.reached)],
    ...[local.get(reached), ifNotZero(advance(hitsAt, HIT_BYTES))],
  ];
}

/** Sets a bit of `reached` for each of four rows that reaches the bar by its `dots`. */
function noteReached({ rows, bits }: Four, bar: number): Code[] {
  const scores = [
    ...[local.get(dots), f32x4.convertI32x4, local.get(scales), f32x4.mul],
    ...[local.get(queryAt), v128.load(QUERY.scale), f32x4.mul],
  ];
  return [
    ...gather(scales, rows, HEADER.scale),
    ...gather(residuals, rows, HEADER.residual),
    ...[...scores, local.get(residuals), f32x4.add],
    ...[local.get(queryAt), v128.load(bar), f32x4.ge, i32x4.bitmask],
    ...set(reached, i32.const(bits), i32.shiftLeft, local.get(reached), i32.or),
  ];
}

/** A field of four rows' headers. */
function gather(target: number, [first = 0, ...others]: readonly number[], field: number): Code[] {
  return [
    ...set(target, local.get(first), v128.load32Zero(field)),
    ...others.flatMap((row, n) =>
      set(target, local.get(row), local.get(target), v128.load32Lane(field, n + 1)),
    ),
  ];
}

/** Puts four rows' products on the stack, each added up: sixteen lanes to eight in pairs of rows, then to four. */
function folded(first: number): Code[] {
  const both = (one: number, other: number, low: Code, high: Code): Code[] => [
    ...[local.get(one), local.get(other), low],
    ...[local.get(one), local.get(other), high],
    i32x4.add,
  ];
  const pair = (one: number): Code[] =>
    set(one, ...both(one, one + 1, i32x4.shuffle(0, 4, 1, 5), i32x4.shuffle(2, 6, 3, 7)));
  return [
    ...pair(first),
    ...pair(first + 2),
    ...both(first, first + 2, i32x4.shuffle(0, 1, 4, 5), i32x4.shuffle(2, 3, 6, 7)),
  ];
}

function shifted(bits: number): Code[] {
  return [i32.const(bits), i32x4.shiftLeft];
}

function set(target: number, ...value: readonly Code[]): Code[] {
  return [...value, local.set(target)];
}

function advance(pointer: number, by: number): Code[] {
  return set(pointer, local.get(pointer), i32.const(by), i32.add);
}
