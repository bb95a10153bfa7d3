/**
 * Memory in tiers (S0-3): what is new comes in at the front, what no longer fits moves back. One collection holds all of
 * it (S0-55, C-9): a move changes which indexes an entry is in and what its tier is called; its id, its vectors and its
 * data stay where they are (S0-61). MemoryBank, MemGPT, MemoryOS, LD-Agent and BIEM are built on it.
 */
import { z } from "zod";
import type { Entry } from "../base/entry.ts";
import { invariant, MemoryError } from "../base/errors.ts";
import type { Hit } from "../base/hit.ts";
import { type EntryId, parseEntryId } from "../base/ids.ts";
import { parseInput } from "../base/parse-input.ts";
import type { Scope } from "../base/scope.ts";
import type { Collection } from "../collection/collection.ts";
import type { NewItem } from "../collection/insert.ts";
import { tierNamed } from "../policies/tier-plan.ts";
import { type BoundVitality, createVitality, vitalitySchema } from "../policies/vitality/index.ts";
import type { Job } from "../storage/job.ts";
import { BaseService, commonOptions, type Placement } from "./base-service.ts";
import { GRAPH_INDEX } from "./graph/entity.ts";
import { openTiers } from "./open-tiers.ts";
import { createScopeQueues } from "./scope-queues.ts";
import { graphSearch, NOT_WALKED } from "./search/graph.ts";
import { lexical } from "./search/lexical.ts";
import { RECENT_INDEX, recent } from "./search/recent.ts";
import { type SearchBy, type Searches, strategiesOf } from "./search/search.ts";
import { semantic } from "./search/semantic.ts";
import { structured } from "./search/structured.ts";
import { temporal } from "./search/temporal.ts";
import { acrossTiers, byScore, frontFirst, tierByTier } from "./search/tiered.ts";
import { defineService, type ServiceDeps, type ServiceInsert, type ServiceTraits } from "./service.ts";
import { heldIn, indexesOf, type ServiceTier, tierIndexes, tierIndexName, tierOptions } from "./tiers.ts";
import { indexNameOf } from "./vector-fields.ts";

const tierGraph = z.strictObject({
  seeds: z.int().min(1).describe("How many memories near to the question a walk starts from."),
  depth: z.int().min(1).max(10).describe("How many links a walk may follow."),
  decay: z.number().gt(0).max(1).describe("What is left of an activation one link further."),
});

const options = z.strictObject({
  ...commonOptions,
  tiers: tierOptions.describe("The tiers, front first; a new entry goes to the first."),
  migration_policy: z
    .enum(["auto", "pending"])
    .describe(
      "What happens to an entry that no longer fits: auto moves it to the next tier at once (out of the last one into the archive), pending leaves it where it is and reports it, to be migrated or forgotten.",
    ),
  eviction: vitalitySchema
    .nullable()
    .describe("Who no longer fits into a full tier: the least alive by this policy; null: who came first."),
  graph: tierGraph
    .nullable()
    .describe("Links between entries of all tiers, and how they are walked; null: none."),
});
export type HierarchicalOptions = Readonly<z.infer<typeof options>>;

const NAME = "hierarchical_memory";

export const hierarchicalMemory = defineService({
  name: NAME,
  summary: "Memory in tiers of declared sizes: new entries come in at the front, others move back.",
  options,
  traits: traitsOf,
  open: openHierarchicalMemory,
});

export async function openHierarchicalMemory(
  given: HierarchicalOptions,
  deps: ServiceDeps,
): Promise<HierarchicalMemory> {
  const store = await openTiers(
    deps.manager,
    given.collection_name,
    given.tiers,
    deps.fields,
    given.graph !== null,
  );
  return new HierarchicalMemory(given, store, deps);
}

export interface TierStats {
  readonly tier: string;
  readonly capacity: number | null;
  /** Of the scope's own that recall may find here; an overlay's entries count in both tiers. */
  readonly entries: number;
  /** Of these, what waits to be moved on or forgotten. */
  readonly waiting: number;
}

export class HierarchicalMemory extends BaseService {
  protected readonly searches: Searches;
  protected readonly placements = ["targetTier"] as const;

  readonly #tiers: readonly ServiceTier[];
  readonly #auto: boolean;
  readonly #eviction: BoundVitality | undefined;
  readonly #hasGraph: boolean;
  /** Making room is one at a time for a scope, so that no entry is moved on twice. */
  readonly #queues = createScopeQueues();

  constructor(given: HierarchicalOptions, store: Collection, deps: ServiceDeps) {
    super({ name: NAME, traits: traitsOf(given), options: given }, store, deps);
    this.#tiers = given.tiers;
    this.#auto = given.migration_policy === "auto";
    this.#eviction = given.eviction === null ? undefined : createVitality(given.eviction);
    this.#hasGraph = given.graph !== null;
    this.searches = searchesOf(given);
  }

  override async insert(scope: Scope, entry: ServiceInsert): Promise<EntryId> {
    const id = await super.insert(scope, entry);
    await this.#tryToMakeRoom(scope);
    return id;
  }

  /** Moves an entry to a tier, whatever the tier it is in (S0-22). Its id, vectors and data stay. */
  migrate(scope: Scope, id: EntryId, toTier: string): Promise<void> {
    return this.moveTo(scope, id, toTier);
  }

  /**
   * Whoever only acknowledges decides that the entry stays: it goes to the end of its tier's queue, as if it had just come,
   * and waits again when it is pushed out again.
   */
  override async acknowledge(scope: Scope, pending: string): Promise<void> {
    const item = (await this.#waiting(scope)).find(({ id }) => id === pending);
    if (item !== undefined) await this.#requeue(scope, item);
    await super.acknowledge(scope, pending);
  }

  /** How full the tiers are, front first (S0-22). */
  async getTierStats(scope: Scope): Promise<TierStats[]> {
    const counts = new Map<string, number>();
    for (let after: EntryId | undefined; ; ) {
      const page = await this.store.vitals(scope, { after, limit: PAGE });
      for (const { tier } of page) if (tier !== null) counts.set(tier, (counts.get(tier) ?? 0) + 1);
      after = page.at(-1)?.id;
      if (page.length < PAGE) break;
    }
    const waiting = await this.#waiting(scope);
    return this.#tiers.map(({ name, capacity }) => {
      const from = this.#tiers.filter((one) =>
        heldIn(this.#tiers, one.name).some((held) => held.name === name),
      );
      return {
        tier: name,
        capacity,
        entries: from.reduce((sum, one) => sum + (counts.get(one.name) ?? 0), 0),
        waiting: waiting.filter(({ payload }) => payload.source_tier === name).length,
      };
    });
  }

  protected place(_scope: Scope, { entry, params }: Placement): NewItem {
    const { name } =
      params.targetTier === undefined ? this.#front : tierNamed(this.#tiers, params.targetTier);
    if (entry.tier != null && entry.tier !== name) {
      throw new MemoryError(
        "input_invalid",
        `The entry says tier "${entry.tier}", but it goes to "${name}". Valid: no tier, or insertMode "active" with insertParams.targetTier.`,
      );
    }
    const given = new Set(entry.vectors?.map(({ space }) => space));
    const spaces = this.#spaces.filter((space) => given.has(space));
    return { ...entry, tier: name, indexes: this.#indexesOf(name, spaces) };
  }

  protected override async moveTo(scope: Scope, id: EntryId, tier: string): Promise<void> {
    const { name } = tierNamed(this.#tiers, tier);
    const entry = await this.store.get(scope, id);
    if (entry === undefined) {
      throw new MemoryError("entry_not_found", `There is no entry ${id} in the service ${NAME}.`);
    }
    if (entry.tier === name) return;
    await this.#shift(scope, entry, name);
    await this.#tryToMakeRoom(scope);
  }

  get #front(): ServiceTier {
    const [front] = this.#tiers;
    invariant(front !== undefined, "A service with tiers was opened without any");
    return front;
  }

  get #spaces(): readonly string[] {
    return this.deps.fields.flatMap(({ spaces }) => spaces.map(({ space }) => space));
  }

  #indexesOf(tier: string, spaces: readonly string[]): readonly string[] {
    return [...indexesOf(this.#tiers, tier, spaces), ...(this.#hasGraph ? [GRAPH_INDEX] : [])];
  }

  protected override vectorIndexes(space: string): readonly string[] {
    const held = this.#tiers.filter(({ indexes }) => indexes.includes("vector"));
    return held.map(({ name }) => tierIndexName(name, indexNameOf(space)));
  }

  override vectorHomes({ tier }: Pick<Entry, "tier">, space: string): readonly string[] {
    if (!this.#tiers.some(({ name }) => name === tier) || tier === null) return [];
    const indexes = this.vectorIndexes(space);
    return indexesOf(this.#tiers, tier, [space]).filter((name) => indexes.includes(name));
  }

  async #shift(scope: Scope, { id }: Entry, to: string): Promise<void> {
    const [current = []] = await this.store.memberships(scope, [id]);
    const spaces: string[] = [];
    for (const space of this.#spaces) {
      const [vector] = await this.store.vectors(scope, space, [id]);
      if (vector !== undefined) spaces.push(space);
    }
    const wanted = this.#indexesOf(to, spaces);
    const indexes = tierIndexes(this.#tiers, this.deps.fields, this.#hasGraph);
    const ours = new Set(indexes.map(({ name }) => name));
    const move = {
      from: current.filter((name) => ours.has(name) && !wanted.includes(name)),
      to: wanted.filter((name) => !current.includes(name)),
      fields: { tier: to },
    };
    // Read before: a move may leave the same entry waiting again, if there is no room where it goes.
    const decided = await this.store.workOf(scope, [id]);
    const by = { cause: `${NAME}: move` };
    await this.store.move(scope, id, move, by);
    for (const { id: job } of decided.filter(isAboutRoom)) await this.store.settleWork(scope, job, by);
  }

  async #waiting(scope: Scope): Promise<Job[]> {
    const jobs = await this.store.work(scope, await this.store.countWork(scope));
    return jobs.filter(isAboutRoom);
  }

  async #requeue(scope: Scope, { payload }: Job): Promise<void> {
    const { entry: id, source_tier: tier } = parseInput(waitingSchema, payload, "pending item");
    const entry = await this.store.get(scope, parseEntryId(id));
    if (entry?.tier !== tier || entry.supersededBy !== null) return;
    const queue = tierIndexName(tier, RECENT_INDEX);
    const [current = []] = await this.store.memberships(scope, [entry.id]);
    if (current.includes(queue)) return;
    await this.store.insertToIndex(scope, entry.id, queue, undefined, { cause: `${NAME}: acknowledge` });
  }

  /** What was asked for is done: the caller must not hear that it is not. The next insert makes room. */
  async #tryToMakeRoom(scope: Scope): Promise<void> {
    try {
      await this.#makeRoom(scope);
    } catch (error) {
      this.warn("made no room yet", error);
    }
  }

  /** Front to back, because what leaves one tier may fill the next. Only queues are asked; nothing is scanned. */
  #makeRoom(scope: Scope): Promise<void> {
    return this.#queues(scope, async () => {
      for (const [rank, tier] of this.#tiers.entries()) {
        if (tier.capacity === null) continue;
        for (const hit of await this.#beyond(scope, tier)) {
          try {
            await this.#moveOn(scope, hit, tier, this.#tiers[rank + 1]);
          } catch (error) {
            // One that was deleted since has made room, too.
            if (!MemoryError.is(error) || error.code !== "entry_not_found") throw error;
          }
        }
      }
    });
  }

  /** The scope's own entries that its queue has no room for: the oldest, or the least alive. */
  async #beyond(scope: Scope, tier: ServiceTier): Promise<readonly Hit[]> {
    const oldest = await this.#queued(scope, tier, "overflow");
    if (this.#eviction === undefined || oldest.length === 0) return oldest;
    const all = [...oldest, ...(await this.#queued(scope, tier, "oldest"))];
    return leastAlive(all, tier, this.#eviction, this.deps.clock.now()).slice(0, oldest.length);
  }

  #queued(scope: Scope, tier: ServiceTier, mode: "overflow" | "oldest"): Promise<Hit[]> {
    const index = tierIndexName(tier.name, RECENT_INDEX);
    return this.store.retrieve(scope, { index, params: { mode }, topK: ALL, superseded: true, own: true });
  }

  /**
   * What was dealt with leaves the queue, so that a queue never holds more than its capacity for long. What only waits
   * stays in its tier and is found there by all but its arrival, which is what a queue knows.
   */
  async #moveOn(scope: Scope, hit: Hit, tier: ServiceTier, next: ServiceTier | undefined): Promise<void> {
    const by = { cause: `${NAME}: overflow of ${tier.name}` };
    // Held by a tier in front, out of recall already, or never to be forgotten.
    const stays = hit.tier !== tier.name || hit.supersededBy !== null || (next === undefined && hit.pinned);
    if (!stays && this.#auto) {
      if (next === undefined) await this.store.archiveMany(scope, [hit.id], by);
      else await this.#shift(scope, hit, next.name);
      return;
    }
    if (!stays) {
      const work = {
        id: hit.id,
        name: next === undefined ? "forget" : "migrate",
        payload: { source_tier: tier.name, target_tier: next?.name ?? null },
        // One stay in one queue: the same entry may come back and overflow again.
        occasion: `${tier.name}:${hit.scoreParts.position}`,
      };
      await this.store.putWork(scope, [work], by);
    }
    await this.store.removeFromIndex(scope, hit.id, tierIndexName(tier.name, RECENT_INDEX), by);
  }
}

const waitingSchema = z.looseObject({ entry: z.string(), source_tier: z.string() });

function isAboutRoom({ payload }: Job): boolean {
  return payload.name === "migrate" || payload.name === "forget";
}

const PAGE = 4096;
/** More than any tier's queue has no room for. */
const ALL = 1_000_000_000;

/** What is in the queue only for others' sake first, then the least alive; of equals the one that came first. */
function leastAlive(queued: readonly Hit[], tier: ServiceTier, { score }: BoundVitality, now: number): Hit[] {
  const lives = (hit: Hit): number =>
    hit.tier !== tier.name || hit.supersededBy !== null ? Number.NEGATIVE_INFINITY : score(hit, now);
  return queued
    .map((hit, place) => ({ hit, place, life: lives(hit) }))
    .sort((a, b) => (a.life === b.life ? a.place - b.place : a.life - b.life))
    .map(({ hit }) => hit);
}

function searchesOf({ tiers, graph }: HierarchicalOptions): Searches {
  const near = tierByTier(tiers, semantic, "vector", byScore);
  return {
    semantic: near,
    lexical: acrossTiers(tiers, lexical, "text"),
    recent: tierByTier(tiers, recent, "queue", frontFirst),
    temporal: acrossTiers(tiers, temporal),
    structured: acrossTiers(tiers, structured),
    ...(graph === null ? {} : { graph: acrossTiers(tiers, walkOf(graph, near)) }),
  };
}

/** Activation spreads along the links between memories, both ways (C-35). */
function walkOf(graph: z.infer<typeof tierGraph>, nearBy: SearchBy): SearchBy {
  return graphSearch({
    ...graph,
    walk: "spread",
    knowledge: false,
    directed: false,
    passageWeight: 0,
    weighsMemories: false,
    nodeSpecificity: false,
    linkBy: "names",
    normaliser: "unicode",
    ensemble: null,
    passageNodes: true,
    embedder: undefined,
    ppr: NOT_WALKED,
    nearBy,
  });
}

function traitsOf(given: HierarchicalOptions): ServiceTraits {
  const { tiers, migration_policy, graph } = given;
  const names = tiers.map(({ name }) => name);
  const kinds = (["queue", "vector", "text"] as const).filter((kind) =>
    tiers.some(({ indexes }) => indexes.includes(kind)),
  );
  return {
    abilities: [...kinds, "tiers", ...(graph === null ? [] : (["graph"] as const))],
    triggers: [
      "migrate",
      "forgetting",
      "summarize",
      "reflection",
      ...(graph === null ? [] : (["link_evolution"] as const)),
    ],
    strategies: strategiesOf(searchesOf(given), names),
    tiers: names,
    pending: migration_policy === "pending" ? ["migrate", "forget"] : [],
    needsQueryVector: false,
  };
}
