/**
 * One index kept in step with the truth. It knows the last event it has seen; before it answers it looks whether there
 * are newer ones (of this process or another), and applies what they changed, or starts again from the members.
 * Snapshots only save time: one that is lost, torn, of another memory or of another history is passed over.
 */
import { MemoryError } from "../base/errors.ts";
import type { EntryId } from "../base/ids.ts";
import { createQueue } from "../base/promise.ts";
import type { Trace } from "../base/trace.ts";
import type { Candidate, Index, IndexItem, IndexQuery, IndexStats } from "../indexes/index-contract.ts";
import type { Change, FeedNeeds } from "../storage/feed.ts";
import type { IndexRecord } from "../storage/registry.ts";
import type { Storage } from "../storage/storage.ts";
import { openSnapshot, sealSnapshot } from "./snapshot.ts";

/** Items per page of a rebuild: few enough that a page is garbage before it grows old. */
const REBUILD_PAGE = 256;
/** Changes per page of a catch-up. */
const PAGE = 4096;
/** A snapshot is written on close only when catching up from the old one would cost more than this many changes. */
const STALE_CHANGES = 2000;

export interface LiveIndexDeps {
  readonly storage: Storage;
  readonly collection: string;
  readonly trace: Trace;
  /** A new, empty index of the record's kind and options. */
  readonly create: () => Index;
}

export class LiveIndex {
  readonly record: IndexRecord;
  readonly #deps: LiveIndexDeps;
  readonly #enqueue = createQueue();
  #index: Index;
  /** The last event seen; −1 until the index is filled for the first time. */
  #seq = -1;
  /** The event at which the snapshot on disk stands. */
  #savedSeq = -1;

  constructor(record: IndexRecord, deps: LiveIndexDeps) {
    this.record = record;
    this.#deps = deps;
    this.#index = deps.create();
  }

  /** The vector space it searches, if any: entries without a vector there cannot join. */
  get space(): string | undefined {
    return this.#index.needs.space;
  }

  get dimension(): number | undefined {
    return this.#index.needs.dimension;
  }

  /** Whether it answers by walking edges: what is not to be returned may still lie on the way. */
  get walks(): boolean {
    return this.#index.needs.edges ?? false;
  }

  query(query: IndexQuery, head: number): Promise<Candidate[]> {
    return this.#enqueue(async () => {
      await this.#catchUp(head);
      const start = performance.now();
      let matching: number | undefined;
      const onMatch = (count: number): void => {
        matching = count;
      };
      const found = await this.#index.query({ ...query, onMatch });
      const ms = performance.now() - start;
      const { collection, trace } = this.#deps;
      trace({ type: "index-query", collection, index: this.record.name, hits: found.length, matching, ms });
      return found;
    });
  }

  /** What this process just inserted, if nothing came between: saves reading it back. */
  apply(previous: number, seq: number, added: readonly IndexItem[]): Promise<void> {
    return this.#enqueue(() => {
      if (this.#seq !== previous) return;
      try {
        if (added.length > 0) this.#index.add(added);
        this.#seq = seq;
      } catch (error) {
        // The entries are committed: the caller must not hear that they were not. The index starts again when asked.
        this.#forget(error);
      }
    });
  }

  /** Whether a change of these fields would have to be applied here. */
  reads(changed: readonly string[]): boolean {
    const { fields, space, edges } = this.#index.needs;
    return changed.some(
      (what) =>
        what === "*" ||
        what === `index:${this.record.number}` ||
        (what === "edges" && edges === true) ||
        what === `vector:${space}` ||
        fields.some((field) => field === what || field.startsWith(`${what}.`)),
    );
  }

  /** What it keeps for members that are gone goes. One that was never asked keeps nothing. */
  tidy(head: number): Promise<void> {
    return this.#enqueue(async () => {
      if (this.#seq < 0 || this.#index.tidy === undefined) return;
      await this.#catchUp(head);
      this.#index.tidy();
    });
  }

  stats(head: number): Promise<IndexStats> {
    return this.#enqueue(async () => {
      await this.#catchUp(head);
      return this.#index.stats();
    });
  }

  /** Writes a snapshot if there is a place for it; unless forced, only when the last one has grown old. */
  save(options: { readonly force: boolean }, head: number): Promise<void> {
    return this.#enqueue(async () => {
      const { storage, trace } = this.#deps;
      if (storage.snapshots === undefined) return;
      if (options.force) await this.#catchUp(head);
      if (this.#seq < 0 || this.#seq === this.#savedSeq) return;
      if (!options.force && this.#savedSeq >= 0 && this.#seq - this.#savedSeq < STALE_CHANGES) return;
      const start = performance.now();
      const moment = (await storage.feed.momentOf(this.#seq)) ?? 0;
      const bytes = sealSnapshot(
        { storageId: storage.id, index: this.record, seq: this.#seq, moment },
        this.#index.save(),
      );
      await storage.snapshots.write(this.#snapshotName, bytes);
      this.#savedSeq = this.#seq;
      trace({
        type: "snapshot-save",
        name: this.#snapshotName,
        bytes: bytes.length,
        ms: performance.now() - start,
      });
    });
  }

  async dropSnapshot(): Promise<void> {
    await this.#deps.storage.snapshots?.remove(this.#snapshotName);
  }

  get #snapshotName(): string {
    return `${this.#deps.collection}/${this.record.name}`;
  }

  get #needs(): FeedNeeds {
    const { fields, space, edges } = this.#index.needs;
    return { fields, space, edges: edges === true };
  }

  async #catchUp(head: number): Promise<void> {
    if (this.#seq < 0 && !(await this.#load(head))) await this.#rebuild(head, "no usable snapshot");
    if (this.#seq < head) await this.#applyChanges(head);
  }

  async #load(head: number): Promise<boolean> {
    const { storage, trace } = this.#deps;
    const start = performance.now();
    try {
      const bytes = await storage.snapshots?.read(this.#snapshotName);
      if (bytes === undefined) return false;
      const { seq, moment, payload } = openSnapshot(bytes, storage.id, this.record);
      if (seq > head || moment !== ((await storage.feed.momentOf(seq)) ?? 0)) return false;
      this.#index.load(payload);
      this.#seq = seq;
      this.#savedSeq = seq;
      trace({
        type: "snapshot-load",
        name: this.#snapshotName,
        bytes: bytes.length,
        ms: performance.now() - start,
      });
      return true;
    } catch (error) {
      // A snapshot is never the truth: whatever is wrong with it, the members are still there to build from.
      this.#forget(error);
      return false;
    }
  }

  #forget(error: unknown): void {
    this.#index = this.#deps.create();
    this.#seq = -1;
    const code = MemoryError.is(error) ? error.code : "storage_corrupt";
    const message = `The index ${this.#snapshotName} will be built anew: ${error}`;
    this.#deps.trace({ type: "warning-raise", code, message });
  }

  async #rebuild(head: number, reason: string): Promise<void> {
    const { storage, collection, trace } = this.#deps;
    const start = performance.now();
    this.#index = this.#deps.create();
    let items = 0;
    let after: EntryId | undefined;
    for (;;) {
      const page = await storage.feed.members(
        collection,
        this.record.number,
        this.#needs,
        after,
        REBUILD_PAGE,
      );
      this.#index.add(page);
      items += page.length;
      after = page[page.length - 1]?.id;
      if (page.length < REBUILD_PAGE) break;
    }
    this.#seq = head;
    const ms = performance.now() - start;
    trace({ type: "index-rebuild", collection, index: this.record.name, items, reason, ms });
  }

  async #applyChanges(head: number): Promise<void> {
    const { storage, collection, trace } = this.#deps;
    const start = performance.now();
    let applied = 0;
    for (;;) {
      const changes: Change[] = await storage.feed.changes(collection, this.#seq, PAGE);
      const ids = [
        ...new Set(changes.filter((change) => this.reads(change.changed)).map((change) => change.id)),
      ];
      if (ids.length > 0) {
        const members = await storage.feed.membersAmong(collection, this.record.number, this.#needs, ids);
        const present = new Set(members.map((member) => member.id));
        this.#index.remove(ids.filter((id) => !present.has(id)));
        this.#index.add(members);
        applied += ids.length;
      }
      this.#seq =
        changes.length < PAGE ? Math.max(head, changes.at(-1)?.seq ?? 0) : (changes.at(-1)?.seq ?? head);
      if (changes.length < PAGE) break;
    }
    trace({
      type: "index-catch-up",
      collection,
      index: this.record.name,
      changes: applied,
      ms: performance.now() - start,
    });
  }
}
