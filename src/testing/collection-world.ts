/** A collection under test, the storage and clock it runs on, and everything it reported on the way. */
import { expect } from "vitest";
import { type Clock, manualClock } from "../base/clock.ts";
import type { ErrorCode } from "../base/errors.ts";
import { parseScope, type Scope } from "../base/scope.ts";
import type { TraceEvent } from "../base/trace.ts";
import type { Collection } from "../collection/collection.ts";
import { CollectionManager } from "../collection/collection-manager.ts";
import type { Storage } from "../storage/storage.ts";
import { INDEXES } from "./collection-model.ts";

export interface CollectionSubject {
  readonly name: string;
  create(clock: Clock): Promise<Storage>;
  reopen?(storage: Storage, clock: Clock): Promise<Storage>;
  destroy?(): Promise<void>;
  /** Random sequences compared with the model. @default 25 */
  readonly runs?: number;
}

export const ALICE: Scope = parseScope("alice");
export const BOB: Scope = parseScope("bob");

/** What a caller without types may hand in. */
export function untyped<T>(value: unknown): T {
  return value as T;
}

export class CollectionWorld {
  readonly subject: CollectionSubject;
  readonly clock = manualClock(Date.UTC(2026, 4, 1));
  /** Since the start or the last `reopen`. */
  readonly heard: TraceEvent[] = [];
  #open: { readonly storage: Storage; readonly manager: CollectionManager; notes: Collection } | undefined;

  constructor(subject: CollectionSubject) {
    this.subject = subject;
  }

  get storage(): Storage {
    return this.#opened.storage;
  }

  get manager(): CollectionManager {
    return this.#opened.manager;
  }

  get notes(): Collection {
    return this.#opened.notes;
  }

  async start(): Promise<void> {
    const storage = await this.subject.create(this.clock);
    const manager = this.anotherManager(storage);
    const notes = await manager.create({ name: "notes", profile: "hybrid", indexes: INDEXES });
    this.#open = { storage, manager, notes };
  }

  /** A new manager over the same data; a new storage too, where that is possible. */
  async reopen(): Promise<void> {
    let { storage } = this;
    if (this.subject.reopen === undefined) await this.manager.storeAll();
    else {
      await this.manager.close();
      storage = await this.subject.reopen(storage, this.clock);
    }
    this.heard.length = 0;
    const manager = this.anotherManager(storage);
    this.#open = { storage, manager, notes: await manager.get("notes") };
  }

  async stop(): Promise<void> {
    await this.#open?.manager.close();
    await this.subject.destroy?.();
  }

  anotherManager(storage: Storage = this.storage): CollectionManager {
    return new CollectionManager(storage, {
      clock: this.clock,
      trace: (event) => {
        this.heard.push(event);
      },
    });
  }

  heardOf<Type extends TraceEvent["type"]>(type: Type): Extract<TraceEvent, { readonly type: Type }>[] {
    return this.heard.filter((event) => event.type === type) as Extract<
      TraceEvent,
      { readonly type: Type }
    >[];
  }

  async contents(scope: Scope, text: string): Promise<string[]> {
    return (await this.notes.retrieve(scope, { index: "words", text })).map((hit) => hit.content);
  }

  /** The newest first. */
  async queue(index = "recent"): Promise<string[]> {
    return (await this.notes.retrieve(ALICE, { index })).map((hit) => hit.content);
  }

  refuses(code: ErrorCode, promise: Promise<unknown>): Promise<void> {
    return expect(promise).rejects.toMatchObject({ code });
  }

  get #opened(): { readonly storage: Storage; readonly manager: CollectionManager; notes: Collection } {
    if (this.#open === undefined) throw new Error("start() makes the collection");
    return this.#open;
  }
}
