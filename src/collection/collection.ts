/**
 * One copy of the data, many indexes over it (S0-6). Every entry is stored once; it can join and leave named indexes
 * without moving, keeping its id and its vectors (S0-7, S0-61). All calls name the scope they act for.
 */
import { type Edge, type EdgeKey, makeEdge, type NewEdge } from "../base/edge.ts";
import { ARCHIVED, checkFields, type Entry } from "../base/entry.ts";
import { MemoryError } from "../base/errors.ts";
import type { Hit } from "../base/hit.ts";
import type { EntryId } from "../base/ids.ts";
import { parseInput } from "../base/parse-input.ts";
import type { Scope } from "../base/scope.ts";
import type { Vector } from "../base/vector.ts";
import type { IndexStats } from "../indexes/index-contract.ts";
import type { Job } from "../storage/job.ts";
import type { IndexRecord } from "../storage/registry.ts";
import type { Cause, Commit, Reaching, Vitals, Write } from "../storage/storage.ts";
import { checkTouch, TOUCHED, type Touch } from "../storage/touch.ts";
import { adjustedOptions } from "./adjust-index.ts";
import type { CollectionDeps } from "./collection-deps.ts";
import type { IndexSet, NewCollectionIndex } from "./index-set.ts";
import {
  checkStoredVector,
  checkVectors,
  feedIndexes,
  makeWork,
  type NewItem,
  type NewWork,
  passIndexes,
  planInsert,
  workKind,
} from "./insert.ts";
import {
  type EdgeChange,
  type EntryChange,
  type Move,
  type NewestRequest,
  newestSchema,
  optionalFilter,
  type ScanRequest,
  scanSchema,
  vitalsSchema,
} from "./requests.ts";
import { type MultiRetrieval, type Retrieval, retrieve, retrieveMulti, type Source } from "./retrieve.ts";
import { planUpdates, type Update } from "./update.ts";

export interface CollectionStats {
  readonly indexes: readonly (IndexRecord & IndexStats)[];
}

/** Who acts and why, for the events; the verb's name stands in for what is not said. */
export type By = Partial<Cause>;

export class Collection {
  readonly name: string;
  readonly profile: string;
  readonly #source: Source;
  readonly #indexes: IndexSet;
  readonly #deps: CollectionDeps;

  constructor(name: string, profile: string, indexes: IndexSet, deps: CollectionDeps) {
    this.name = name;
    this.profile = profile;
    this.#indexes = indexes;
    this.#deps = deps;
    this.#source = { collection: name, storage: deps.storage, indexes };
  }

  /** An id for an item that others of the same insert link to. */
  newId(): EntryId {
    return this.#deps.ids.entry();
  }

  async insert(scope: Scope, item: NewItem, by?: By): Promise<EntryId> {
    const [id] = await this.insertMany(scope, [item], by);
    return id as EntryId;
  }

  /** All of them or none, in one transaction; ids in the order given. */
  async insertMany(scope: Scope, items: readonly NewItem[], by?: By): Promise<EntryId[]> {
    if (items.length === 0) return [];
    const { planned, done } = await this.#indexes.retrying(async (registry) => {
      const plan = planInsert(this.name, scope, items, this.#indexes, this.#deps);
      return { ...plan, done: await this.#commit(scope, plan.writes, "insert", by, registry) };
    });
    await feedIndexes(this.#indexes.all(), planned, done);
    return planned.map(({ entry }) => entry.id);
  }

  /** Puts an entry that is there into one more index; the vector is needed only if it has none in the index's space. */
  async insertToIndex(scope: Scope, id: EntryId, index: string, vector?: Vector, by?: By): Promise<void> {
    await this.#indexes.retrying(async (registry) => {
      const live = this.#indexes.get(index);
      const vectors = vector === undefined ? [] : [vector];
      checkVectors(vectors, this.#indexes.all());
      if (vector?.space !== live.space) await checkStoredVector(this.#deps, scope, id, live);
      const puts: Write[] = vectors.map((put) => ({ op: "vector-put", id, vector: put }));
      const join: Write = { op: "index-join", id, index: live.record.number };
      await this.#commit(scope, [...puts, join], "insert-to-index", by, registry);
    });
  }

  /** Takes an entry out of one index; the data and the other indexes keep it. */
  async removeFromIndex(scope: Scope, id: EntryId, index: string, by?: By): Promise<void> {
    await this.#indexes.retrying(async (registry) => {
      const leave: Write = { op: "index-leave", id, index: this.#indexes.get(index).record.number };
      await this.#commit(scope, [leave], "remove-from-index", by, registry);
    });
  }

  /** Out of some indexes and into others, with what changes by it, in one transaction: it cannot stop half-way (S0-61). */
  async move(scope: Scope, id: EntryId, { from, to, fields }: Move, by?: By): Promise<void> {
    const change = fields === undefined ? undefined : checkFields(fields);
    await this.#indexes.retrying(async (registry) => {
      const numberOf = (name: string): number => this.#indexes.get(name).record.number;
      const leaves = from.map((name): Write => ({ op: "index-leave", id, index: numberOf(name) }));
      const joins = to.map((name): Write => ({ op: "index-join", id, index: numberOf(name) }));
      const update: Write[] = change === undefined ? [] : [{ op: "entry-update", id, fields: change }];
      for (const name of to) await checkStoredVector(this.#deps, scope, id, this.#indexes.get(name));
      await this.#commit(scope, [...leaves, ...joins, ...update], "move", by, registry);
    });
  }

  update(scope: Scope, id: EntryId, change: EntryChange, by?: By): Promise<void> {
    return this.updateMany(scope, [{ id, change }], by);
  }

  /** All of them or none, in one transaction, with the links that are drawn by it. */
  async updateMany(
    scope: Scope,
    changes: readonly Update[],
    by?: By,
    link: readonly NewEdge[] = [],
  ): Promise<void> {
    if (changes.length + link.length === 0) return;
    const now = this.#deps.clock.now();
    const edges = link.map((edge): Write => ({ op: "edge-put", edge: makeEdge(edge, scope, now) }));
    const plan = planUpdates(changes);
    await this.#indexes.retrying((registry) =>
      this.#commit(scope, [...plan(this.#indexes.all()), ...edges], "update", by, registry),
    );
  }

  /**
   * The entries leave recall because another took their place: all of them or none, in one transaction (C-11). `by` must
   * be a current entry of this collection that the scope sees, and none of them.
   */
  async supersede(scope: Scope, ids: readonly EntryId[], by: EntryId, cause?: By): Promise<void> {
    if (ids.length === 0) return;
    const fields = checkFields({ supersededBy: by });
    const writes: Write[] = ids.map((id) => ({ op: "entry-update", id, fields }));
    await this.#commit(scope, writes, "supersede", cause);
  }

  /**
   * Out of all indexes and into the tier "archived", in one transaction. Ids of which there is no entry (any more) are
   * passed over; the others come back.
   */
  async archiveMany(scope: Scope, ids: readonly EntryId[], cause?: By): Promise<EntryId[]> {
    for (;;) {
      const entries = await this.getMany(scope, [...new Set(ids)]);
      const there = entries.flatMap((entry) => entry?.id ?? []);
      if (there.length === 0) return [];
      const leaves: Write[] = there.map((id) => ({ op: "index-leave", id, index: "all" }));
      const updates: Write[] = there.map((id) => ({ op: "entry-update", id, fields: { tier: ARCHIVED } }));
      try {
        await this.#commit(scope, [...leaves, ...updates], "archive", cause);
        return there;
      } catch (error) {
        // One was deleted since it was looked at. It will not be among the next ones, so this ends.
        if (!MemoryError.is(error) || error.code !== "entry_not_found") throw error;
      }
    }
  }

  /** Counts looks and sets energy anchors, in one transaction; allowed on whatever the scope can see. */
  async touch(scope: Scope, touches: readonly (Touch & { readonly id: EntryId })[], by?: By): Promise<void> {
    if (touches.length === 0) return;
    const writes: Write[] = touches.map(({ id, ...touch }) => ({
      op: "entry-touch",
      id,
      touch: checkTouch(touch),
    }));
    await passIndexes(this.#indexes.all(), TOUCHED, await this.#commit(scope, writes, "touch", by));
  }

  /** Removes the data and every index entry. False if there was nothing the scope could see. */
  delete(scope: Scope, id: EntryId, by?: By): Promise<boolean> {
    return this.deleteMany(scope, [id], by);
  }

  /** All of them in one transaction, with `edges`; none, and false, if one is nothing the scope could see. */
  async deleteMany(scope: Scope, ids: readonly EntryId[], by?: By, edges: EdgeChange = {}): Promise<boolean> {
    if (ids.length === 0) return true;
    const now = this.#deps.clock.now();
    const writes: Write[] = [
      ...(edges.unlink ?? []).map((edge): Write => ({ op: "edge-remove", edge })),
      ...(edges.link ?? []).map((edge): Write => ({ op: "edge-put", edge: makeEdge(edge, scope, now) })),
      ...ids.map((id): Write => ({ op: "entry-remove", id })),
    ];
    try {
      await this.#commit(scope, writes, "delete", by);
      return true;
    } catch (error) {
      if (MemoryError.is(error) && error.code === "entry_not_found") return false;
      throw error;
    }
  }

  async get(scope: Scope, id: EntryId): Promise<Entry | undefined> {
    return (await this.getMany(scope, [id]))[0];
  }

  /** In the order asked; undefined where there is none, or none that the scope may see. */
  getMany(scope: Scope, ids: readonly EntryId[]): Promise<(Entry | undefined)[]> {
    return this.#deps.storage.entries(scope, this.name, ids);
  }

  async scan(scope: Scope, request: ScanRequest = {}): Promise<Entry[]> {
    const { filter, after, limit = 100, own } = parseInput(scanSchema, request, "scan");
    return this.#deps.storage.scan(scope, {
      collection: this.name,
      filter: optionalFilter(filter),
      after,
      limit,
      own,
    });
  }

  /** What happened last comes first, ties in ascending order of id; superseded and archived entries too, unless filtered. */
  async newest(scope: Scope, request: NewestRequest): Promise<Entry[]> {
    const { filter, limit, own } = parseInput(newestSchema, request, "request for the newest");
    const wanted = { filter: optionalFilter(filter), limit, own };
    return this.#deps.storage.newest(scope, { collection: this.name, ...wanted });
  }

  /** What policies read of the scope's own entries that none has superseded, in ascending order of id. */
  async vitals(scope: Scope, request: Omit<ScanRequest, "filter" | "own"> = {}): Promise<Vitals[]> {
    const { after, limit = 100 } = parseInput(vitalsSchema, request, "scan");
    return this.#deps.storage.vitals(scope, { collection: this.name, after, limit });
  }

  retrieve(scope: Scope, request: Retrieval): Promise<Hit[]> {
    return retrieve(this.#source, scope, request);
  }

  retrieveMulti(scope: Scope, request: MultiRetrieval): Promise<Hit[]> {
    return retrieveMulti(this.#source, scope, request);
  }

  async link(scope: Scope, edges: readonly NewEdge[], by?: By): Promise<void> {
    if (edges.length === 0) return;
    const now = this.#deps.clock.now();
    const writes: Write[] = edges.map((edge) => ({ op: "edge-put", edge: makeEdge(edge, scope, now) }));
    await this.#commit(scope, writes, "link", by);
  }

  async unlink(scope: Scope, edges: readonly EdgeKey[], by?: By): Promise<void> {
    if (edges.length === 0) return;
    const writes: Write[] = edges.map((edge) => ({ op: "edge-remove", edge }));
    await this.#commit(scope, writes, "unlink", by);
  }

  /** Edges that leave or reach the entries. */
  edges(scope: Scope, ids: readonly EntryId[]): Promise<Edge[]> {
    return this.#deps.storage.edges(scope, this.name, ids);
  }

  /** The scope's own edges of exactly these ends and types, those that there are. */
  ownEdges(scope: Scope, keys: readonly EdgeKey[]): Promise<Edge[]> {
    return this.#deps.storage.ownEdges(scope, this.name, keys);
  }

  /** How many edges of a type reach each entry, in the order asked, and how many of them from current entries. */
  countReaching(scope: Scope, ids: readonly EntryId[], type: string): Promise<Reaching[]> {
    return this.#deps.storage.countReaching(scope, this.name, ids, type);
  }

  /** In the order asked; undefined where an entry has no vector in the space, or the scope may not see it. */
  vectors(scope: Scope, space: string, ids: readonly EntryId[]): Promise<(Float32Array | undefined)[]> {
    return this.#deps.storage.vectors(scope, space, ids);
  }

  /** The names of the indexes each entry is in. */
  async memberships(scope: Scope, ids: readonly EntryId[]): Promise<(readonly string[])[]> {
    await this.#indexes.sync();
    const names = new Map(this.#indexes.all().map(({ record }) => [record.number, record.name]));
    const numbers = await this.#deps.storage.memberships(scope, ids);
    return numbers.map((of) => of.flatMap((number) => names.get(number) ?? []));
  }

  /** Puts work about entries down, to be found after a restart; what is waiting already stays as it is. */
  async putWork(scope: Scope, work: readonly (NewWork & { readonly id: EntryId })[], by?: By): Promise<void> {
    if (work.length === 0) return;
    const now = this.#deps.clock.now();
    const writes: Write[] = work.map((one) => ({
      op: "job-put",
      job: makeWork(this.name, one.id, one, now),
    }));
    await this.#commit(scope, writes, "put-work", by);
  }

  /** The scope's own work that waits, oldest first. */
  work(scope: Scope, limit: number): Promise<Job[]> {
    const kind = workKind(this.name);
    return this.#deps.storage.jobs.list(scope, { state: "waiting", kind, own: true, limit });
  }

  /** How much of the scope's own work waits. */
  countWork(scope: Scope): Promise<number> {
    return this.#deps.storage.jobs.count(scope, {
      state: "waiting",
      kind: workKind(this.name),
      own: true,
    });
  }

  /** All of the scope's own work that waits about these entries, oldest first. */
  workOf(scope: Scope, ids: readonly EntryId[]): Promise<Job[]> {
    const kind = workKind(this.name);
    return this.#deps.storage.jobs.list(scope, { state: "waiting", kind, own: true, subjects: ids });
  }

  async settleWork(scope: Scope, id: string, by?: By): Promise<void> {
    await this.#commit(scope, [{ op: "job-settle", id }], "settle-work", by);
  }

  /** `fill`: entries that are there and not archived join at once, those with a fitting vector where one is needed. @default false */
  async createIndex(index: NewCollectionIndex & { readonly fill?: boolean | undefined }): Promise<void> {
    const { fill = false, ...wanted } = index;
    const { record, space, dimension } = this.#indexes.check(wanted);
    const { name, kind, options } = record;
    await this.#deps.storage.putIndex(
      this.name,
      { name, kind, options },
      fill ? { space, dimension } : undefined,
    );
    await this.#indexes.sync();
  }

  /** Other options for an index that is there, of those its kind can adjust; its members stay. */
  async adjustIndex(described: NewCollectionIndex): Promise<void> {
    await this.#indexes.sync();
    const live = this.#indexes.get(described.name);
    const options = adjustedOptions(this.name, live.record, described, this.#deps.kinds);
    if (options === undefined) return;
    const { record } = this.#indexes.check({ ...described, options });
    await this.#deps.storage.changeIndex(this.name, record.name, record.options);
    await live.dropSnapshot();
    await this.#indexes.sync();
  }

  async deleteIndex(name: string): Promise<void> {
    await this.#indexes.sync();
    const index = this.#indexes.get(name);
    await this.#deps.storage.removeIndex(this.name, name);
    await index.dropSnapshot();
    await this.#indexes.sync();
  }

  async listIndexes(): Promise<IndexRecord[]> {
    await this.#indexes.sync();
    return this.#indexes.all().map(({ record }) => record);
  }

  async stats(): Promise<CollectionStats> {
    const { seq } = await this.#indexes.sync();
    const indexes = [];
    for (const live of this.#indexes.all()) indexes.push({ ...live.record, ...(await live.stats(seq)) });
    return { indexes };
  }

  /** Writes snapshots of the indexes, so that the next opening is quick (S0-48). The data needs no storing: it is. */
  async store(options: { readonly force: boolean } = { force: true }): Promise<void> {
    const head = await this.#indexes.syncIfThere();
    if (head === undefined) return;
    for (const live of this.#indexes.all()) await live.save(options, head.seq);
  }

  /** The indexes let go of what they kept for entries that are gone. */
  async tidy(): Promise<void> {
    const head = await this.#indexes.sync();
    for (const live of this.#indexes.all()) await live.tidy(head.seq);
  }

  /** For a collection that is gone: its snapshots hold its words. */
  async dropSnapshots(): Promise<void> {
    for (const live of this.#indexes.all()) await live.dropSnapshot();
  }

  #commit(
    scope: Scope,
    writes: readonly Write[],
    verb: string,
    by: By = {},
    registry?: number,
  ): Promise<Commit> {
    const cause = { actor: by.actor ?? "library", cause: by.cause ?? verb };
    return this.#deps.storage.commit(scope, writes, cause, { registry, collection: this.name });
  }
}
