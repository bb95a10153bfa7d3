/**
 * UUIDv7 (RFC 9562): 48 bits of time, then chance, so ids sort by creation and appends stay at the end of
 * every B-tree (C-20). Within one millisecond a 32-bit counter with a random start goes up, so one maker's ids never go back.
 */
import { type Clock, systemClock } from "./clock.ts";
import { MemoryError } from "./errors.ts";
import { type Random, systemRandom } from "./random.ts";

declare const entryId: unique symbol;
declare const turnId: unique symbol;
export type EntryId = string & { readonly [entryId]: true };
export type TurnId = string & { readonly [turnId]: true };

const PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export interface IdMaker {
  entry(): EntryId;
  turn(): TurnId;
  /** For rows that are neither: jobs, leases, files. */
  plain(): string;
}

export function createIds(clock: Clock = systemClock, random: Random = systemRandom): IdMaker {
  const next = uuidV7(clock, random);
  return { entry: () => next() as EntryId, turn: () => next() as TurnId, plain: next };
}

export function parseEntryId(value: string): EntryId {
  return parseId(value, "an entry") as EntryId;
}

/** Whether it can be an entry's id: what an entry was made from may have ids of any kind. */
export function isEntryId(value: string): value is EntryId {
  return PATTERN.test(value);
}

export function parseTurnId(value: string): TurnId {
  return parseId(value, "a turn") as TurnId;
}

function parseId(value: string, what: string): string {
  if (!PATTERN.test(value)) {
    throw new MemoryError(
      "input_invalid",
      `"${value.slice(0, 60)}" is not the id of ${what}. Valid: a lower-case UUID.`,
    );
  }
  return value;
}

function uuidV7(clock: Clock, random: Random): () => string {
  let lastMs = 0;
  let counter = 0;
  return () => {
    const now = Math.floor(clock.now());
    if (now > lastMs) {
      lastMs = now;
      counter = Math.floor(random.next() * 2 ** 31);
    } else {
      counter += 1 + Math.floor(random.next() * 16);
    }
    const time = lastMs.toString(16).padStart(12, "0");
    const high = ((counter / 2 ** 20) & 0xfff).toString(16).padStart(3, "0");
    const low = (counter & 0xfffff).toString(16).padStart(5, "0");
    return `${time.slice(0, 8)}-${time.slice(8)}-7${high}-8${low.slice(0, 3)}-${low.slice(3)}${hex(random, 10)}`;
  };
}

function hex(random: Random, digits: number): string {
  let out = "";
  for (let done = 0; done < digits; done += 4) {
    out += Math.floor(random.next() * 0x10000)
      .toString(16)
      .padStart(4, "0");
  }
  return out.slice(0, digits);
}
