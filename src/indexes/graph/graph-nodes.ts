/**
 * Who is in the graph? Members, with their scope; and dormant nodes: ids that edges of members point at but that have
 * not joined (or have left). A dormant node is seen by nobody, and keeps its number until the last edge to it goes, so
 * that an edge comes alive the moment its target joins.
 */
import type { EntryId } from "../../base/ids.ts";
import { PUBLIC, parseScope, type Scope } from "../../base/scope.ts";
import { grow } from "../grow.ts";
import { Ordinals } from "../ordinals.ts";
import { type SnapshotReader, type SnapshotWriter, snapshotCorrupt } from "../snapshot-bytes.ts";

/** The scope number of a node that is no member. */
const DORMANT = -1;

export class GraphNodes {
  /** Gives out the numbers. Its own scopes are not used: it knows none for a dormant node. */
  readonly #ordinals: Ordinals;
  #scopes: Int32Array = new Int32Array(0);
  /** How many edges point at the node. */
  #references: Int32Array = new Int32Array(0);
  readonly #scopeNames: Scope[] = [];
  readonly #scopeNumbers = new Map<Scope, number>();
  #members = 0;

  constructor(ordinals: Ordinals = new Ordinals()) {
    this.#ordinals = ordinals;
  }

  /** How many members there are. */
  get members(): number {
    return this.#members;
  }

  /** One past the highest node. */
  get end(): number {
    return this.#ordinals.end;
  }

  get bytes(): number {
    return this.#ordinals.bytes + this.#scopes.byteLength + this.#references.byteLength;
  }

  /** Per node its scope's number, −1 for one that is no member; may be longer than `end`. */
  get scopes(): Int32Array {
    return this.#scopes;
  }

  /** 1 for the numbers of these scopes. */
  seenBy(scopes: readonly Scope[]): Uint8Array {
    const seen = new Uint8Array(this.#scopeNames.length);
    for (const scope of scopes) {
      const number = this.#scopeNumbers.get(scope);
      if (number !== undefined) seen[number] = 1;
    }
    return seen;
  }

  idAt(node: number): EntryId {
    return this.#ordinals.idAt(node);
  }

  /** Order of the ids behind two nodes. */
  compare(a: number, b: number): number {
    return this.#ordinals.compare(a, b);
  }

  /** The id's node, member or not; −1 if there is none. */
  nodeOf(id: EntryId): number {
    return this.#ordinals.ordinalOf(id);
  }

  isMember(node: number): boolean {
    return (this.#scopes[node] ?? DORMANT) !== DORMANT;
  }

  join(id: EntryId, scope: Scope): number {
    const node = this.#nodeFor(id);
    if (!this.isMember(node)) this.#members++;
    this.#scopes[node] = this.#numberFor(scope);
    return node;
  }

  leave(node: number): void {
    this.#scopes[node] = DORMANT;
    this.#members--;
    this.#releaseIfUnused(node);
  }

  /** The node of an edge's target, counted. */
  refer(id: EntryId): number {
    const node = this.#nodeFor(id);
    this.#references[node] = (this.#references[node] ?? 0) + 1;
    return node;
  }

  /** Edges to these nodes are gone. */
  unrefer(nodes: Int32Array): void {
    for (const node of nodes) {
      this.#references[node] = (this.#references[node] ?? 0) - 1;
      this.#releaseIfUnused(node);
    }
  }

  save(writer: SnapshotWriter): void {
    this.#ordinals.save(writer);
    writer.texts(this.#scopeNames).int32(this.#scopes.subarray(0, this.end));
  }

  static load(reader: SnapshotReader): GraphNodes {
    const nodes = new GraphNodes(Ordinals.load(reader));
    for (const scope of reader.texts()) nodes.#numberFor(parseScope(scope));
    nodes.#scopes = reader.int32(nodes.end);
    nodes.#references = new Int32Array(nodes.end);
    for (const [node, scope] of nodes.#scopes.entries()) {
      const free = nodes.#ordinals.scopeAt(node) < 0;
      if (scope < DORMANT || scope >= nodes.#scopeNames.length || (free && scope !== DORMANT)) {
        throw snapshotCorrupt("a node has an unknown scope");
      }
      if (scope !== DORMANT) nodes.#members++;
    }
    return nodes;
  }

  /** After a load: counts the edges again, by their targets. */
  countReferences(targets: Int32Array): void {
    for (const node of targets) {
      if (this.#ordinals.scopeAt(node) < 0)
        throw snapshotCorrupt("an edge points at a node that is not in it");
      this.#references[node] = (this.#references[node] ?? 0) + 1;
    }
  }

  #nodeFor(id: EntryId): number {
    const known = this.#ordinals.ordinalOf(id);
    if (known >= 0) return known;
    const node = this.#ordinals.add(id, PUBLIC);
    this.#scopes = grow(this.#scopes, this.end, (length) => new Int32Array(length));
    this.#references = grow(this.#references, this.end, (length) => new Int32Array(length));
    this.#scopes[node] = DORMANT;
    return node;
  }

  #releaseIfUnused(node: number): void {
    if (this.#references[node] === 0 && !this.isMember(node)) this.#ordinals.remove(this.idAt(node));
  }

  #numberFor(scope: Scope): number {
    const known = this.#scopeNumbers.get(scope);
    if (known !== undefined) return known;
    this.#scopeNumbers.set(scope, this.#scopeNames.length);
    return this.#scopeNames.push(scope) - 1;
  }
}
