/**
 * What is still in the queue? Per scope the newest `capacity` entries by position, and what has fallen out of it. An
 * entry beyond the capacity stays a member until somebody moves it on, so nothing is lost between two steps (S0-61).
 *
 * Score: the position, newest first; minus the position, oldest first. The part `position` is the position itself.
 */
import { z } from "zod";
import { MemoryError } from "../base/errors.ts";
import type { EntryId } from "../base/ids.ts";
import { parseInput } from "../base/parse-input.ts";
import { allowedOrdinals } from "./allowed-ordinals.ts";
import { ByScope, heldOrdinals } from "./by-scope.ts";
import { grow } from "./grow.ts";
import {
  type Candidate,
  defineIndex,
  type Index,
  type IndexItem,
  type IndexQuery,
  type IndexStats,
} from "./index-contract.ts";
import { OrderedOrdinals, takeFirst } from "./ordered-ordinals.ts";
import { Ordinals } from "./ordinals.ts";
import { SnapshotReader, SnapshotWriter } from "./snapshot-bytes.ts";

const options = z.strictObject({
  /** How many entries of each scope the queue holds. */
  capacity: z.number().int().min(1),
});
type Options = z.infer<typeof options>;

const params = z.strictObject({
  /** newest or oldest first of those within capacity; overflow: those beyond it, oldest first. */
  mode: z.enum(["newest", "oldest", "overflow"]).default("newest"),
});

export const fifoIndex = defineIndex<Options>({
  kind: "fifo",
  family: "text",
  summary: "A queue of the newest entries, and those that no longer fit in it.",
  options,
  adjustable: ["capacity"],
  create: (given) => new Fifo(given),
});

const MAGIC = "fifo";
const VERSION = 1;

class Fifo implements Index {
  readonly kind = "fifo";
  readonly needs = { fields: [] };
  readonly #capacity: number;
  #ordinals = new Ordinals();
  /** By ordinal. */
  #positions: Float64Array = new Float64Array(16);
  /** Oldest first, ties by descending id, so that backwards is the order of "newest". */
  #queues = new ByScope(() => new OrderedOrdinals(this.#compare));

  constructor({ capacity }: Options) {
    this.#capacity = capacity;
  }

  add(items: readonly IndexItem[]): void {
    for (const { id, scope, position } of items) {
      this.#removeOne(id);
      const ordinal = this.#ordinals.add(id, scope);
      this.#positions = grow(this.#positions, ordinal + 1, (length) => new Float64Array(length));
      this.#positions[ordinal] = position;
      this.#queues.partOf(this.#ordinals, ordinal).add(ordinal);
    }
  }

  remove(ids: readonly EntryId[]): void {
    for (const id of ids) this.#removeOne(id);
  }

  query(query: IndexQuery): Candidate[] {
    const { mode } = parseInput(params, query.params ?? {}, "query of a fifo index");
    if (query.text !== undefined) {
      throw new MemoryError(
        "input_invalid",
        'A fifo index was asked for a text, but it is ordered by arrival. Valid: a query without a text; params.mode "newest", "oldest" or "overflow".',
      );
    }
    const allowed = allowedOrdinals(this.#ordinals, query.allow);
    const ties = (a: number, b: number): boolean => this.#positionOf(a) === this.#positionOf(b);
    const taken = this.#queues.visible(this.#ordinals, query.scopes).flatMap((queue) => {
      const all = queue.all();
      const beyond = Math.max(0, all.length - this.#capacity);
      const sorted = mode === "overflow" ? all.subarray(0, beyond) : all.subarray(beyond);
      return takeFirst({ sorted, backwards: mode === "newest" }, query.limit, allowed, ties);
    });
    const sign = mode === "newest" ? 1 : -1;
    const best = taken.sort(
      (a, b) => sign * (this.#positionOf(b) - this.#positionOf(a)) || this.#ordinals.compare(a, b),
    );
    return best.slice(0, query.limit).map((ordinal) => {
      const position = this.#positionOf(ordinal);
      return { id: this.#ordinals.idAt(ordinal), score: 0 + sign * position, parts: { position } };
    });
  }

  save(): Uint8Array {
    const writer = new SnapshotWriter(MAGIC, VERSION);
    this.#ordinals.save(writer);
    writer.float64(this.#positions.subarray(0, this.#ordinals.end));
    return writer.finish();
  }

  load(bytes: Uint8Array): void {
    const reader = new SnapshotReader(bytes, MAGIC, VERSION);
    const ordinals = Ordinals.load(reader);
    const positions = reader.float64(ordinals.end);
    reader.end();
    this.#ordinals = ordinals;
    this.#positions = positions;
    this.#queues = new ByScope(() => new OrderedOrdinals(this.#compare));
    for (const ordinal of heldOrdinals(ordinals)) this.#queues.partOf(ordinals, ordinal).add(ordinal);
  }

  stats(): IndexStats {
    const queues = this.#queues.all.reduce((sum, queue) => sum + queue.bytes, 0);
    return { items: this.#ordinals.size, bytes: queues + this.#ordinals.bytes + this.#positions.byteLength };
  }

  readonly #compare = (a: number, b: number): number =>
    this.#positionOf(a) - this.#positionOf(b) || this.#ordinals.compare(b, a);

  #positionOf(ordinal: number): number {
    return this.#positions[ordinal] as number;
  }

  #removeOne(id: EntryId): void {
    const ordinal = this.#ordinals.ordinalOf(id);
    if (ordinal < 0) return;
    this.#queues.partOf(this.#ordinals, ordinal).remove(ordinal);
    this.#ordinals.remove(id);
  }
}
