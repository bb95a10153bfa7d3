/**
 * How does readable code become a WebAssembly module? An assembler for the few instructions the scan needs, so that no
 * opaque binary is kept in the repository. An instruction is a list of bytes, a body is a list of instructions; opcodes
 * are those of the WebAssembly core specification, chapter "Binary Format".
 */

export type Code = readonly number[];

/** A function that returns an i32. Its locals are numbered: i32 parameters first, then further i32, then v128. */
export interface WasmFunction {
  readonly name: string;
  readonly params: number;
  readonly numbers: number;
  readonly vectors: number;
  readonly body: readonly Code[];
}

/** A module with one exported function over the memory imported as `env.memory`. */
export function assembleModule({
  name,
  params,
  numbers,
  vectors,
  body,
}: WasmFunction): Uint8Array<ArrayBuffer> {
  const importMemory = [...text("env"), ...text("memory"), KIND.memory, LIMITS_FROM, ...unsigned(1)];
  const type = [
    FUNCTION_TYPE,
    ...list(Array.from({ length: params }, () => [TYPE.i32])),
    ...list([[TYPE.i32]]),
  ];
  const locals = list([
    [...unsigned(numbers), TYPE.i32],
    [...unsigned(vectors), TYPE.v128],
  ]);
  const code = [...locals, ...body.flat(), END];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(SECTION.type, [type]),
    ...section(SECTION.import, [importMemory]),
    ...section(SECTION.function, [unsigned(0)]),
    ...section(SECTION.export, [[...text(name), KIND.function, ...unsigned(0)]]),
    ...section(SECTION.code, [[...unsigned(code.length), ...code]]),
  ]);
}

export const local = {
  get: (index: number): Code => [0x20, ...unsigned(index)],
  set: (index: number): Code => [0x21, ...unsigned(index)],
} as const;

export const i32 = {
  const: (value: number): Code => [0x41, ...signed(value)],
  add: [0x6a],
  subtract: [0x6b],
  or: [0x72],
  shiftLeft: [0x74],
  mul: [0x6c],
  store: (offset: number): Code => [0x36, ...memory(offset)],
} as const;

/** Addresses come from the stack, plus a constant offset in bytes. */
export const v128 = {
  zero: [...simd(0x0c), ...Array.from({ length: 16 }, () => 0)],
  load: (offset: number): Code => [...simd(0x00), ...memory(offset)],
  store: (offset: number): Code => [...simd(0x0b), ...memory(offset)],
  /** Four bytes into the first lane, zeros into the others. */
  load32Zero: (offset: number): Code => [...simd(0x5c), ...memory(offset)],
  /** Four bytes into one lane of a vector. */
  load32Lane: (offset: number, lane: number): Code => [...simd(0x56), ...memory(offset), lane],
} as const;

export const i32x4 = {
  add: simd(0xae),
  subtract: simd(0xb1),
  shiftLeft: simd(0xab),
  /** Products of sixteen signed bytes with sixteen of seven bits, each four neighbours added to one lane of a sum. */
  relaxedDotI8x16I7x16Add: simd(0x113),
  /** The highest bit of each lane, as a number of four bits. */
  bitmask: simd(0xa4),
  /** Four lanes chosen from two vectors: 0–3 of the first, 4–7 of the second. */
  shuffle: (...lanes: readonly [number, number, number, number]): Code => [
    ...simd(0x0d),
    ...lanes.flatMap((lane) => [0, 1, 2, 3].map((byte) => 4 * lane + byte)),
  ],
} as const;

export const f32x4 = {
  convertI32x4: simd(0xfa),
  add: simd(0xe4),
  mul: simd(0xe6),
  /** All bits of a lane set where the first is greater or equal. */
  ge: simd(0x46),
} as const;

/** Runs the body, then again for as long as the local it counts down with is not zero. */
export function repeatUntilZero(counter: number, body: readonly Code[]): Code {
  return [LOOP, NO_RESULT, ...body.flat(), ...local.get(counter), BRANCH_IF, ...unsigned(0), END];
}

/** Takes a number off the stack and runs the body unless it is zero. */
export function ifNotZero(body: readonly Code[]): Code {
  return [IF, NO_RESULT, ...body.flat(), END];
}

// --- encoding ---

const TYPE = { i32: 0x7f, v128: 0x7b } as const;
const KIND = { function: 0x00, memory: 0x02 } as const;
const SECTION = { type: 1, import: 2, function: 3, export: 7, code: 10 } as const;
const FUNCTION_TYPE = 0x60;
const LIMITS_FROM = 0x00;
const LOOP = 0x03;
const IF = 0x04;
const NO_RESULT = 0x40;
const BRANCH_IF = 0x0d;
const END = 0x0b;
function simd(opcode: number): Code {
  return [0xfd, ...unsigned(opcode)];
}

/** No hint of alignment, then the offset. */
function memory(offset: number): Code {
  return [0, ...unsigned(offset)];
}

function section(id: number, members: readonly Code[]): Code {
  const content = list(members);
  return [id, ...unsigned(content.length), ...content];
}

function list(members: readonly Code[]): Code {
  return [...unsigned(members.length), ...members.flat()];
}

function text(value: string): Code {
  return list([...new TextEncoder().encode(value)].map((byte) => [byte]));
}

/** LEB128: seven bits a byte, lowest first, the high bit says that more follow. */
function unsigned(value: number): Code {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

/** LEB128 of a signed number: done when what is left is all sign. */
function signed(value: number): Code {
  const done = value >= -0x40 && value < 0x40;
  return done ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)];
}
