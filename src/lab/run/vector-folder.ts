/**
 * Vectors on disk, by key. Every process appends to a file of its own and reads everybody's: none can tear what another one
 * writes, and a process that is killed leaves at most one record that is cut short at the end of its own file. Records have one
 * size: key, checksum, values. Only their places are held in memory, for the peak of a run is to be the run's own.
 */
import { randomUUID } from "node:crypto";
import { closeSync, fstatSync, mkdirSync, openSync, readdirSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { MemoryError } from "../../base/errors.ts";

export interface VectorFolder {
  get(key: Buffer): Float32Array | undefined;
  /** What other processes wrote since the last look is found from here on. */
  look(): void;
  put(records: readonly (readonly [key: Buffer, values: Float32Array])[]): void;
  close(): void;
}

export const KEY_BYTES = 16;
const CHECK_BYTES = 4;
const ENDING = ".vectors";
/** Records read at once while looking for keys. */
const CHUNK = 1024;

interface Piece {
  readonly file: number;
  /** Bytes whose keys are known. */
  read: number;
}

export function openVectorFolder(folder: string, dimension: number): VectorFolder {
  const head = KEY_BYTES + CHECK_BYTES;
  const size = head + 4 * dimension;
  const pieces = new Map<string, Piece>();
  const places = new Map<string, { readonly file: number; readonly at: number }>();
  let own: Piece | undefined;

  const readOn = (piece: Piece): void => {
    const { size: bytes } = fstatSync(piece.file);
    const chunk = Buffer.alloc(Math.min(CHUNK, Math.max(1, Math.floor((bytes - piece.read) / size))) * size);
    while (bytes - piece.read >= size) {
      const whole = Math.floor(readSync(piece.file, chunk, 0, chunk.length, piece.read) / size);
      if (whole === 0) return;
      for (let record = 0; record < whole; record++) {
        const at = record * size;
        // A disk may lose what it had promised: made again rather than believed.
        const isWhole = chunk.readUInt32LE(at + KEY_BYTES) === crc32(chunk.subarray(at + head, at + size));
        const key = chunk.toString("latin1", at, at + KEY_BYTES);
        if (isWhole) places.set(key, { file: piece.file, at: piece.read + at + head });
      }
      piece.read += whole * size;
    }
  };
  const look = (): void => {
    for (const name of readdirSync(folder)) {
      if (!name.endsWith(ENDING)) continue;
      const piece = pieces.get(name) ?? { file: openSync(join(folder, name), "r"), read: 0 };
      pieces.set(name, piece);
      readOn(piece);
    }
  };

  guarded(folder, () => {
    mkdirSync(folder, { recursive: true });
    look();
  });
  return {
    look: () => guarded(folder, look),

    get(key) {
      const place = places.get(key.toString("latin1"));
      if (place === undefined) return undefined;
      const values = new Float32Array(dimension);
      guarded(folder, () => readSync(place.file, values, 0, values.byteLength, place.at));
      return values;
    },

    put(records) {
      if (records.length === 0) return;
      guarded(folder, () => {
        if (own === undefined) {
          const name = `${randomUUID()}${ENDING}`;
          own = { file: openSync(join(folder, name), "ax+"), read: 0 };
          pieces.set(name, own);
        }
        const bytes = Buffer.alloc(records.length * size);
        for (const [place, [key, values]] of records.entries()) {
          const at = place * size;
          const data = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
          key.copy(bytes, at);
          bytes.writeUInt32LE(crc32(data), at + KEY_BYTES);
          data.copy(bytes, at + head);
        }
        writeSync(own.file, bytes);
        readOn(own);
      });
    },

    close() {
      for (const { file } of pieces.values()) closeSync(file);
      pieces.clear();
      places.clear();
    },
  };
}

function guarded<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new MemoryError(
      "storage_io",
      `The vectors in ${folder} could not be read or written. Valid: a cache folder of your own, with room in it.`,
      { cause },
    );
  }
}
