/**
 * What all services share: checked input, one collection, the queue of pending items, looks counted, triggers looked up.
 * A service says where an entry goes (`place`) and how it is looked for (`searches`); what only some can do, they add.
 */
import { z } from "zod";
import type { Entry } from "../base/entry.ts";
import { invariant, MemoryError } from "../base/errors.ts";
import type { Hit } from "../base/hit.ts";
import { type EntryId, parseEntryId } from "../base/ids.ts";
import { jsonObjectSchema } from "../base/json.ts";
import { validNames } from "../base/nearest-name.ts";
import { parseInput } from "../base/parse-input.ts";
import type { MaybePromise } from "../base/promise.ts";
import type { Scope } from "../base/scope.ts";
import type { Collection } from "../collection/collection.ts";
import type { NewItem } from "../collection/insert.ts";
import {
  type BoundVitality,
  createVitality,
  type VitalityChoice,
  vitalitySchema,
} from "../policies/vitality/index.ts";
import { checkHints, hintsSchema } from "./hints.ts";
import { chooseSearch, narrow, type Search, type Searches } from "./search/search.ts";
import {
  type InsertParams,
  type MemoryService,
  type OptimizeReport,
  type OptimizeRequest,
  PENDING_ACTIONS,
  type PendingItem,
  type ServiceDeps,
  type ServiceInsert,
  type ServiceQuery,
  type ServiceStats,
  type ServiceStatus,
  type ServiceTraits,
} from "./service.ts";
import { triggerNamed } from "./triggers/index.ts";

const MAX_PENDING = 1000;

const paramsSchema = z.strictObject({
  targetTier: z.string().optional(),
  targetIndexes: z.array(z.string()).readonly().optional(),
  key: z.string().min(1).optional(),
  priority: z.number().min(0).max(1).optional(),
});

const modeSchema = z.enum(["passive", "active"]);

const workSchema = z.object({ name: z.enum(PENDING_ACTIONS), entry: z.string() });

/** An insert whose mode and params were checked; params are empty unless it is active. */
export interface Placement {
  readonly entry: Omit<ServiceInsert, "insertMode" | "insertParams">;
  readonly active: boolean;
  readonly params: InsertParams;
}

/** Options that every service has. */
export const commonOptions = {
  collection_name: z.string().describe("Name of the collection that holds the entries."),
  top_k: z.number().int().min(1).describe("How many entries a question without a number of its own gets."),
  vitality: vitalitySchema
    .nullable()
    .describe("How a look keeps a memory alive, beyond being counted; null: it is only counted."),
};

export interface About {
  readonly name: string;
  readonly traits: ServiceTraits;
  readonly options: { readonly top_k: number; readonly vitality: VitalityChoice | null };
}

export abstract class BaseService implements MemoryService {
  readonly name: string;
  readonly traits: ServiceTraits;
  protected readonly store: Collection;
  protected readonly deps: ServiceDeps;

  readonly #topK: number;
  readonly #vitality: BoundVitality | undefined;

  constructor(about: About, store: Collection, deps: ServiceDeps) {
    this.name = about.name;
    this.traits = about.traits;
    this.#topK = about.options.top_k;
    this.#vitality = about.options.vitality === null ? undefined : createVitality(about.options.vitality);
    this.store = store;
    this.deps = deps;
  }

  get collection(): string {
    return this.store.name;
  }

  /** How each strategy of the traits is carried out. */
  protected abstract readonly searches: Searches;

  /** The placement params it has a use for, "priority" apart, which all have. */
  protected abstract readonly placements: readonly Exclude<keyof InsertParams, "priority">[];

  /** Where an entry goes, with the work it leaves behind. Of several items the first is the entry, the rest comes with it. */
  protected abstract place(scope: Scope, placement: Placement): MaybePromise<NewItem | readonly NewItem[]>;

  async insert(
    scope: Scope,
    { insertMode = "passive", insertParams, ...entry }: ServiceInsert,
  ): Promise<EntryId> {
    const params = parseInput(paramsSchema, insertParams ?? {}, "insert params");
    const active = parseInput(modeSchema, insertMode, "insert mode") === "active";
    this.#checkParams(params, active);
    const given =
      params.priority === undefined || entry.importance != null
        ? entry
        : { ...entry, importance: params.priority };
    const placed = await this.place(scope, { entry: given, active, params });
    const items = [placed].flat();
    const [id] = await this.store.insertMany(scope, items, { cause: `${this.name}: insert` });
    invariant(id !== undefined, `The service ${this.name} placed nothing`);
    return id;
  }

  async retrieve(scope: Scope, query: ServiceQuery): Promise<Hit[]> {
    const hints = parseInput(hintsSchema, query.hints ?? {}, "hints");
    const strategy = chooseSearch(this.searches, query, hints, this.name);
    checkHints(hints, strategy, this.traits.strategies[strategy] ?? [], this.name);
    const searchBy = this.searches[strategy];
    invariant(searchBy !== undefined, `The service ${this.name} offers ${strategy} and has none`);
    const hits = await searchBy.run(this.searchFor(scope, query, hints));
    if (query.touch ?? true) await this.touch(scope, hits);
    return hits;
  }

  delete(scope: Scope, id: EntryId): Promise<boolean> {
    return this.store.delete(scope, id, { cause: `${this.name}: delete` });
  }

  async supersede(scope: Scope, ids: readonly EntryId[], by: EntryId): Promise<void> {
    for (const id of ids) {
      if (id === by) continue;
      await this.store.update(scope, id, { supersededBy: by }, { cause: `${this.name}: supersede` });
    }
  }

  async touch(scope: Scope, entries: readonly Entry[]): Promise<void> {
    try {
      await this.#count(scope, entries);
    } catch (error) {
      if (!MemoryError.is(error) || error.code !== "entry_not_found") throw error;
      // Some were deleted since they were found: the others were looked at all the same.
      const there = await this.store.getMany(
        scope,
        entries.map(({ id }) => id),
      );
      await this.#count(
        scope,
        there.filter((entry) => entry !== undefined),
      );
    }
  }

  async optimize(scope: Scope, request: OptimizeRequest): Promise<OptimizeReport> {
    const { trigger: name, config, entries } = request;
    if (!this.traits.triggers.includes(name)) {
      throw new MemoryError(
        "capability_missing",
        `The service ${this.name} has no use for the trigger "${name}". ${validNames(name, this.traits.triggers)}`,
      );
    }
    const trigger = triggerNamed(name);
    const options = parseInput(trigger.options, config, `config of the trigger ${name}`, "option_invalid");
    return trigger.run(
      {
        scope,
        store: this.store,
        deps: this.deps,
        traits: this.traits,
        insert: (entry) => this.insert(scope, entry),
        retrieve: (query) => this.retrieve(scope, { ...query, touch: false }),
        delete: (id) => this.delete(scope, id),
        move: (id, tier) => this.moveTo(scope, id, tier),
      },
      options,
      entries,
    );
  }

  /** Moves an entry to another tier; its id and its data stay. Services with tiers say how. */
  protected moveTo(_scope: Scope, _id: EntryId, _tier: string): Promise<void> {
    throw new MemoryError("capability_missing", `The service ${this.name} has no tiers to move between.`);
  }

  async getStatus(scope: Scope): Promise<ServiceStatus> {
    const jobs = await this.store.work(scope, MAX_PENDING);
    const pendingItems = jobs.map(({ id, payload, createdAt }): PendingItem => {
      const { name: action, entry } = parseInput(workSchema, payload, "pending item");
      const { name: _name, entry: _entry, ...details } = payload;
      return {
        id,
        action,
        entry: parseEntryId(entry),
        details: parseInput(jsonObjectSchema, details, "pending item"),
        since: createdAt,
      };
    });
    const head = pendingItems[0] ?? null;
    return { pendingAction: head?.action ?? null, head, pendingItems, count: pendingItems.length };
  }

  acknowledge(scope: Scope, pending: string): Promise<void> {
    return this.store.settleWork(scope, pending, { cause: `${this.name}: acknowledge` });
  }

  async stats(): Promise<ServiceStats> {
    return { service: this.name, collection: this.collection, ...(await this.store.stats()) };
  }

  /** A question as the ways of looking are handed it. */
  protected searchFor(scope: Scope, query: ServiceQuery, hints: Search["hints"]): Search {
    return {
      scope,
      query: { ...query, topK: query.topK ?? this.#topK },
      hints,
      collection: this.store,
      fields: this.deps.fields,
      indexOf: (name) => name,
      filter: narrow(query.filter, hints),
    };
  }

  async #count(scope: Scope, entries: readonly Entry[]): Promise<void> {
    const now = this.deps.clock.now();
    await this.store.touch(
      scope,
      entries.map((entry) => ({
        id: entry.id,
        addAccess: 1,
        lastAccessAt: now,
        ...this.#vitality?.onAccess(entry, now),
      })),
      { cause: `${this.name}: retrieve` },
    );
  }

  /** A param that would be ignored is refused: in a passive insert all of them but the priority. */
  #checkParams(params: InsertParams, active: boolean): void {
    for (const name of ["targetTier", "targetIndexes", "key"] as const) {
      if (params[name] === undefined) continue;
      if (!this.placements.includes(name)) {
        throw new MemoryError(
          "capability_missing",
          `The service ${this.name} has no use for the insert param "${name}". ${validNames(name, [...this.placements, "priority"])}`,
        );
      }
      if (!active) {
        throw new MemoryError(
          "input_invalid",
          `The insert param "${name}" places an entry, but the insert is passive. Valid: insertMode "active", or no "${name}".`,
        );
      }
    }
  }
}
