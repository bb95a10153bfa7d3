/**
 * The indexes of one collection, in step with the registry. Another process may create or drop an index at any time: a
 * read looks first, a write states which registry it knew and is planned again if that was not the newest.
 */
import { isDeepStrictEqual } from "node:util";
import { MemoryError } from "../base/errors.ts";
import { type JsonObject, jsonObjectSchema } from "../base/json.ts";
import { validNames } from "../base/nearest-name.ts";
import { parseInput } from "../base/parse-input.ts";
import { createIndexOf, indexDefinition } from "../indexes/index.ts";
import type { Index, IndexDeps } from "../indexes/index-contract.ts";
import type { Head } from "../storage/feed.ts";
import type { IndexRecord } from "../storage/registry.ts";
import { checkName } from "./check-name.ts";
import type { CollectionDeps } from "./collection-deps.ts";
import { LiveIndex } from "./live-index.ts";
import type { Profile } from "./profile.ts";

/** Enough for any real race; more means that somebody creates indexes in a loop. */
const ATTEMPTS = 20;

/** An index as a caller describes it. */
export interface NewCollectionIndex {
  readonly name: string;
  readonly kind: string;
  /** What the kind asks for; many ask for nothing. @default {} */
  readonly options?: JsonObject | undefined;
}

export class IndexSet {
  readonly #collection: string;
  readonly #profile: Profile;
  readonly #deps: CollectionDeps;
  readonly #live = new Map<string, LiveIndex>();
  #registry = -1;

  constructor(collection: string, profile: Profile, deps: CollectionDeps) {
    this.#collection = collection;
    this.#profile = profile;
    this.#deps = deps;
  }

  /** Looks where the log and the registry stand, and takes in indexes that came or went. */
  async sync(): Promise<Head> {
    const head = await this.#deps.storage.feed.head();
    if (head.registry === this.#registry) return head;
    const record = (await this.#deps.storage.collections()).find(({ name }) => name === this.#collection);
    if (record === undefined) {
      throw new MemoryError(
        "collection_not_found",
        `The collection "${this.#collection}" was deleted. Valid: create it again.`,
      );
    }
    for (const [name, live] of this.#live) {
      const now = record.indexes.find(({ number }) => number === live.record.number);
      // One whose options were adjusted starts again from its members.
      if (now === undefined || !isDeepStrictEqual(now.options, live.record.options)) this.#live.delete(name);
    }
    for (const index of record.indexes) {
      if (!this.#live.has(index.name)) this.#live.set(index.name, this.#makeLive(index));
    }
    this.#registry = head.registry;
    return head;
  }

  /** The same for a collection that another process may have deleted: undefined then. */
  async syncIfThere(): Promise<Head | undefined> {
    try {
      return await this.sync();
    } catch (error) {
      if (MemoryError.is(error) && error.code === "collection_not_found") return undefined;
      throw error;
    }
  }

  /** Plans and commits against one state of the registry; starts over if it was not the newest. */
  async retrying<T>(attempt: (registry: number) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      if (this.#registry < 0) await this.sync();
      try {
        return await attempt(this.#registry);
      } catch (error) {
        if (!MemoryError.is(error) || tries === ATTEMPTS) throw error;
        // An unknown name may be an index that another process just made: worth one look.
        const stale = error.code === "version_conflict" || (error.code === "index_not_found" && tries === 1);
        if (!stale) throw error;
        this.#registry = -1;
      }
    }
  }

  all(): readonly LiveIndex[] {
    return [...this.#live.values()];
  }

  get(name: string): LiveIndex {
    const live = this.#live.get(name);
    if (live === undefined) {
      throw new MemoryError(
        "index_not_found",
        `The collection "${this.#collection}" has no index "${name}". ${validNames(name, this.#live.keys())}`,
      );
    }
    return live;
  }

  /** Refuses a name, kind or option that cannot work, before anything is written. */
  check(index: NewCollectionIndex): LiveIndex {
    const { name, kind, options = {} } = index;
    checkName(name, "an index");
    const { family, options: schema } = indexDefinition(kind, this.#deps.kinds);
    if (!this.#profile.families.includes(family)) {
      throw new MemoryError(
        "index_kind_forbidden",
        `A collection of profile "${this.#profile.name}" cannot hold the ${family} index "${kind}". Valid there: ${this.#profile.families.join(", ")} indexes.`,
      );
    }
    // Kept as resolved today: a default that changes in a later version must not change an index that is there.
    const resolved = parseInput(schema, options, `options of the index "${name}"`, "option_invalid");
    return this.#makeLive({
      number: 0,
      name,
      kind,
      options: parseInput(jsonObjectSchema, resolved, "options"),
    });
  }

  #makeLive(record: IndexRecord): LiveIndex {
    const { storage, trace } = this.#deps;
    return new LiveIndex(record, {
      storage,
      trace,
      collection: this.#collection,
      create: () => this.#create(record),
    });
  }

  #create({ kind, options }: IndexRecord): Index {
    const { storage, text, kinds } = this.#deps;
    const fetchVectors: IndexDeps["fetchVectors"] = (space, ids) => storage.feed.vectors(space, ids);
    return createIndexOf(kind, options, { ...text, fetchVectors }, kinds);
  }
}
