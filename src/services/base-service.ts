/**
 * What all services share: checked input, one collection, the queue of pending items, looks counted, triggers looked up.
 * A service says where an entry goes (`place`) and how it is looked for (`searches`); what only some can do, they add.
 */
import { z } from "zod";
import type { Entry } from "../base/entry.ts";
import { ERROR_KINDS, invariant, MemoryError } from "../base/errors.ts";
import type { Hit } from "../base/hit.ts";
import { type EntryId, parseEntryId } from "../base/ids.ts";
import { jsonObjectSchema } from "../base/json.ts";
import { validNames } from "../base/nearest-name.ts";
import { parseInput } from "../base/parse-input.ts";
import type { MaybePromise } from "../base/promise.ts";
import type { Scope } from "../base/scope.ts";
import type { Vector } from "../base/vector.ts";
import { isName } from "../collection/check-name.ts";
import type { Collection } from "../collection/collection.ts";
import type { NewItem } from "../collection/insert.ts";
import {
  type BoundVitality,
  createVitality,
  type VitalityChoice,
  vitalitySchema,
} from "../policies/vitality/index.ts";
import type { NameEmbedder } from "./graph/entity.ts";
import { checkHints } from "./hints.ts";
import { type CheckedInsert, checkInsert, checkOptimize, checkQuery, judgementSchema } from "./requests.ts";
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
import { indexNameOf } from "./vector-fields.ts";

const MAX_PENDING = 1000;

const workSchema = z.object({ name: z.enum(PENDING_ACTIONS), entry: z.string() });

/** What is to be placed. */
export interface Placement extends CheckedInsert {
  /** The embedder for the names that it brings, with the answers it gave before the turn came. */
  readonly names?: NameEmbedder | undefined;
}

/** Options that every service has. */
export const commonOptions = {
  collection_name: z
    .string()
    .refine(isName, "must be 1–64 letters, digits, _ and -")
    .describe("Name of the collection that holds the entries."),
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

  /** Whether links are walked only the way they go. */
  protected get isDirected(): boolean {
    return false;
  }

  /** The indexes that hold vectors of a space; a service with tiers has one per tier. */
  protected vectorIndexes(space: string): readonly string[] {
    return [indexNameOf(space)];
  }

  vectorHomes(_entry: Pick<Entry, "tier">, space: string): readonly string[] {
    return this.vectorIndexes(space);
  }

  /** How each strategy of the traits is carried out. */
  protected abstract readonly searches: Searches;

  /** The placement params it has a use for, "priority" apart, which all have. */
  protected abstract readonly placements: readonly Exclude<keyof InsertParams, "priority">[];

  /** Where an entry goes, with the work it leaves behind. Of several items the first is the entry, the rest comes with it. */
  protected abstract place(scope: Scope, placement: Placement): MaybePromise<NewItem | readonly NewItem[]>;

  /** What takes long and needs no turn: a model that is slow for one must not make others wait. */
  protected prepare(_scope: Scope, placement: Placement): MaybePromise<Placement> {
    return placement;
  }

  /** A service whose inserts build on what is there does one at a time. */
  protected inTurn<T>(_scope: Scope, task: () => Promise<T>): Promise<T> {
    return task();
  }

  async insert(scope: Scope, given: ServiceInsert): Promise<EntryId> {
    const checked = checkInsert(given);
    this.#checkParams(checked);
    this.#checkVectors(checked.entry.vectors ?? []);
    const placement = await this.prepare(scope, withPriority(checked));
    return this.inTurn(scope, async () => {
      const items = [await this.place(scope, placement)].flat();
      const [id] = await this.store.insertMany(scope, items, { cause: `${this.name}: insert` });
      invariant(id !== undefined, `The service ${this.name} placed nothing`);
      return id;
    });
  }

  async retrieve(scope: Scope, given: ServiceQuery): Promise<Hit[]> {
    const { hints = {}, ...query } = checkQuery(given);
    const { strategies } = this.traits;
    const strategy = chooseSearch(this.searches, strategies, query, hints, this.name);
    checkHints(hints, strategy, strategies[strategy] ?? [], this.name);
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
    const others = ids.filter((id) => id !== by);
    await this.store.supersede(scope, others, by, { cause: `${this.name}: supersede` });
  }

  async touch(scope: Scope, entries: readonly Entry[]): Promise<void> {
    try {
      await this.#count(scope, entries);
    } catch (error) {
      // 2: the caller's own fault, as a scope that is none.
      if (MemoryError.is(error) && ERROR_KINDS[error.code].exit === 2) throw error;
      // What was found has been found: nobody is to lose it because it could not be counted.
      this.warn("did not count a look", error);
    }
  }

  async feedback(scope: Scope, entries: readonly Entry[], value: number): Promise<void> {
    const judgement = parseInput(judgementSchema, value, "feedback");
    if (judgement === 0) return;
    const now = this.deps.clock.now();
    await this.store.touch(
      scope,
      entries.map((entry) => ({
        id: entry.id,
        addUseful: judgement > 0 ? 1 : 0,
        ...this.#vitality?.onFeedback(entry, judgement, now),
      })),
      { cause: `${this.name}: feedback` },
    );
  }

  async optimize(scope: Scope, request: OptimizeRequest): Promise<OptimizeReport> {
    const { trigger: name, config, entries } = checkOptimize(request);
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
        directed: this.isDirected,
        vitality: this.#vitality,
        vectorIndexes: (space) => this.vectorIndexes(space),
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
    const count = jobs.length < MAX_PENDING ? jobs.length : await this.store.countWork(scope);
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
    return { pendingAction: head?.action ?? null, head, pendingItems, count };
  }

  leave(
    scope: Scope,
    { entry, action, details }: Pick<PendingItem, "entry" | "action" | "details">,
  ): Promise<void> {
    const work = { id: entry, name: action, payload: details };
    return this.store.putWork(scope, [work], { cause: `${this.name}: leave` });
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

  /** Something that was not what the caller asked for went wrong: what was asked for is done. */
  protected warn(what: string, error: unknown): void {
    const code = MemoryError.is(error) ? error.code : "invariant";
    this.deps.trace({ type: "warning-raise", code, message: `${this.name} ${what}: ${error}` });
  }

  async #count(scope: Scope, entries: readonly Entry[]): Promise<void> {
    const now = this.deps.clock.now();
    const look = (seen: readonly Entry[]): Promise<void> =>
      this.store.touch(
        scope,
        seen.map((entry) => ({
          id: entry.id,
          addAccess: 1,
          lastAccessAt: now,
          ...this.#vitality?.onAccess(entry, now),
        })),
        { cause: `${this.name}: retrieve` },
      );
    try {
      await look(entries);
    } catch (error) {
      if (!MemoryError.is(error) || error.code !== "entry_not_found") throw error;
      // Some were deleted since they were found: the others were looked at all the same.
      const there = await this.store.getMany(
        scope,
        entries.map(({ id }) => id),
      );
      await look(there.filter((entry) => entry !== undefined));
    }
  }

  /** A vector that no index here holds would be stored and never be found by. */
  #checkVectors(vectors: readonly Vector[]): void {
    const spaces = this.deps.fields.flatMap((field) => field.spaces.map(({ space }) => space));
    const stranger = vectors.find(({ space }) => !spaces.includes(space));
    if (stranger === undefined) return;
    throw new MemoryError(
      "embedder_mismatch",
      `The service ${this.name} has no index for vectors of "${stranger.space}". ${validNames(String(stranger.space), spaces)}`,
      { details: { given: String(stranger.space), expected: spaces } },
    );
  }

  /** A param that would be ignored is refused: in a passive insert all of them but the priority. */
  #checkParams({ params, active, entry }: CheckedInsert): void {
    if (entry.tier != null && this.traits.tiers.length === 0) {
      throw new MemoryError(
        "capability_missing",
        `The service ${this.name} has no tier "${entry.tier}", and no other. Valid: an entry without a tier.`,
      );
    }
    if ((entry.edges ?? []).length > 0 && !this.traits.abilities.includes("graph")) {
      throw new MemoryError(
        "capability_missing",
        `The service ${this.name} has no graph to hold the entry's edges. Valid: graph_memory, hybrid_memory with graph_enabled: true, hierarchical_memory with a graph, or an entry without edges.`,
      );
    }
    // Without an index an entry is found by facts about it alone: what is read, and never recalled.
    const isFound = this.traits.strategies.structured !== undefined && (entry.vectors ?? []).length === 0;
    if (params.targetIndexes?.length === 0 && !isFound) {
      throw new MemoryError(
        "input_invalid",
        "The entry joins no index, so nothing would find it. Valid: an index in targetIndexes, or, where a service looks by facts (structured), no vectors.",
      );
    }
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

function withPriority(checked: CheckedInsert): CheckedInsert {
  const { entry, params } = checked;
  if (params.priority === undefined || entry.importance != null) return checked;
  return { ...checked, entry: { ...entry, importance: params.priority } };
}
