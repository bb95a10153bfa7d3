/** Rows ⇄ values: the only place that trusts what the database returns. */
import type { Edge } from "../../base/edge.ts";
import type { Entry, Observables } from "../../base/entry.ts";
import { MemoryError } from "../../base/errors.ts";
import type { EntryId, TurnId } from "../../base/ids.ts";
import type { JsonObject } from "../../base/json.ts";
import type { Scope } from "../../base/scope.ts";
import type { Role, Turn } from "../../base/turn.ts";
import type { Event, Operation } from "../event.ts";
import type { Job, JobState } from "../job.ts";
import type { Row, SqlValue } from "./driver.ts";

export const ENTRY_COLUMNS = [
  "id",
  "memory_type",
  "judgment",
  "reasoning",
  "strength",
  "is_active",
  "memory_scope",
  "created_at",
  "updated_at",
  "collection",
  "metadata",
  "happened_at",
  "recorded_at",
  "content_hash",
  "sources",
  "superseded_by",
  "last_access_at",
  "access_count",
  "useful_count",
  "importance",
  "energy_value",
  "energy_at",
  "tier",
] as const;

/** SimpleMemory's clocks count seconds (S3-9); ours count milliseconds (C-21). */
export const toSeconds = (ms: number): number => ms / 1000;
const toMs = (seconds: unknown): number => Math.round(Number(seconds) * 1000);

export function entryToRow(entry: Entry): readonly SqlValue[] {
  return [
    entry.id,
    entry.kind,
    entry.content,
    entry.rationale,
    entry.strength,
    entry.pinned ? 1 : 0,
    entry.scope,
    toSeconds(entry.createdAt),
    toSeconds(entry.updatedAt),
    entry.collection,
    JSON.stringify(entry.metadata),
    entry.happenedAt,
    entry.recordedAt,
    entry.contentHash,
    JSON.stringify(entry.sources),
    entry.supersededBy,
    entry.lastAccessAt,
    entry.accessCount,
    entry.usefulCount,
    entry.importance,
    entry.energyAnchor?.value ?? null,
    entry.energyAnchor?.at ?? null,
    entry.tier,
  ];
}

export function entryFromRow(row: Row, tags: readonly string[]): Entry {
  return {
    id: idOf(row.id),
    collection: text(row.collection),
    scope: scopeOf(row.memory_scope),
    kind: text(row.memory_type),
    content: text(row.judgment),
    rationale: text(row.reasoning),
    tags,
    metadata: object(row.metadata),
    happenedAt: Number(row.happened_at),
    recordedAt: Number(row.recorded_at),
    updatedAt: toMs(row.updated_at),
    contentHash: text(row.content_hash),
    sources: list(row.sources),
    supersededBy: row.superseded_by === null ? null : idOf(row.superseded_by),
    ...observablesFromRow(row),
  };
}

/** What a policy reads of an entry. */
export const VITALS_COLUMNS =
  "id, memory_type, created_at, last_access_at, access_count, useful_count, importance, strength, is_active, energy_value, energy_at, tier";

export function observablesFromRow(row: Row): Observables {
  return {
    createdAt: toMs(row.created_at),
    ...touchableFromRow(row),
    importance: optionalNumber(row.importance),
    pinned: Number(row.is_active) === 1,
    tier: optionalText(row.tier),
  };
}

/** The part of an entry that a mere look may change. */
export type Touchable = Pick<
  Entry,
  "lastAccessAt" | "accessCount" | "usefulCount" | "strength" | "energyAnchor"
>;

export const TOUCHABLE_COLUMNS =
  "last_access_at, access_count, useful_count, strength, energy_value, energy_at";

export function touchableFromRow(row: Row): Touchable {
  return {
    lastAccessAt: Number(row.last_access_at),
    accessCount: Number(row.access_count),
    usefulCount: Number(row.useful_count),
    strength: Number(row.strength),
    energyAnchor: energyFromRow(row),
  };
}

export function turnFromRow(row: Row): Turn {
  return {
    id: text(row.id) as TurnId,
    seq: Number(row.seq),
    scope: scopeOf(row.scope),
    session: text(row.session),
    speaker: text(row.speaker),
    role: text(row.role) as Role,
    text: text(row.text),
    captions: list(row.captions),
    happenedAt: Number(row.happened_at),
    zone: optionalText(row.zone),
    recordedAt: Number(row.recorded_at),
    metadata: object(row.metadata),
  };
}

export function edgeToRow(edge: Edge, collection: string): readonly SqlValue[] {
  const { from, to, type, scope, weight, directed, provenance, createdAt } = edge;
  return [from, to, type, scope, collection, weight, directed ? 1 : 0, provenance, createdAt];
}

export function edgeFromRow(row: Row): Edge {
  return {
    from: idOf(row.from_id),
    to: idOf(row.to_id),
    type: text(row.type),
    weight: Number(row.weight),
    directed: Number(row.directed) === 1,
    scope: scopeOf(row.scope),
    provenance: text(row.provenance),
    createdAt: Number(row.created_at),
  };
}

export function eventFromRow(row: Row): Event {
  const seq = Number(row.seq);
  return {
    seq,
    // Of older files it is not known what was changed together.
    change: optionalNumber(row.change_seq) ?? seq,
    undoes: optionalNumber(row.undoes),
    at: Number(row.at),
    actor: text(row.actor),
    cause: text(row.cause),
    operation: text(row.operation) as Operation,
    collection: text(row.collection),
    scope: scopeOf(row.scope),
    subject: idOf(row.subject),
    changed: changedFromRow(row),
    before: row.before_state === null ? null : object(row.before_state),
    after: row.after_state === null ? null : object(row.after_state),
  };
}

/** Written as one comma-separated column: it is read for every entry an index catches up with. */
export function changedFromRow(row: Row): readonly string[] {
  return text(row.changed).split(",");
}

export function jobFromRow(row: Row): Job {
  return {
    id: text(row.id),
    kind: text(row.kind),
    scope: scopeOf(row.scope),
    subject: row.subject === null ? null : idOf(row.subject),
    payload: object(row.payload),
    state: text(row.state) as JobState,
    attempts: Number(row.attempts),
    runAt: Number(row.run_at),
    leaseOwner: optionalText(row.lease_owner),
    leaseUntil: optionalNumber(row.lease_until),
    lastError: optionalText(row.last_error),
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
  };
}

/** A value made of plain fields, as an event keeps it. */
export function toJson(value: Entry | Edge): JsonObject {
  return { ...value } as unknown as JsonObject;
}

/** A stored vector as an event keeps it: bits for bits. */
export function vectorToJson(row: Row): JsonObject {
  return { space: text(row.space), data: Buffer.from(bytesOf(row.data)).toString("base64") };
}

/** Vectors are stored as little-endian float32, four bytes a number. */
export function vectorToBytes(values: Float32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

export function vectorFromBytes(bytes: unknown): Float32Array {
  const { buffer, byteOffset, byteLength } = bytesOf(bytes);
  if (byteLength % 4 !== 0) {
    throw new MemoryError(
      "storage_corrupt",
      `A stored vector has ${byteLength} bytes. Valid: a multiple of four. "neuromem reembed" makes all vectors anew.`,
    );
  }
  // Nobody writes to a row: the numbers are read where they lie, if they lie so that they can be.
  return byteOffset % 4 === 0
    ? new Float32Array(buffer, byteOffset, byteLength / 4)
    : new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength));
}

export function idOf(value: unknown): EntryId {
  return String(value) as EntryId;
}

export function scopeOf(value: unknown): Scope {
  return String(value) as Scope;
}

function bytesOf(value: unknown): Uint8Array {
  return value as Uint8Array;
}

export function text(value: unknown): string {
  return String(value);
}

function energyFromRow(row: Row): Entry["energyAnchor"] {
  return row.energy_value === null ? null : { value: Number(row.energy_value), at: Number(row.energy_at) };
}

function optionalText(value: unknown): string | null {
  return value === null ? null : String(value);
}

function optionalNumber(value: unknown): number | null {
  return value === null ? null : Number(value);
}

export function object(value: unknown): JsonObject {
  if (value === "{}") return {};
  return JSON.parse(String(value)) as JsonObject;
}

function list(value: unknown): readonly string[] {
  return value === "[]" ? [] : (JSON.parse(String(value)) as string[]);
}
