/** An entry as a line of a bundle, and back, to the last bit. */
import { type Entry, makeEntry } from "../../base/entry.ts";
import { MemoryError } from "../../base/errors.ts";
import type { EntryId } from "../../base/ids.ts";
import type { Scope } from "../../base/scope.ts";
import type { Vector } from "../../base/vector.ts";
import { hashOf } from "../../collection/insert.ts";
import { type EntryLine, momentText, type WrittenLine } from "./bundle-line.ts";

export function entryLine(
  entry: Entry,
  indexes: readonly string[],
  vectors: readonly Vector[],
): WrittenLine & { readonly line: "entry" } {
  const { energyAnchor } = entry;
  return {
    line: "entry",
    id: entry.id,
    kind: entry.kind,
    content: entry.content,
    rationale: entry.rationale,
    tags: [...entry.tags],
    metadata: entry.metadata,
    happenedAt: momentText(entry.happenedAt),
    recordedAt: momentText(entry.recordedAt),
    createdAt: momentText(entry.createdAt),
    updatedAt: momentText(entry.updatedAt),
    lastAccessAt: momentText(entry.lastAccessAt),
    accessCount: entry.accessCount,
    usefulCount: entry.usefulCount,
    importance: entry.importance,
    strength: entry.strength,
    pinned: entry.pinned,
    energy: energyAnchor === null ? null : { value: energyAnchor.value, at: momentText(energyAnchor.at) },
    tier: entry.tier,
    sources: [...entry.sources],
    supersededBy: entry.supersededBy,
    indexes: [...indexes],
    vectors: Object.fromEntries(vectors.map(({ space, values }) => [space, base64Of(values)])),
  };
}

export interface Place {
  readonly id: EntryId;
  readonly collection: string;
  readonly scope: Scope;
  readonly supersededBy: EntryId | null;
}

/** The entry that the line tells of, checked as every entry is. */
export function entryOf(line: EntryLine, { id, collection, scope, supersededBy }: Place): Entry {
  const { line: _, id: __, indexes: ___, vectors: ____, energy, ...fields } = line;
  const { recordedAt, createdAt, updatedAt, ...given } = fields;
  const stamp = { id, collection, scope, now: recordedAt, contentHash: hashOf(line.content) };
  const entry = makeEntry({ ...given, energyAnchor: energy, supersededBy }, stamp);
  return { ...entry, recordedAt, createdAt, updatedAt };
}

export function vectorsOf({ vectors }: EntryLine): Vector[] {
  return Object.entries(vectors).map(([space, text]) => ({ space, values: valuesOf(text) }));
}

function base64Of(values: Float32Array): string {
  const bytes = new DataView(new ArrayBuffer(values.byteLength));
  values.forEach((value, at) => {
    bytes.setFloat32(4 * at, value, true);
  });
  return Buffer.from(bytes.buffer).toString("base64");
}

function valuesOf(text: string): Float32Array {
  const { buffer, byteOffset, byteLength } = Buffer.from(text, "base64");
  if (byteLength % 4 !== 0) {
    throw new MemoryError(
      "vector_invalid",
      `A vector has ${byteLength} bytes. Valid: four for each of its numbers.`,
    );
  }
  const bytes = new DataView(buffer, byteOffset, byteLength);
  return Float32Array.from({ length: byteLength / 4 }, (_, at) => bytes.getFloat32(4 * at, true));
}
