/**
 * A memory as BIEM's users know it (S4-8 … S4-10): what is remembered, how alive it is at this moment, where it lies and what
 * it is tied to. A node is a reading: `touch` and `addLink` change the memory and give a new reading of it.
 */
import { z } from "zod";
import { type Edge, makeEdge } from "../../base/edge.ts";
import type { Entry, Observables } from "../../base/entry.ts";
import type { EntryId } from "../../base/ids.ts";
import { parseInput } from "../../base/parse-input.ts";
import type { Scope } from "../../base/scope.ts";
import { createVitality, vitalitySchema } from "../../policies/vitality/index.ts";
import { CONTENT } from "../../services/vector-fields.ts";
import { runTask } from "../../tasks/run-task.ts";
import { summarize } from "../../tasks/summarize.ts";
import { get } from "../list.ts";
import type { Running } from "../running.ts";

/** Where a node is read from, and changed. */
export interface NodePlace {
  readonly running: Running;
  readonly scope: Scope;
}

export const LINK_TYPES = ["temporal", "semantic", "causal"] as const;
export type LinkType = (typeof LINK_TYPES)[number];

/** S4-10; other types than BIEM's three may come from elsewhere. */
export interface Link {
  readonly source: EntryId;
  readonly target: EntryId;
  readonly type: string;
  readonly weight: number;
  readonly createdAt: number;
}

/** S4-9. */
export interface NodeMetadata {
  /** When it happened (epoch ms). */
  readonly timestamp: number;
  readonly location: string | null;
  readonly entities: readonly string[];
  /** −1 to 1; null: nobody looked. */
  readonly sentiment: number | null;
  /** user, assistant, tool or explicit; consolidation for a fact. */
  readonly source: string;
  readonly tags: readonly string[];
}

const metadataSchema = z.looseObject({
  location: z.string().nullable().catch(null),
  entities: z
    .array(z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]))
    .catch([]),
  sentiment: z.number().nullable().catch(null),
  source: z.string().nullable().catch(null),
  role: z.string().nullable().catch(null),
  initial_energy: z.number().nullable().catch(null),
});

const linkSchema = z.strictObject({
  type: z.enum(LINK_TYPES),
  weight: z.number().positive().max(2).default(1),
});

export class MemoryNode {
  readonly id: EntryId;
  readonly content: string;
  readonly metadata: NodeMetadata;
  /** At the moment of reading: faded since it was last written, never faded twice. */
  readonly energy: number;
  readonly initialEnergy: number;
  readonly lastAccessed: number;
  readonly createdAt: number;
  /** As the preset calls it; the canvas lies over the web, so what is on it is in both. */
  readonly tier: string | null;
  /** Those that leave it and those that reach it. */
  readonly links: readonly Link[];
  readonly #entry: Entry;
  readonly #place: NodePlace;

  constructor(entry: Entry, links: readonly Link[], place: NodePlace) {
    const told = metadataSchema.parse(entry.metadata);
    const { initial, score } = energyPolicy(place.running);
    this.id = entry.id;
    this.content = entry.content;
    this.energy = score(entry, place.running.clock.now());
    this.initialEnergy = told.initial_energy ?? initial;
    this.lastAccessed = entry.lastAccessAt;
    this.createdAt = entry.createdAt;
    this.tier = entry.tier;
    this.links = links;
    this.metadata = {
      timestamp: entry.happenedAt,
      location: told.location,
      entities: told.entities,
      sentiment: told.sentiment,
      source: told.source ?? told.role ?? (entry.kind === "fact" ? "consolidation" : "user"),
      tags: entry.tags,
    };
    this.#entry = entry;
    this.#place = place;
  }

  /** In its embedder's space; undefined where nobody embedded it. */
  async vector(): Promise<Float32Array | undefined> {
    const { running, scope } = this.#place;
    const spaces = running.design.fields.find(({ name }) => name === CONTENT)?.spaces ?? [];
    for (const { space } of spaces) {
      const [vector] = await running.storage.vectors(scope, space, [this.id]);
      if (vector !== undefined) return vector;
    }
    return undefined;
  }

  /** A look at it: counted, and its energy rises (S4-12). */
  async touch(): Promise<MemoryNode> {
    const { running, scope } = this.#place;
    await running.design.service.touch(scope, [this.#entry]);
    return nodeOf(this.#place, this.id);
  }

  /** Ties it to another; a link of the type that is there already gets the new weight. */
  async addLink(
    target: string,
    options: { readonly type: LinkType; readonly weight?: number | undefined },
  ): Promise<MemoryNode> {
    const { type, weight } = parseInput(linkSchema, options, "link");
    const { running, scope } = this.#place;
    const to = (await get(running, scope, target)).id;
    const given = { from: this.id, to, type, weight, directed: type === "causal", provenance: "biem" };
    await running.storage.commit(
      scope,
      [{ op: "edge-put", edge: makeEdge(given, scope, running.clock.now()) }],
      { actor: "biem", cause: "add-link" },
      { collection: running.design.service.collection },
    );
    return nodeOf(this.#place, this.id);
  }

  /** What it says in short, by the model or, without one, by its most telling sentences. */
  async summarize(maxWords = 20): Promise<string> {
    const words = parseInput(z.int().min(1), maxWords, "number of words");
    const { running, scope } = this.#place;
    const options = { ...running.design.thinking, scope, onModelDown: "fallback" as const };
    const { reply } = await runTask(summarize, { texts: [this.content], max_words: words }, options);
    return reply.summary;
  }
}

/** How much energy there is, by the policy of the design's service. */
export function energyPolicy({ design }: Running): {
  readonly initial: number;
  score(of: Observables, now: number): number;
} {
  const choice = parseInput(vitalitySchema, design.preset.service.options.vitality, "vitality of the design");
  const initial = "initial_energy" in choice ? Number(choice.initial_energy) : 0;
  const { score } = createVitality(choice);
  return { initial, score };
}

export async function nodeOf(place: NodePlace, id: EntryId): Promise<MemoryNode> {
  const entry = await get(place.running, place.scope, id);
  const [node] = await nodesOf(place, [entry]);
  return node ?? new MemoryNode(entry, [], place);
}

/** In the order given, with one look for all their links. */
export async function nodesOf(place: NodePlace, entries: readonly Entry[]): Promise<MemoryNode[]> {
  const ids = entries.map(({ id }) => id);
  const links = await linksOf(place, ids);
  return entries.map(
    (entry) =>
      new MemoryNode(
        entry,
        links.filter(({ source, target }) => source === entry.id || target === entry.id),
        place,
      ),
  );
}

export async function linksOf(
  { running, scope }: NodePlace,
  ids: readonly EntryId[],
): Promise<readonly Link[]> {
  if (ids.length === 0) return [];
  return (await running.storage.edges(scope, running.design.service.collection, ids)).map(linkOf);
}

export function linkOf({ from, to, type, weight, createdAt }: Edge): Link {
  return { source: from, target: to, type, weight, createdAt };
}
