/** What a scope sees of a collection, in hand: entries with all that hangs on them, to be taken back in time. */
import type { Edge } from "../../base/edge.ts";
import type { Entry } from "../../base/entry.ts";
import type { EntryId } from "../../base/ids.ts";
import type { Scope } from "../../base/scope.ts";
import type { Storage } from "../../storage/storage.ts";

export interface States {
  readonly entries: Map<EntryId, EntryInHand>;
  /** By what tells one edge from another. */
  readonly edges: Map<string, Edge>;
}

export interface EntryInHand {
  readonly entry: Entry;
  /** By space. */
  readonly vectors: Map<string, Float32Array>;
  /** Positions by the number of the index. */
  readonly places: Map<number, number>;
}

const PAGE = 1000;

export async function readStates(storage: Storage, scope: Scope, collection: string): Promise<States> {
  const states: States = { entries: new Map(), edges: new Map() };
  for (let after: EntryId | undefined; ; ) {
    const page = await storage.states(scope, { collection, after, limit: PAGE });
    for (const { entry, vectors, places, edges } of page) {
      states.entries.set(entry.id, {
        entry,
        vectors: new Map(vectors.map(({ space, values }) => [space, values])),
        places: new Map(places.map(({ index, position }) => [index, position])),
      });
      for (const edge of edges) states.edges.set(edgeName(edge), edge);
    }
    after = page.at(-1)?.entry.id;
    if (page.length < PAGE) return states;
  }
}

export function edgeName({ from, to, type, scope }: Edge): string {
  return `${from} ${to} ${type} ${scope}`;
}
