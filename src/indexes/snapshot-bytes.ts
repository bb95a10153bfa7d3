/**
 * How does an index become bytes and come back? A snapshot is a header and a list of typed sections, read in the order
 * they were written. A checksum and every length are checked, so torn, damaged, foreign or older bytes are refused
 * (`storage_corrupt`) and the caller rebuilds; whoever stores the bytes adds the event sequence.
 *
 * Header: magic (8 bytes, zero-filled), kind's own version, byte-order mark, total length, CRC-32 of all that follows
 * the header. Section: tag (4 bytes), payload length (8 bytes), payload.
 *
 * @example
 * const writer = new SnapshotWriter("fifo", 1);
 * writer.text("queue").int32(positions);
 * const bytes = writer.finish();
 * const reader = new SnapshotReader(bytes, "fifo", 1);
 * const name = reader.text();
 * const positions = reader.int32();
 * reader.end();
 */
import { crc32 } from "node:zlib";
import { MemoryError } from "../base/errors.ts";

const HEADER_BYTES = 28;
const SECTION_BYTES = 12;
const BYTE_ORDER_MARK = 0x0102_0304;
const TAGS = { bytes: 1, int32: 2, uint32: 3, float32: 4, float64: 5, text: 6, texts: 7 } as const;

type Tag = keyof typeof TAGS;

export class SnapshotWriter {
  readonly #magic: Uint8Array;
  readonly #version: number;
  readonly #sections: {
    readonly tag: Tag;
    readonly pieces: readonly Uint8Array[];
    readonly length: number;
  }[] = [];

  /** `magic`: up to eight ASCII letters, the index kind; `version` grows whenever the kind's layout changes. */
  constructor(magic: string, version: number) {
    this.#magic = magicBytes(magic);
    this.#version = version;
  }

  /** Raw bytes; several pieces become one section. They are copied only in `finish`. */
  bytes(values: Uint8Array | readonly Uint8Array[]): this {
    return this.#section("bytes", values instanceof Uint8Array ? [values] : values);
  }
  int32(values: Int32Array): this {
    return this.#section("int32", [bytesOf(values)]);
  }
  uint32(values: Uint32Array): this {
    return this.#section("uint32", [bytesOf(values)]);
  }
  float32(values: Float32Array): this {
    return this.#section("float32", [bytesOf(values)]);
  }
  float64(values: Float64Array): this {
    return this.#section("float64", [bytesOf(values)]);
  }
  number(value: number): this {
    return this.float64(Float64Array.of(value));
  }
  /** Well-formed text: a lone surrogate would come back as U+FFFD. */
  text(value: string): this {
    return this.#section("text", [new TextEncoder().encode(value)]);
  }
  /** Many texts in two sections: their lengths, then all of them in one run. */
  texts(values: readonly string[]): this {
    this.uint32(Uint32Array.from(values, (value) => value.length));
    return this.#section("texts", [new TextEncoder().encode(values.join(""))]);
  }

  finish(): Uint8Array {
    const total = this.#sections.reduce((sum, { length }) => sum + SECTION_BYTES + length, HEADER_BYTES);
    const out = new Uint8Array(total);
    const view = new DataView(out.buffer);
    out.set(this.#magic);
    view.setUint32(8, this.#version, true);
    new Uint32Array(out.buffer, 12, 1)[0] = BYTE_ORDER_MARK;
    view.setFloat64(16, total, true);
    let at = HEADER_BYTES;
    for (const { tag, pieces, length } of this.#sections) {
      view.setUint32(at, TAGS[tag], true);
      view.setFloat64(at + 4, length, true);
      let to = at + SECTION_BYTES;
      for (const piece of pieces) {
        out.set(piece, to);
        to += piece.length;
      }
      at += SECTION_BYTES + length;
    }
    view.setUint32(24, crc32(out.subarray(HEADER_BYTES)), true);
    return out;
  }

  #section(tag: Tag, pieces: readonly Uint8Array[]): this {
    this.#sections.push({ tag, pieces, length: pieces.reduce((sum, piece) => sum + piece.length, 0) });
    return this;
  }
}

/** Every reading method may be told how many elements must be there. */
export class SnapshotReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = HEADER_BYTES;

  constructor(given: Uint8Array, magic: string, version: number) {
    // Files are read as Buffers, whose `slice` is a view; a plain array's is a copy, which aligned reading needs.
    const bytes = new Uint8Array(given.buffer, given.byteOffset, given.byteLength);
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (bytes.length < HEADER_BYTES) throw snapshotCorrupt("it is too short to be one");
    const expected = magicBytes(magic);
    if (expected.some((byte, place) => bytes[place] !== byte)) {
      throw snapshotCorrupt(`it is not one of a "${magic}" index`);
    }
    const written = this.#view.getUint32(8, true);
    if (written !== version) {
      throw snapshotCorrupt(`its version is ${written}, and ${version} is read here`);
    }
    if (new Uint32Array(bytes.slice(12, 16).buffer)[0] !== BYTE_ORDER_MARK) {
      throw snapshotCorrupt("it was written on a machine of another byte order");
    }
    const total = this.#view.getFloat64(16, true);
    if (total !== bytes.length) {
      throw snapshotCorrupt(`${total} bytes were written and ${bytes.length} are here`);
    }
    if (this.#view.getUint32(24, true) !== crc32(bytes.subarray(HEADER_BYTES))) {
      throw snapshotCorrupt("its bytes have changed since they were written");
    }
  }

  /** A view into the snapshot, not a copy. */
  bytes(length?: number): Uint8Array {
    return this.#section("bytes", 1, length);
  }
  int32(length?: number): Int32Array {
    return new Int32Array(copyOf(this.#section("int32", 4, length)));
  }
  uint32(length?: number): Uint32Array {
    return new Uint32Array(copyOf(this.#section("uint32", 4, length)));
  }
  float32(length?: number): Float32Array {
    return new Float32Array(copyOf(this.#section("float32", 4, length)));
  }
  float64(length?: number): Float64Array {
    return new Float64Array(copyOf(this.#section("float64", 8, length)));
  }
  number(): number {
    return this.float64(1)[0] ?? 0;
  }
  text(): string {
    return this.#decode("text");
  }
  texts(count?: number): string[] {
    const lengths = this.uint32(count);
    const all = this.#decode("texts");
    let at = 0;
    const out = Array.from(lengths, (length) => {
      at += length;
      return all.slice(at - length, at);
    });
    if (at !== all.length) throw snapshotCorrupt("the lengths of its texts do not add up");
    return out;
  }

  /** To be called last: whatever is left over was not written by this kind. */
  end(): void {
    if (this.#at !== this.#bytes.length) throw snapshotCorrupt("it has more sections than are read here");
  }

  #section(tag: Tag, elementBytes: number, count: number | undefined): Uint8Array {
    const start = this.#at + SECTION_BYTES;
    if (start > this.#bytes.length) throw snapshotCorrupt(`a section of ${tag} is missing`);
    if (this.#view.getUint32(this.#at, true) !== TAGS[tag]) {
      throw snapshotCorrupt(`another section stands where ${tag} should be`);
    }
    const length = this.#view.getFloat64(this.#at + 4, true);
    const fits = Number.isInteger(length) && length >= 0 && start + length <= this.#bytes.length;
    if (!fits || length % elementBytes !== 0)
      throw snapshotCorrupt(`a section of ${tag} has an impossible length`);
    if (count !== undefined && length !== count * elementBytes) {
      throw snapshotCorrupt(
        `a section of ${tag} holds ${length / elementBytes} elements instead of ${count}`,
      );
    }
    this.#at = start + length;
    return this.#bytes.subarray(start, start + length);
  }

  #decode(tag: "text" | "texts"): string {
    const bytes = this.#section(tag, 1, undefined);
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch (cause) {
      throw snapshotCorrupt("a text in it is not UTF-8", cause);
    }
  }
}

/** What every reader of a snapshot throws when something is off; the index it came from must then be rebuilt. */
export function snapshotCorrupt(problem: string, cause?: unknown): MemoryError {
  return new MemoryError(
    "storage_corrupt",
    `The index snapshot cannot be used: ${problem}. Valid: the whole, unchanged bytes this kind of index saved; rebuild the index.`,
    { cause },
  );
}

function magicBytes(magic: string): Uint8Array {
  const bytes = new Uint8Array(8);
  new TextEncoder().encodeInto(magic, bytes);
  return bytes;
}

function bytesOf(values: ArrayBufferView): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

/** Typed arrays need an aligned start, which a view into somebody's bytes cannot promise. */
function copyOf(bytes: Uint8Array): ArrayBuffer {
  const copy = new ArrayBuffer(bytes.length);
  new Uint8Array(copy).set(bytes);
  return copy;
}
