/**
 * Which small number stands for an id inside an index? Typed arrays are addressed by numbers, entries by UUIDs: this
 * table maps one to the other and remembers each entry's scope. Ids are kept as four 32-bit words (16 bytes instead of
 * a 36-letter string) and found through an open-addressing hash table (linear probing, deletion by shifting back:
 * Knuth, TAOCP vol. 3, §6.4, algorithm R). Ordinals of removed ids are given out again.
 */
import { invariant } from "../base/errors.ts";
import { type EntryId, parseEntryId } from "../base/ids.ts";
import { parseScope, type Scope } from "../base/scope.ts";
import { grow } from "./grow.ts";
import { type SnapshotReader, type SnapshotWriter, snapshotCorrupt } from "./snapshot-bytes.ts";

const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
/** The scope number of an ordinal that nobody has. */
const FREE = -1;

export class Ordinals {
  /** Four words per ordinal, most significant first: comparing words compares ids. */
  #words: Uint32Array = new Uint32Array(64);
  #scopes: Int32Array = new Int32Array(16);
  /** Ordinal + 1 per bucket, 0 where empty; at most half full. */
  #table: Int32Array = new Int32Array(32);
  /** The id being looked up: that happens far too often to allocate each time. */
  readonly #packed = new Uint32Array(4);
  readonly #free: number[] = [];
  readonly #scopeNames: Scope[] = [];
  readonly #scopeNumbers = new Map<Scope, number>();
  #end = 0;
  #size = 0;

  /** How many ids are held. */
  get size(): number {
    return this.#size;
  }

  /** One past the highest ordinal ever given: how long an array by ordinal must be. */
  get end(): number {
    return this.#end;
  }

  /** How many scopes were ever seen; their numbers are 0 to scopeCount − 1. */
  get scopeCount(): number {
    return this.#scopeNames.length;
  }

  /** Bytes of the arrays. */
  get bytes(): number {
    return this.#words.byteLength + this.#scopes.byteLength + this.#table.byteLength + 8 * this.#free.length;
  }

  /** The id's ordinal, −1 if it is not here. */
  ordinalOf(id: EntryId): number {
    return packId(id, this.#packed) ? at(this.#table, this.#bucketOf(this.#packed)) - 1 : -1;
  }

  /** A new id gets an ordinal; an id that is here must be removed first. */
  add(id: EntryId, scope: Scope): number {
    const packed = this.#packed;
    invariant(packId(parseEntryId(id), packed), "A checked id could not be packed");
    invariant(at(this.#table, this.#bucketOf(packed)) === 0, "An id was added to an index twice");
    const ordinal = this.#free.pop() ?? this.#end++;
    this.#words = grow(this.#words, 4 * this.#end, (length) => new Uint32Array(length));
    this.#scopes = grow(this.#scopes, this.#end, (length) => new Int32Array(length));
    this.#words.set(packed, 4 * ordinal);
    this.#scopes[ordinal] = this.#numberFor(scope);
    this.#size++;
    if (2 * this.#size > this.#table.length) this.#rehash();
    else this.#table[this.#bucketOf(packed)] = ordinal + 1;
    return ordinal;
  }

  /** The ordinal the id had, −1 if it was not here. */
  remove(id: EntryId): number {
    if (!packId(id, this.#packed)) return -1;
    const bucket = this.#bucketOf(this.#packed);
    const ordinal = at(this.#table, bucket) - 1;
    if (ordinal < 0) return -1;
    this.#shiftBack(bucket);
    this.#scopes[ordinal] = FREE;
    this.#free.push(ordinal);
    this.#size--;
    return ordinal;
  }

  idAt(ordinal: number): EntryId {
    const first = 4 * ordinal;
    const [a, b] = [at(this.#words, first), at(this.#words, first + 1)];
    const [c, d] = [at(this.#words, first + 2), at(this.#words, first + 3)];
    return parseEntryId(
      `${hex16(a >>> 16)}${hex16(a)}-${hex16(b >>> 16)}-${hex16(b)}-${hex16(c >>> 16)}-${hex16(c)}${hex16(d >>> 16)}${hex16(d)}`,
    );
  }

  /** The scope's number, −1 if the ordinal is free. */
  scopeAt(ordinal: number): number {
    return at(this.#scopes, ordinal);
  }

  /** The number of a scope, −1 if no entry of it was ever here. */
  scopeNumber(scope: Scope): number {
    return this.#scopeNumbers.get(scope) ?? -1;
  }

  scopeName(scopeNumber: number): Scope {
    const name = this.#scopeNames[scopeNumber];
    invariant(name !== undefined, "A scope number that was never given was asked for");
    return name;
  }

  /** Order of the ids behind two ordinals: negative, zero or positive, as strings would compare. */
  compare(a: number, b: number): number {
    for (let word = 0; word < 4; word++) {
      const difference = at(this.#words, 4 * a + word) - at(this.#words, 4 * b + word);
      if (difference !== 0) return difference;
    }
    return 0;
  }

  save(writer: SnapshotWriter): void {
    writer
      .texts(this.#scopeNames)
      .int32(this.#scopes.subarray(0, this.#end))
      .uint32(this.#words.subarray(0, 4 * this.#end));
  }

  /** The table as it was saved, every ordinal the same; throws on anything that cannot have been saved. */
  static load(reader: SnapshotReader): Ordinals {
    const table = new Ordinals();
    for (const name of reader.texts()) table.#numberFor(scopeOf(name));
    table.#scopes = reader.int32();
    table.#end = table.#scopes.length;
    table.#words = reader.uint32(4 * table.#end);
    for (let ordinal = table.#end - 1; ordinal >= 0; ordinal--) {
      const scope = at(table.#scopes, ordinal);
      if (scope < FREE || scope >= table.scopeCount) throw snapshotCorrupt("an entry has an unknown scope");
      if (scope === FREE) table.#free.push(ordinal);
    }
    table.#size = table.#end - table.#free.length;
    table.#rehash();
    return table;
  }

  #numberFor(scope: Scope): number {
    const known = this.#scopeNumbers.get(scope);
    if (known !== undefined) return known;
    this.#scopeNumbers.set(scope, this.#scopeNames.length);
    return this.#scopeNames.push(scope) - 1;
  }

  /** The bucket that holds the id, or the empty one where it would go. */
  #bucketOf(words: Uint32Array): number {
    const mask = this.#table.length - 1;
    for (let bucket = hashAt(words, 0) & mask; ; bucket = (bucket + 1) & mask) {
      const ordinal = at(this.#table, bucket) - 1;
      if (ordinal < 0 || this.#holds(ordinal, words)) return bucket;
    }
  }

  #holds(ordinal: number, words: Uint32Array): boolean {
    const own = this.#words;
    const first = 4 * ordinal;
    return (
      own[first + 3] === words[3] &&
      own[first + 2] === words[2] &&
      own[first + 1] === words[1] &&
      own[first] === words[0]
    );
  }

  #rehash(): void {
    let length = 32;
    while (length < 3 * this.#size) length *= 2;
    this.#table = new Int32Array(length);
    const words = this.#packed;
    for (let ordinal = 0; ordinal < this.#end; ordinal++) {
      if (at(this.#scopes, ordinal) === FREE) continue;
      for (let word = 0; word < 4; word++) words[word] = at(this.#words, 4 * ordinal + word);
      const bucket = this.#bucketOf(words);
      if (at(this.#table, bucket) !== 0) throw snapshotCorrupt("an id is in it twice");
      this.#table[bucket] = ordinal + 1;
    }
  }

  /** Closes the gap: later members of the run move up unless they would pass their home bucket. */
  #shiftBack(emptied: number): void {
    const table = this.#table;
    const mask = table.length - 1;
    let gap = emptied;
    for (let bucket = (gap + 1) & mask; at(table, bucket) !== 0; bucket = (bucket + 1) & mask) {
      const home = hashAt(this.#words, 4 * (at(table, bucket) - 1)) & mask;
      if (((bucket - home) & mask) < ((bucket - gap) & mask)) continue;
      table[gap] = at(table, bucket);
      gap = bucket;
    }
    table[gap] = 0;
  }
}

const NIBBLES = new Int8Array(128).fill(-1);
for (const [value, letter] of [..."0123456789abcdef"].entries()) NIBBLES[letter.charCodeAt(0)] = value;

/** The four words of a lower-case UUID; false for any other string. */
function packId(id: string, into: Uint32Array): boolean {
  if (id.length !== 36) return false;
  let place = 0;
  for (let word = 0; word < 4; word++) {
    let value = 0;
    for (let digit = 0; digit < 8; digit++, place++) {
      if (place === 8 || place === 13 || place === 18 || place === 23) {
        if (id.charCodeAt(place) !== 45) return false;
        place++;
      }
      const nibble = NIBBLES[id.charCodeAt(place)] ?? -1;
      if (nibble < 0) return false;
      value = (value << 4) | nibble;
    }
    into[word] = value;
  }
  return true;
}

/** The last 16 bits as four digits, by bytes: every hit of every search has its id written out. */
function hex16(word: number): string {
  return `${HEX[(word >>> 8) & 255]}${HEX[word & 255]}`;
}

/** A multiply-and-shift mix of four words: UUIDs made in one millisecond differ in few bits. */
function hashAt(words: Uint32Array, first: number): number {
  let mixed = Math.imul(at(words, first), 0x9e3779b1) ^ Math.imul(at(words, first + 1), 0x85ebca77);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) ^ Math.imul(at(words, first + 2), 0xc2b2ae3d);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0x297a2d39) ^ Math.imul(at(words, first + 3), 0x27d4eb2f);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  return mixed ^ (mixed >>> 16);
}

function scopeOf(name: string): Scope {
  try {
    return parseScope(name);
  } catch (cause) {
    throw snapshotCorrupt("a scope in it is not one", cause);
  }
}

/** An element that is known to be there. */
function at(array: Int32Array | Uint32Array, index: number): number {
  return array[index] as number;
}
