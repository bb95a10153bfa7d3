/**
 * What stays the same while a session lasts: made once, kept by this process, and given back byte for byte, whatever was
 * remembered meanwhile. Two things end it: a memory in it that is gone for good, for nobody may be shown what was erased; and,
 * where the session has no name, an hour of silence, which outlasts the prompt caches there are.
 */
import type { EntryId } from "../base/ids.ts";
import { createLru, type Lru } from "../base/lru.ts";
import type { Scope } from "../base/scope.ts";
import type { Running } from "./running.ts";

export interface Frozen {
  readonly text: string;
  /** The memories it was made of. */
  readonly ids: readonly EntryId[];
}

interface Slot {
  part: Promise<Frozen> | undefined;
  usedAt: number;
}

const SILENCE_MS = 3_600_000;
/** Sessions of all scopes that are kept at once, the most recent. */
const MOST_SESSIONS = 4096;

const slots = new WeakMap<Running, Lru<string, Slot>>();

export async function frozenPart(
  running: Running,
  scope: Scope,
  { key, isNamed }: { readonly key: string; readonly isNamed: boolean },
  make: () => Promise<Frozen>,
): Promise<Frozen> {
  const now = running.clock.now();
  const slot = slotsOf(running).get(key, () => ({ part: undefined, usedAt: now }));
  const isOver = !isNamed && now - slot.usedAt > SILENCE_MS;
  slot.usedAt = now;
  const before = isOver ? undefined : slot.part;
  if (before !== undefined && (await areAllThere(running, scope, await before))) return before;
  // Another call may have made it anew while this one looked.
  if (slot.part === before || isOver) slot.part = make();
  const part = slot.part ?? make();
  try {
    return await part;
  } catch (error) {
    if (slot.part === part) slot.part = undefined;
    throw error;
  }
}

function slotsOf(running: Running): Lru<string, Slot> {
  const known = slots.get(running) ?? createLru<string, Slot>(MOST_SESSIONS);
  slots.set(running, known);
  return known;
}

async function areAllThere({ storage, design }: Running, scope: Scope, { ids }: Frozen): Promise<boolean> {
  const found = await storage.entries(scope, design.service.collection, ids);
  return found.every((entry) => entry !== undefined);
}
