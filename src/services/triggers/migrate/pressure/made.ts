/** What one run writes down, and what it has changed so far. */
import type { Entry } from "../../../../base/entry.ts";
import type { EntryId } from "../../../../base/ids.ts";
import type { PlannedMove } from "../migration.ts";

export interface Made {
  readonly added: EntryId[];
  readonly retired: EntryId[];
  readonly moved: PlannedMove[];
  /** What was said to whoever listens, and is not stored. */
  readonly said: string[];
}

/** What the run is about: the messages that have just come. */
export interface Packet {
  readonly messages: readonly Entry[];
  /** Of the latest. */
  readonly happenedAt: number;
  /** The turns it is made from. */
  readonly sources: readonly string[];
}

export function packetOf(messages: readonly Entry[]): Packet {
  return {
    messages,
    happenedAt: Math.max(...messages.map(({ happenedAt }) => happenedAt)),
    sources: [...new Set(messages.flatMap(({ sources }) => sources))],
  };
}
