/**
 * What of an edge decides who may walk it, and which way? Its type, its scope, and whether it is directed. Edges share
 * few such combinations, so each combination gets a number, and a query decides once per number instead of per edge.
 */
import { parseScope, type Scope } from "../../base/scope.ts";
import type { Direction } from "../../math/csr.ts";
import { type SnapshotReader, type SnapshotWriter, snapshotCorrupt } from "../snapshot-bytes.ts";

/** The label of an edge that was removed: nobody may walk it. */
export const DEAD = 0;

/** Bits of `Ways`: from the edge's source to its target, and back. */
export const ALONG = 1;
export const AGAINST = 2;

/** Per label, which ways a reader may walk its edges. */
export type Ways = Uint8Array;

export class EdgeLabels {
  /** Scope, then type, then the labels of directed (0) and undirected (1) edges. */
  readonly #byScope = new Map<Scope, Map<string, [number, number]>>();
  readonly #scopes: Scope[] = [];
  readonly #types: string[] = [];
  readonly #directed: number[] = [];

  /** One past the highest label; labels begin at 1. */
  get end(): number {
    return this.#types.length + 1;
  }

  labelOf(type: string, scope: Scope, directed: boolean): number {
    let types = this.#byScope.get(scope);
    if (types === undefined) {
      types = new Map();
      this.#byScope.set(scope, types);
    }
    let pair = types.get(type);
    if (pair === undefined) {
      pair = [DEAD, DEAD];
      types.set(type, pair);
    }
    const place = directed ? 0 : 1;
    if (pair[place] === DEAD) {
      pair[place] = this.end;
      this.#scopes.push(scope);
      this.#types.push(type);
      this.#directed.push(directed ? 1 : 0);
    }
    return pair[place];
  }

  /** What a reader of these scopes may walk; undirected edges go both ways, whatever the direction. */
  ways(scopes: readonly Scope[], direction: Direction, types: readonly string[] | undefined): Ways {
    const ways = new Uint8Array(this.end);
    const asked = { out: ALONG, in: AGAINST, both: ALONG | AGAINST }[direction];
    for (const scope of scopes) {
      for (const [type, [directed, undirected]] of this.#byScope.get(scope) ?? []) {
        if (types !== undefined && !types.includes(type)) continue;
        ways[directed] = asked;
        ways[undirected] = ALONG | AGAINST;
      }
    }
    ways[DEAD] = 0;
    return ways;
  }

  save(writer: SnapshotWriter): void {
    writer.texts(this.#scopes).texts(this.#types).bytes(Uint8Array.from(this.#directed));
  }

  static load(reader: SnapshotReader): EdgeLabels {
    const labels = new EdgeLabels();
    const scopes = reader.texts();
    const types = reader.texts(scopes.length);
    const directed = reader.bytes(scopes.length);
    for (const [place, scope] of scopes.entries()) {
      const label = labels.labelOf(types[place] ?? "", parseScope(scope), directed[place] === 1);
      if (label !== place + 1) throw snapshotCorrupt("a label of edges is in it twice");
    }
    return labels;
  }
}
