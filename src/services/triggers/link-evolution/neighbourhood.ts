/** A note, its true neighbours, and what the model (or the rules of the task) makes of them together. */
import type { Entry } from "../../../base/entry.ts";
import type { Json } from "../../../base/json.ts";
import { evolveNote } from "../../../tasks/evolve-note.ts";
import { runTask } from "../../../tasks/run-task.ts";
import { type NearestRequest, nearest } from "../../graph/nearest.ts";
import { thinkingOf } from "../derived.ts";
import type { TriggerContext } from "../trigger.ts";
import { contentVectors } from "./link-policy.ts";

export interface Neighbour {
  readonly entry: Entry;
  readonly similarity: number;
}

/**
 * The k nearest memories with at least that cosine, of those that the filter lets through, most alike first. `vectors`: of
 * what is near; unsaid: to what the memory itself was embedded as.
 */
export async function neighboursOf(
  context: TriggerContext,
  { id }: Entry,
  {
    vectors: given,
    ...how
  }: Pick<NearestRequest, "k" | "threshold" | "filter"> & Partial<Pick<NearestRequest, "vectors">>,
): Promise<readonly Neighbour[]> {
  const { scope, store } = context;
  const vectors = given ?? (await contentVectors(context, id));
  const indexesOf = context.vectorIndexes;
  const near = await nearest(store, scope, { ...how, vectors, except: id, indexesOf });
  const entries = await store.getMany(
    scope,
    near.map((one) => one.id),
  );
  return near.flatMap(({ similarity }, place) => {
    const entry = entries[place];
    return entry === undefined ? [] : [{ entry, similarity }];
  });
}

export interface Evolution {
  /** Whether anything is to change at all. */
  readonly evolves: boolean;
  readonly links: readonly Neighbour[];
  /** The note's tags from now on; undefined: as they are. */
  readonly tags: readonly string[] | undefined;
  /** What neighbours are from now on, in the neighbours' order; those beyond the end stay as they are. */
  readonly changes: readonly {
    readonly tags: readonly string[];
    /** Undefined: as it is. */
    readonly context: string | undefined;
  }[];
}

export async function evolve(
  context: TriggerContext,
  note: Entry,
  neighbours: readonly Neighbour[],
  prompt: string,
): Promise<Evolution> {
  const input = { note: noteOf(note), neighbours: neighbours.map(({ entry }) => noteOf(entry)) };
  const { reply } = await runTask({ ...evolveNote, prompt }, input, thinkingOf(context));
  const { actions, suggested_connections, tags_to_update, new_tags_neighborhood, new_context_neighborhood } =
    reply;
  const links = actions.includes("strengthen")
    ? suggested_connections.flatMap((number) => neighbours[number] ?? [])
    : [];
  // As published: as many change as there are lists of tags.
  const changed = actions.includes("update_neighbor")
    ? new_tags_neighborhood.slice(0, neighbours.length)
    : [];
  return {
    evolves: reply.should_evolve,
    links: [...new Set(links)],
    tags: actions.includes("strengthen") && tags_to_update.length > 0 ? tags_to_update : undefined,
    changes: changed.map((own, place) => ({ tags: own, context: new_context_neighborhood[place] })),
  };
}

/** What an entry says as a note. */
export function noteOf({ content, tags, metadata }: Entry) {
  return {
    content,
    tags: [...tags],
    context: textOf(metadata.context),
    keywords: textsOf(metadata.keywords),
  };
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

function textsOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
