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

/** The k nearest memories with at least that cosine, of those that the filter lets through, most alike first. */
export async function neighboursOf(
  context: TriggerContext,
  { id }: Entry,
  how: Pick<NearestRequest, "k" | "threshold" | "filter">,
): Promise<readonly Neighbour[]> {
  const { scope, store } = context;
  const vectors = await contentVectors(context, id);
  const near = await nearest(store, scope, { ...how, vectors, except: id });
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
  readonly links: readonly Neighbour[];
  /** The note's tags from now on; undefined: as they are. */
  readonly tags: readonly string[] | undefined;
  /** Neighbours that change, by what they are from now on. */
  readonly changes: readonly {
    readonly entry: Entry;
    readonly tags: readonly string[];
    readonly context: string;
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
  const updated = actions.includes("update_neighbor") ? neighbours : [];
  return {
    links: [...new Set(links)],
    tags: actions.includes("strengthen") && tags_to_update.length > 0 ? tags_to_update : undefined,
    changes: updated.map(({ entry }, place) => ({
      entry,
      tags: new_tags_neighborhood[place] ?? entry.tags,
      context: new_context_neighborhood[place] ?? textOf(entry.metadata.context),
    })),
  };
}

function noteOf({ content, tags, metadata }: Entry) {
  return {
    content,
    tags: [...tags],
    context: textOf(metadata.context),
    keywords: textsOf(metadata.keywords),
  };
}

/** What of a note may be embedded. */
export const NOTE_TEXTS = ["content", "context", "keywords", "tags"] as const;

export function noteText(entry: Entry, texts: readonly (typeof NOTE_TEXTS)[number][]): string {
  const note = noteOf(entry);
  return texts
    .map((name) => [note[name]].flat().join(" "))
    .filter((text) => text !== "")
    .join("\n");
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

function textsOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
