/**
 * The indexes of one collection, in step with the registry. Another process may create or drop an index at any time: a
 * read looks first, a write states which registry it knew and is planned again if that was not the newest.
 */
import { MemoryError } from "../base/errors.ts";
import { validNames } from "../base/nearest-name.ts";
import { parseInput } from "../base/parse-input.ts";
import type { Index } from "../indexes/index-contract.ts";
import type { Head } from "../storage/feed.ts";
import type { IndexRecord, NewIndex } from "../storage/registry.ts";
import type { CollectionDeps } from "./collection-deps.ts";
import { LiveIndex } from "./live-index.ts";
import type { Profile } from "./profile.ts";

/** Names become file names of snapshots and keys of YAML. */
const NAME = /^[\p{L}\p{N}_-]{1,64}$/u;
/** Enough for any real race; more means that somebody creates indexes in a loop. */
const ATTEMPTS = 20;

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
      if (!record.indexes.some(({ number }) => number === live.record.number)) this.#live.delete(name);
    }
    for (const index of record.indexes) {
      if (!this.#live.has(index.name)) this.#live.set(index.name, this.#makeLive(index));
    }
    this.#registry = head.registry;
    return head;
  }

  /** Plans and commits against one state of the registry; starts over if it was not the newest. */
  async retrying<T>(attempt: (registry: number) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      if (this.#registry < 0) await this.sync();
      try {
        return await attempt(this.#registry);
      } catch (error) {
        if (!MemoryError.is(error) || error.code !== "version_conflict" || tries === ATTEMPTS) throw error;
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
  check(index: NewIndex): LiveIndex {
    const { name, kind, options } = index;
    if (!NAME.test(name)) {
      throw new MemoryError(
        "option_invalid",
        `"${name}" is not an index name. Valid: 1–64 letters, digits, _ and -.`,
      );
    }
    const definition = this.#definition(kind);
    if (!this.#profile.families.includes(definition.family)) {
      throw new MemoryError(
        "index_kind_forbidden",
        `A collection of profile "${this.#profile.name}" cannot hold the ${definition.family} index "${kind}". Valid there: ${this.#profile.families.join(", ")} indexes.`,
      );
    }
    const parsed = parseInput(
      definition.options,
      options,
      `options of the index "${name}"`,
      "option_invalid",
    );
    return this.#makeLive({ number: 0, name, kind, options: JSON.parse(JSON.stringify(parsed)) });
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

  #create({ name, kind, options }: IndexRecord): Index {
    const definition = this.#definition(kind);
    const parsed = parseInput(
      definition.options,
      options,
      `options of the index "${name}"`,
      "option_invalid",
    );
    const { storage, text } = this.#deps;
    return definition.create(parsed, {
      ...text,
      fetchVectors: (space, ids) => storage.feed.vectors(space, ids),
    });
  }

  #definition(kind: string): CollectionDeps["kinds"][string] {
    const definition = Object.hasOwn(this.#deps.kinds, kind) ? this.#deps.kinds[kind] : undefined;
    if (definition !== undefined) return definition;
    throw new MemoryError(
      "unknown_name",
      `Unknown index kind "${kind}". ${validNames(kind, Object.keys(this.#deps.kinds))}`,
    );
  }
}
