/** What an event keeps of the past, read back: the only place that trusts the log's own JSON. */
import type { Edge } from "../base/edge.ts";
import type { Entry } from "../base/entry.ts";
import type { Json, JsonObject } from "../base/json.ts";
import type { Vector } from "../base/vector.ts";
import type { EntryPlace, EntryState } from "./entry-state.ts";
import type { Event } from "./event.ts";

/** The fields that a change or a look had changed, as they were. */
export function keptFields(kept: JsonObject): Partial<Entry> {
  return kept as unknown as Partial<Entry>;
}

export function keptEdge(kept: Json): Edge {
  return kept as unknown as Edge;
}

export function keptPlace(kept: Json): EntryPlace {
  return kept as unknown as EntryPlace;
}

/** Bits for bits. */
export function keptVector(kept: Json): Vector {
  const { space, data } = kept as { readonly space: string; readonly data: string };
  const bytes = new Uint8Array(Buffer.from(data, "base64"));
  return { space, values: new Float32Array(bytes.buffer) };
}

/** All of an entry that was removed; undefined: it was erased. */
export function keptRemoval({ seq, before }: Event): EntryState | undefined {
  if (before?.entry === undefined) return undefined;
  const { entry, indexes, places, edges, vectors } = before;
  return {
    entry: entry as unknown as Entry,
    vectors: listOf(vectors).map(keptVector),
    edges: listOf(edges).map(keptEdge),
    // Files of older formats know the indexes and not the places in them: the end of the queue is what is left.
    places:
      places === undefined
        ? listOf(indexes).map((index) => ({ index: Number(index), position: seq }))
        : listOf(places).map(keptPlace),
  };
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
