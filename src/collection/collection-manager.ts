/**
 * Which collections are there? Creates, opens on first use, unloads and deletes them; the five profiles are registered
 * from the start and more can be added (S0-51 … S0-54).
 */
import { type Clock, systemClock } from "../base/clock.ts";
import { MemoryError } from "../base/errors.ts";
import { createIds } from "../base/ids.ts";
import { validNames } from "../base/nearest-name.ts";
import { silent, type Trace } from "../base/trace.ts";
import { INDEX_KINDS, type IndexKinds } from "../indexes/index.ts";
import type { IndexDeps } from "../indexes/index-contract.ts";
import { guardTrace } from "../storage/guard-trace.ts";
import type { Storage } from "../storage/storage.ts";
import { TOKENIZER_ID, tokenize } from "../text/tokenize.ts";
import { adjustedOptions, differs } from "./adjust-index.ts";
import { checkName } from "./check-name.ts";
import { Collection } from "./collection.ts";
import type { CollectionDeps } from "./collection-deps.ts";
import { IndexSet, type NewCollectionIndex } from "./index-set.ts";
import { PROFILES, type Profile } from "./profile.ts";

export interface CollectionManagerOptions {
  readonly clock?: Clock | undefined;
  readonly trace?: Trace | undefined;
  /** Index kinds of the caller's own, beside the built-in ones. */
  readonly kinds?: IndexKinds | undefined;
  /** Another tokeniser for the text indexes; its id must change whenever its output may. */
  readonly text?: Pick<IndexDeps, "tokenize" | "tokenizerId"> | undefined;
}

export interface NewCollection {
  readonly name: string;
  /** vdb, kv, graph, hybrid, hierarchical, or a registered one. */
  readonly profile: string;
  readonly indexes?: readonly NewCollectionIndex[] | undefined;
}

export class CollectionManager {
  readonly #deps: CollectionDeps;
  readonly #profiles = new Map<string, Profile>(PROFILES.map((profile) => [profile.name, profile]));
  /** Promises, so that two who ask at once get the same object. */
  readonly #open = new Map<string, Promise<Collection>>();

  constructor(storage: Storage, options: CollectionManagerOptions = {}) {
    const clock = options.clock ?? systemClock;
    this.#deps = {
      storage,
      clock,
      ids: createIds(clock),
      trace: guardTrace(options.trace ?? silent),
      kinds: { ...INDEX_KINDS, ...options.kinds },
      text: options.text ?? { tokenize, tokenizerId: TOKENIZER_ID },
    };
  }

  /** Makes one more collection profile known (S0-52). */
  register(profile: Profile): void {
    if (this.#profiles.has(profile.name)) {
      throw new MemoryError(
        "name_taken",
        `There is a profile named "${profile.name}" already. Valid: a new name.`,
      );
    }
    this.#profiles.set(profile.name, profile);
  }

  async create({ name, profile, indexes = [] }: NewCollection): Promise<Collection> {
    checkName(name, "a collection");
    const set = new IndexSet(name, this.#profile(profile), this.#deps);
    const checked = indexes.map((index) => set.check(index).record);
    await this.#deps.storage.putCollection(name, profile, checked);
    const collection = new Collection(name, profile, set, this.#deps);
    this.#open.set(name, Promise.resolve(collection));
    return collection;
  }

  /**
   * The collection of that name, made as described if there is none; several processes may ask at once. Described indexes
   * it does not have yet are added and filled with all but archived entries. One that is there is adjusted where its kind
   * allows it (a queue's capacity); another kind, other options or another profile are refused.
   */
  async open(description: NewCollection): Promise<Collection> {
    const collection = await this.#getOrCreate(description);
    if (collection.profile !== description.profile) {
      throw differs(
        `the collection "${collection.name}" has profile "${collection.profile}", not "${description.profile}"`,
      );
    }
    const present = await collection.listIndexes();
    const named = (description.indexes ?? []).map((index) => ({
      index,
      known: present.find(({ name }) => name === index.name),
    }));
    // Refused before anything is changed.
    for (const { index, known } of named)
      if (known !== undefined) adjustedOptions(collection.name, known, index, this.#deps.kinds);
    for (const { index, known } of named) {
      if (known === undefined) await collection.createIndex({ ...index, fill: true });
      else await collection.adjustIndex(index);
    }
    return collection;
  }

  /** Opened on first use, the same object afterwards; its indexes are filled when they are first asked (S0-53). */
  get(name: string): Promise<Collection> {
    const open = this.#open.get(name);
    if (open !== undefined) return open;
    const opening = this.#openOne(name);
    this.#open.set(name, opening);
    // One that is not there now may be there when it is asked for again.
    opening.catch(() => this.#open.delete(name));
    return opening;
  }

  async has(name: string): Promise<boolean> {
    return (await this.#deps.storage.collections()).some((record) => record.name === name);
  }

  /** Names and profiles, all or of one profile, with whether each is open here. */
  async list(
    profile?: string,
  ): Promise<{ readonly name: string; readonly profile: string; readonly open: boolean }[]> {
    const records = await this.#deps.storage.collections();
    return records
      .filter((record) => profile === undefined || record.profile === profile)
      .map((record) => ({ name: record.name, profile: record.profile, open: this.#open.has(record.name) }));
  }

  /** Saves the snapshots and lets go of the memory it took; the next `get` opens it again. */
  async unload(name: string): Promise<void> {
    await (await this.#open.get(name))?.store();
    this.#open.delete(name);
  }

  /** Deletes the collection with its entries, their history and its indexes. The journal keeps what was said. */
  async delete(name: string): Promise<void> {
    const collection = await this.get(name);
    await collection.listIndexes();
    await this.#deps.storage.removeCollection(name);
    this.#open.delete(name);
    await collection.dropSnapshots();
  }

  /** Deletes every collection. */
  async clear(): Promise<void> {
    for (const { name } of await this.list()) await this.delete(name);
  }

  /** Of every collection, open or not: snapshots hold words, also of what was erased since. */
  async dropSnapshots(): Promise<void> {
    for (const { name } of await this.list()) {
      const collection = await this.get(name);
      await collection.listIndexes();
      await collection.dropSnapshots();
    }
  }

  async storeAll(): Promise<void> {
    for (const collection of this.#open.values()) await (await collection).store();
  }

  /** Saves snapshots that have grown old, then closes the storage, whatever became of the snapshots. */
  async close(): Promise<void> {
    try {
      for (const collection of this.#open.values()) await (await collection).store({ force: false });
    } catch (error) {
      const code = MemoryError.is(error) ? error.code : "storage_io";
      this.#deps.trace({
        type: "warning-raise",
        code,
        message: `Snapshots were not saved on closing: ${error}`,
      });
    } finally {
      this.#open.clear();
      await this.#deps.storage.close();
    }
  }

  async #getOrCreate(description: NewCollection): Promise<Collection> {
    if (await this.has(description.name)) return this.get(description.name);
    try {
      return await this.create(description);
    } catch (error) {
      if (!MemoryError.is(error) || error.code !== "name_taken") throw error;
      return this.get(description.name);
    }
  }

  async #openOne(name: string): Promise<Collection> {
    const records = await this.#deps.storage.collections();
    const record = records.find((known) => known.name === name);
    if (record === undefined) {
      const valid = validNames(
        name,
        records.map((known) => known.name),
      );
      throw new MemoryError("collection_not_found", `There is no collection "${name}". ${valid}`);
    }
    const set = new IndexSet(name, this.#profile(record.profile), this.#deps);
    return new Collection(name, record.profile, set, this.#deps);
  }

  #profile(name: string): Profile {
    const profile = this.#profiles.get(name);
    if (profile !== undefined) return profile;
    throw new MemoryError(
      "unknown_name",
      `Unknown collection profile "${name}". ${validNames(name, this.#profiles.keys())}`,
    );
  }
}
