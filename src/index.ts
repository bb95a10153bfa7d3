/** The public engine: what a program that embeds NeuroMem may import. */
export { type Clock, manualClock, systemClock } from "./base/clock.ts";
export type { Edge, NewEdge } from "./base/edge.ts";
export type { Entry, EntryFields, NewEntry, Observables } from "./base/entry.ts";
export { ERROR_KINDS, type ErrorCode, MemoryError } from "./base/errors.ts";
export { type Filter, where } from "./base/filter.ts";
export type { Hit } from "./base/hit.ts";
export { type EntryId, parseEntryId, type TurnId } from "./base/ids.ts";
export type { Json, JsonObject } from "./base/json.ts";
export { PUBLIC, parseScope, type Scope } from "./base/scope.ts";
export type { Trace, TraceEvent } from "./base/trace.ts";
export type { NewTurn, Turn } from "./base/turn.ts";
export type { Vector } from "./base/vector.ts";
export type { Collection } from "./collection/collection.ts";
export { CollectionManager, type NewCollection } from "./collection/collection-manager.ts";
export type { NewItem } from "./collection/insert.ts";
export { PROFILES, type Profile } from "./collection/profile.ts";
export type { EntryChange, NewestRequest, ScanRequest } from "./collection/requests.ts";
export type { MultiRetrieval, Retrieval } from "./collection/retrieve.ts";
export { INDEX_KINDS } from "./indexes/index.ts";
export {
  type Candidate,
  defineIndex,
  type Index,
  type IndexDefinition,
  type IndexDeps,
  type IndexItem,
  type IndexNeeds,
  type IndexQuery,
  type IndexStats,
} from "./indexes/index-contract.ts";
export { openInMemory } from "./storage/memory.ts";
export { openPostgresAt, type PostgresAddress, type PostgresSettings } from "./storage/postgres/open-url.ts";
export type { PostgresClient } from "./storage/postgres/postgres-driver.ts";
export { openPostgres } from "./storage/postgres/postgres-storage.ts";
export { openSqlite } from "./storage/sqlite/sqlite-storage.ts";
export type { Storage } from "./storage/storage.ts";
export type { Touch } from "./storage/touch.ts";
