/** A storage under test, the clock it runs on, and the few calls every test makes. */
import { expect } from "vitest";
import { type Clock, manualClock } from "../base/clock.ts";
import { type Entry, makeEntry, type NewEntry } from "../base/entry.ts";
import type { ErrorCode } from "../base/errors.ts";
import { createIds, type EntryId } from "../base/ids.ts";
import { parseScope, type Scope } from "../base/scope.ts";
import type { Vector } from "../base/vector.ts";
import type { Cause, Storage, Write } from "../storage/storage.ts";

export interface StorageSubject {
  readonly name: string;
  /** A fresh, empty storage that takes its time from the clock. */
  create(clock: Clock): Promise<Storage>;
  /** The same data again after a close; leave out for storages that end with the process. */
  reopen?(storage: Storage, clock: Clock): Promise<Storage>;
  destroy?(): Promise<void>;
}

export const ALICE: Scope = parseScope("alice");
export const BOB: Scope = parseScope("bob");
export const CAUSE: Cause = { actor: "suite", cause: "test" };
export const NOON: number = Date.UTC(2026, 0, 15, 12);

export class StorageWorld {
  readonly subject: StorageSubject;
  readonly clock = manualClock(NOON);
  readonly ids = createIds(this.clock);
  #storage: Storage | undefined;

  constructor(subject: StorageSubject) {
    this.subject = subject;
  }

  get storage(): Storage {
    if (this.#storage === undefined) throw new Error("start() makes the storage");
    return this.#storage;
  }

  async start(): Promise<void> {
    this.clock.set(NOON);
    this.#storage = await this.subject.create(this.clock);
    await this.#storage.putCollection("notes", "hybrid", []);
  }

  async reopen(): Promise<void> {
    await this.storage.close();
    this.#storage = await this.subject.reopen?.(this.storage, this.clock);
  }

  async stop(): Promise<void> {
    await this.#storage?.close();
    await this.subject.destroy?.();
  }

  entryOf(scope: Scope, fields: NewEntry): Entry {
    const now = this.clock.now();
    return makeEntry(fields, { id: this.ids.entry(), collection: "notes", scope, now, contentHash: "h" });
  }

  async insert(
    scope: Scope,
    fields: NewEntry,
    vectors: Vector[] = [],
    indexes: number[] = [],
  ): Promise<Entry> {
    const entry = this.entryOf(scope, fields);
    await this.storage.commit(scope, [{ op: "entry-insert", entry, vectors, indexes }], CAUSE);
    return entry;
  }

  async get(scope: Scope, id: EntryId): Promise<Entry | undefined> {
    return (await this.storage.entries(scope, "notes", [id]))[0];
  }

  refuses(code: ErrorCode, scope: Scope, writes: Write[]): Promise<void> {
    return expect(this.storage.commit(scope, writes, CAUSE)).rejects.toMatchObject({ code });
  }
}
