/**
 * What was said right before and right after a text? The texts of one session, in the order of their ids, as links between
 * ordinals: one more or one less changes two links, however the index came about. A session that lost its last text is
 * forgotten, its name too.
 */
import { grow } from "../grow.ts";
import { type SnapshotReader, type SnapshotWriter, snapshotCorrupt } from "../snapshot-bytes.ts";

/** No neighbour; no session. */
const NONE = -1;
/** A map entry, an element of each list and the header of a name, by estimate; its letters are counted. */
const SESSION_BYTES = 80;

export class SaidAround {
  /** By ordinal. */
  #before: Int32Array = empty(16);
  #after: Int32Array = empty(16);
  #sessions: Int32Array = empty(16);
  /** Session → number. */
  readonly #numbers = new Map<string, number>();
  /** By session number: its name ("" if nobody has the number), and the ordinal of what was said last. */
  readonly #names: string[] = [];
  readonly #last: number[] = [];
  readonly #free: number[] = [];
  readonly #compare: (a: number, b: number) => number;

  /** `compare`: the order of the ids behind two ordinals. */
  constructor(compare: (a: number, b: number) => number) {
    this.#compare = compare;
  }

  get bytes(): number {
    const letters = this.#names.reduce((sum, name) => sum + name.length, 0);
    return 3 * this.#before.byteLength + SESSION_BYTES * this.#numbers.size + 2 * letters;
  }

  /** By ordinal: the ordinal of what was said right before it, and right after it; −1: nothing. */
  get before(): Int32Array {
    return this.#before;
  }
  get after(): Int32Array {
    return this.#after;
  }

  /** A text without a session stands alone. Nearly always it is the last that was said. */
  add(ordinal: number, session: string | undefined): void {
    this.#before = grow(this.#before, ordinal + 1, empty);
    this.#after = grow(this.#after, ordinal + 1, empty);
    this.#sessions = grow(this.#sessions, ordinal + 1, empty);
    if (session === undefined) return;
    const number = this.#numberFor(session);
    this.#sessions[ordinal] = number;
    let next = NONE;
    let previous = this.#last[number] as number;
    while (previous !== NONE && this.#compare(previous, ordinal) > 0) {
      next = previous;
      previous = this.#before[previous] as number;
    }
    this.#link(previous, ordinal);
    this.#link(ordinal, next);
    if (next === NONE) this.#last[number] = ordinal;
  }

  /** Whoever gets the ordinal next finds it without links. */
  remove(ordinal: number): void {
    const number = this.#sessions[ordinal] ?? NONE;
    if (number === NONE) return;
    const previous = this.#before[ordinal] as number;
    const next = this.#after[ordinal] as number;
    this.#link(previous, next);
    if (next === NONE) this.#last[number] = previous;
    if (previous === NONE && next === NONE) this.#forget(number);
    this.#sessions[ordinal] = NONE;
    this.#before[ordinal] = NONE;
    this.#after[ordinal] = NONE;
  }

  /** `end`: one past the highest ordinal. */
  save(writer: SnapshotWriter, end: number): void {
    writer.texts(this.#names).int32(this.#sessions.subarray(0, end)).int32(this.#before.subarray(0, end));
  }

  static load(reader: SnapshotReader, end: number, compare: (a: number, b: number) => number): SaidAround {
    const links = new SaidAround(compare);
    const names = reader.texts();
    links.#sessions = reader.int32(end);
    links.#before = reader.int32(end);
    links.#after = empty(end);
    for (const [ordinal, previous] of links.#before.entries()) {
      if (previous < NONE || previous >= end) throw snapshotCorrupt("a text follows nobody's");
      if (previous !== NONE) links.#after[previous] = ordinal;
    }
    const last = empty(names.length);
    for (const [ordinal, number] of links.#sessions.entries()) {
      if (number < NONE || number >= names.length) throw snapshotCorrupt("a text is of no session");
      if (number !== NONE && links.#after[ordinal] === NONE) last[number] = ordinal;
    }
    for (const [number, name] of names.entries()) {
      links.#names.push(name);
      links.#last.push(last[number] as number);
      if (last[number] === NONE) links.#free.push(number);
      else links.#numbers.set(name, number);
    }
    return links;
  }

  #numberFor(session: string): number {
    const known = this.#numbers.get(session);
    if (known !== undefined) return known;
    const number = this.#free.pop() ?? this.#names.length;
    this.#numbers.set(session, number);
    this.#names[number] = session;
    this.#last[number] = NONE;
    return number;
  }

  #forget(number: number): void {
    this.#numbers.delete(this.#names[number] as string);
    this.#names[number] = "";
    this.#free.push(number);
  }

  #link(previous: number, next: number): void {
    if (previous !== NONE) this.#after[previous] = next;
    if (next !== NONE) this.#before[next] = previous;
  }
}

function empty(length: number): Int32Array {
  return new Int32Array(length).fill(NONE);
}
