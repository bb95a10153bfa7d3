/** Events taken back one by one, the newest first, in hand: what is left is how the memory stood before them. */
import type { EntryId } from "../../base/ids.ts";
import type { Event } from "../../storage/event.ts";
import { keptEdge, keptFields, keptPlace, keptRemoval, keptVector } from "../../storage/kept.ts";
import { edgeName, type States } from "./states.ts";

/** Taking an event back that had not come to the states yet changes nothing: they may be read while others write. */
export function rewind(states: States, newestFirst: readonly Event[]): void {
  const later: LaterVectors = new Map();
  for (const event of newestFirst) takeBack(states, event, later);
}

/** By entry and space: the vector that came where none was. */
type LaterVectors = Map<string, Float32Array>;

function takeBack(states: States, event: Event, later: LaterVectors): void {
  const { operation, subject, before } = event;
  switch (operation) {
    case "entry-insert":
    case "entry-restore":
      states.entries.delete(subject);
      return;
    case "entry-update":
    case "entry-touch":
      if (before !== null) setFields(states, subject, keptFields(before));
      return;
    case "entry-remove":
      putBack(states, event);
      return;
    case "vector-put":
    case "vector-remove":
      takeBackVector(states, event, later);
      return;
    case "index-join":
    case "index-leave":
      takeBackPlace(states, event);
      return;
    case "edge-put":
    case "edge-remove":
      takeBackEdge(states, event);
      return;
  }
}

function setFields({ entries }: States, id: EntryId, fields: ReturnType<typeof keptFields>): void {
  const there = entries.get(id);
  if (there !== undefined) entries.set(id, { ...there, entry: { ...there.entry, ...fields } });
}

function putBack({ entries, edges }: States, event: Event): void {
  const kept = keptRemoval(event);
  if (kept === undefined) return;
  entries.set(event.subject, {
    entry: kept.entry,
    vectors: new Map(kept.vectors.map(({ space, values }) => [space, values])),
    places: new Map(kept.places.map(({ index, position }) => [index, position])),
  });
  for (const edge of kept.edges) edges.set(edgeName(edge), edge);
}

/** Of one that was erased nothing is known: the one that was made in its place stands for it. */
function takeBackVector({ entries }: States, event: Event, later: LaterVectors): void {
  const { operation, subject, before, changed } = event;
  const vectors = entries.get(subject)?.vectors;
  if (before !== null) {
    const { space, values } = keptVector(before);
    vectors?.set(space, values);
    return;
  }
  const space = changed[0]?.slice("vector:".length) ?? "";
  const name = `${subject} ${space}`;
  const values = operation === "vector-put" ? vectors?.get(space) : later.get(name);
  if (values === undefined) return;
  if (operation === "vector-put") {
    vectors?.delete(space);
    later.set(name, values);
  } else vectors?.set(space, values);
}

function takeBackPlace({ entries }: States, { subject, before, changed }: Event): void {
  const places = entries.get(subject)?.places;
  if (before === null) {
    places?.delete(Number(changed[0]?.slice("index:".length)));
    return;
  }
  const { index, position } = keptPlace(before);
  places?.set(index, position);
}

function takeBackEdge({ edges }: States, { before, after }: Event): void {
  if (before !== null) {
    const edge = keptEdge(before);
    edges.set(edgeName(edge), edge);
  } else if (after !== null) {
    edges.delete(edgeName(keptEdge(after)));
  }
}
