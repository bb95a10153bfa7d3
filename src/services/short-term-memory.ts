/**
 * The last things that were said (S0-3): a window of `maxlen` entries per scope. What a new entry pushes out of the window
 * is archived, not deleted: out of every index, still readable by its id.
 *
 * An active insert is the seed's force flag: it joins the window and pushes nothing out, so the window may be longer than
 * `maxlen` until the next passive insert puts it in order.
 */
import { z } from "zod";
import type { Hit } from "../base/hit.ts";
import type { EntryId } from "../base/ids.ts";
import type { Scope } from "../base/scope.ts";
import type { Collection } from "../collection/collection.ts";
import type { NewItem } from "../collection/insert.ts";
import { BaseService, commonOptions, type Placement } from "./base-service.ts";
import { createScopeQueues } from "./scope-queues.ts";
import { lexical, TEXT_INDEX } from "./search/lexical.ts";
import { RECENT_INDEX, recent } from "./search/recent.ts";
import { strategiesOf } from "./search/search.ts";
import { semantic } from "./search/semantic.ts";
import { defineService, type ServiceDeps, type ServiceInsert, type ServiceTraits } from "./service.ts";
import { vectorIndexes } from "./vector-fields.ts";

const options = z.strictObject({
  ...commonOptions,
  maxlen: z.number().int().min(1).describe("How many entries of each scope the window holds."),
});
type Options = z.infer<typeof options>;

const SEARCHES = { semantic, lexical, recent };

const TRAITS: ServiceTraits = {
  abilities: ["queue", "vector", "text"],
  triggers: ["reflection", "forgetting", "summarize"],
  strategies: strategiesOf(SEARCHES),
  tiers: [],
  pending: [],
  needsQueryVector: false,
};

const NAME = "short_term_memory";
/** More than any window holds. */
const ALL = 1_000_000;

export const shortTermMemory = defineService({
  name: NAME,
  summary: "A window of the last entries; what falls out of it is archived.",
  options,
  aliases: { max_dialog: "maxlen" },
  traits: () => TRAITS,
  open: openShortTermMemory,
});

export async function openShortTermMemory(given: Options, deps: ServiceDeps): Promise<ShortTermMemory> {
  const store = await deps.manager.open({
    name: given.collection_name,
    profile: "hybrid",
    indexes: [
      { name: RECENT_INDEX, kind: "fifo", options: { capacity: given.maxlen } },
      { name: TEXT_INDEX, kind: "text_bm25" },
      ...vectorIndexes(deps.fields),
    ],
  });
  return new ShortTermMemory(given, store, deps);
}

export class ShortTermMemory extends BaseService {
  protected readonly searches = SEARCHES;
  protected readonly placements = ["targetIndexes"] as const;
  /** One at a time for a scope, so that nothing is archived twice. */
  readonly #queues = createScopeQueues();

  constructor(given: Options, store: Collection, deps: ServiceDeps) {
    super({ name: NAME, traits: TRAITS, options: given }, store, deps);
  }

  override async insert(scope: Scope, entry: ServiceInsert): Promise<EntryId> {
    const id = await super.insert(scope, entry);
    if (entry.insertMode !== "active") {
      try {
        await this.#queues(scope, () => this.#archiveOverflow(scope));
      } catch (error) {
        // The entry is in: the caller must not hear that it is not. The next insert puts the window in order.
        this.warn("archived nothing yet", error);
      }
    }
    return id;
  }

  /** All that the scope sees of the window, in the order of arrival. */
  async window(scope: Scope): Promise<Hit[]> {
    const beyond = await this.#members(scope, "overflow");
    const within = await this.#members(scope, "oldest");
    return [...beyond, ...within].sort(byArrival);
  }

  protected place(_scope: Scope, { entry, params }: Placement): NewItem {
    return params.targetIndexes === undefined ? entry : { ...entry, indexes: params.targetIndexes };
  }

  /** Only the scope's own entries count and move: public ones, which it also sees, are the public's to move. */
  async #archiveOverflow(scope: Scope): Promise<void> {
    const beyond = await this.#members(scope, "overflow", true);
    const own = beyond.filter((entry) => entry.scope === scope).map(({ id }) => id);
    await this.store.archiveMany(scope, own, { cause: `${NAME}: window is full` });
  }

  #members(scope: Scope, mode: "oldest" | "overflow", superseded = false): Promise<Hit[]> {
    return this.store.retrieve(scope, { index: RECENT_INDEX, params: { mode }, topK: ALL, superseded });
  }
}

function byArrival(a: Hit, b: Hit): number {
  return (a.scoreParts.position ?? 0) - (b.scoreParts.position ?? 0) || (a.id < b.id ? -1 : 1);
}
