/**
 * The envelope of an index snapshot: whose it is and which moment it shows. Layout: length of the label (4 bytes), the
 * label, then the index's own bytes, which carry their own checksum.
 */
import { MemoryError } from "../base/errors.ts";
import { SnapshotReader, SnapshotWriter } from "../indexes/snapshot-bytes.ts";
import type { IndexRecord } from "../storage/registry.ts";

const MAGIC = "envelope";
const VERSION = 1;

export interface SnapshotLabel {
  readonly storageId: string;
  readonly index: IndexRecord;
  /** The last event it holds … */
  readonly seq: number;
  /** … and when that was written, so that a file restored from an older copy is not taken for the same history. */
  readonly moment: number;
}

export function sealSnapshot(
  { storageId, index, seq, moment }: SnapshotLabel,
  payload: Uint8Array,
): Uint8Array {
  const label = new SnapshotWriter(MAGIC, VERSION)
    .text(storageId)
    .text(fingerprint(index))
    .number(seq)
    .number(moment)
    .finish();
  const bytes = new Uint8Array(4 + label.length + payload.length);
  new DataView(bytes.buffer).setUint32(0, label.length, true);
  bytes.set(label, 4);
  bytes.set(payload, 4 + label.length);
  return bytes;
}

/** Throws `storage_corrupt` on anything that is not a snapshot of this very index of this very memory. */
export function openSnapshot(
  bytes: Uint8Array,
  storageId: string,
  index: IndexRecord,
): { readonly seq: number; readonly moment: number; readonly payload: Uint8Array } {
  if (bytes.length < 4)
    throw new MemoryError("storage_corrupt", "The snapshot is shorter than its own header.");
  const labelEnd = 4 + new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
  const reader = new SnapshotReader(bytes.subarray(4, labelEnd), MAGIC, VERSION);
  const owner = reader.text();
  const print = reader.text();
  const seq = reader.number();
  const moment = reader.number();
  reader.end();
  if (owner !== storageId || print !== fingerprint(index)) {
    throw new MemoryError(
      "storage_corrupt",
      "The snapshot belongs to another memory or to an index of other options.",
    );
  }
  return { seq, moment, payload: bytes.subarray(labelEnd) };
}

function fingerprint({ number, kind, options }: IndexRecord): string {
  return JSON.stringify([number, kind, options]);
}
