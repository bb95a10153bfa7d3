/**
 * How is the static embedder kept in a file? One int8 row per token or phrase and a float32 scale for each; a token's
 * weight is in its scale. Phrases are more than one token long and win over their parts, which is how Chinese words,
 * whose tokens are single characters, get meanings of their own.
 *
 * Layout, little-endian: "NMST", version, dimension, tokens, rows, phrases, bytes of text (seven 32-bit words); the row of
 * each token (int32, −1 for none); the scales; the codes; the phrases as UTF-8, one per line. Phrases own the last rows.
 */
import { MemoryError } from "../../base/errors.ts";

export interface StaticTable {
  readonly dimension: number;
  /** Row of each token id, −1 where the token says nothing. */
  readonly rowOfToken: Int32Array;
  readonly scales: Float32Array;
  /** Row by row. */
  readonly codes: Int8Array;
  /** In the order of the last rows. */
  readonly phrases: readonly string[];
}

const MAGIC = 0x54534d4e;
const VERSION = 1;
const HEADER_WORDS = 7;

export function encodeStaticTable(table: StaticTable): Uint8Array {
  const { dimension, rowOfToken, scales, codes, phrases } = table;
  const text = new TextEncoder().encode(phrases.join("\n"));
  const words = HEADER_WORDS + rowOfToken.length + scales.length;
  const bytes = new Uint8Array(4 * words + codes.length + text.length);
  const view = new DataView(bytes.buffer);
  const header = [MAGIC, VERSION, dimension, rowOfToken.length, scales.length, phrases.length, text.length];
  header.forEach((word, i) => {
    view.setUint32(4 * i, word, true);
  });
  let at = 4 * HEADER_WORDS;
  for (const row of rowOfToken) {
    view.setInt32(at, row, true);
    at += 4;
  }
  for (const scale of scales) {
    view.setFloat32(at, scale, true);
    at += 4;
  }
  bytes.set(new Uint8Array(codes.buffer, codes.byteOffset, codes.length), at);
  bytes.set(text, at + codes.length);
  return bytes;
}

export function decodeStaticTable(bytes: Uint8Array, what: string): StaticTable {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const word = (index: number): number =>
    4 * index + 4 <= bytes.length ? view.getUint32(4 * index, true) : 0;
  const [dimension, tokens, rows, phraseCount, textBytes] = [word(2), word(3), word(4), word(5), word(6)];
  const textAt = 4 * (HEADER_WORDS + tokens + rows) + rows * dimension;
  if (word(0) !== MAGIC || word(1) !== VERSION || bytes.length !== textAt + textBytes) {
    throw new MemoryError(
      "option_invalid",
      `${what} is not a static table of version ${VERSION}, or is cut short. Valid: the file of the published package; install it again.`,
    );
  }
  const text = new TextDecoder().decode(bytes.subarray(textAt));
  const codesAt = textAt - rows * dimension;
  return {
    dimension,
    rowOfToken: Int32Array.from({ length: tokens }, (_, i) => view.getInt32(4 * (HEADER_WORDS + i), true)),
    scales: Float32Array.from({ length: rows }, (_, i) =>
      view.getFloat32(4 * (HEADER_WORDS + tokens + i), true),
    ),
    codes: new Int8Array(bytes.buffer, bytes.byteOffset + codesAt, rows * dimension),
    phrases: phraseCount === 0 ? [] : text.split("\n"),
  };
}
