/**
 * From the journal to memories: what a design has not taken up yet is cut into windows and goes through its pipeline, one
 * window after another. Where it stands is written down with each window, so that whatever stops it (a model that is down,
 * a kill, a closed laptop) costs a window that is done again, never a turn and never a memory twice: what a window left
 * half done is taken back before it is done anew.
 */
import type { Scope } from "../base/scope.ts";
import type { Turn } from "../base/turn.ts";
import { throwIfAborted } from "../models/abort.ts";
import type { InsertResult } from "../pipeline/plan.ts";
import { nextWindow, type Window } from "../pipeline/windows.ts";
import type { OpenPreset } from "../preset/open.ts";
import { memoriesOnly } from "../services/graph/entity.ts";
import type { Storage } from "../storage/storage.ts";
import { ownTurns } from "./pages.ts";
import { type Place, placeOf } from "./place.ts";
import { takeBack } from "./take-back.ts";

export interface DeriveOptions {
  /** Nothing more will come for now: what waits for a full window or the end of a session is taken up, too. @default false */
  readonly finish?: boolean | undefined;
  /** Ends the work at once; a window that is half done is taken back when the work goes on. */
  readonly signal?: AbortSignal | undefined;
  /** Asked before every window: false ends the work there. */
  readonly goOn?: (() => boolean) | undefined;
  /** Told after every window. */
  readonly onWindow?: ((done: WindowDone) => void) | undefined;
}

export interface WindowDone {
  readonly turns: readonly Turn[];
  readonly result: InsertResult;
}

export interface Derived {
  readonly windows: number;
  /** Turns taken up, and those that wait for their window to fill. */
  readonly turns: number;
  readonly waiting: number;
}

const CAUSE = { actor: "runtime", cause: "derive" } as const;
const PAGE = 1000;

/** One caller at a time for a scope and a design. */
export async function derive(
  memory: OpenPreset,
  storage: Storage,
  scope: Scope,
  { finish = false, signal, goOn = () => true, onWindow }: DeriveOptions = {},
): Promise<Derived> {
  const place = placeOf(memory, scope);
  await takeBack(memory, storage, scope);
  const { read, done } = await standing(storage, place);
  let seen: readonly Turn[] = await turnsBetween(storage, scope, read, done);
  let fresh: readonly Turn[] = [];
  let [windows, turns, known] = [0, 0, done];
  const options = memory.preset.input.window;
  const wanted = 1 + (options.by === "turns" ? options.size : options.max_turns);
  for (;;) {
    throwIfAborted(signal, "Taking up the journal");
    if (fresh.length < wanted) {
      fresh = [...fresh, ...(await turnsAfter(storage, scope, known))];
      known = fresh.at(-1)?.seq ?? known;
    }
    const window = goOn() ? nextWindow(seen, fresh, options, finish) : undefined;
    if (window === undefined) return { windows, turns, waiting: fresh.length };
    const { seq } = await storage.feed.head();
    await storage.commit(scope, [{ op: "cursor-put", name: place.begun, seq: seq + 1 }], CAUSE);
    const result = await memory.insert(scope, window.turns, { signal, before: window.before });
    seen = window.seen;
    fresh = fresh.slice(window.fresh.length);
    await moveOn(storage, scope, place, window);
    windows++;
    turns += window.fresh.length;
    onWindow?.({ turns: window.fresh, result });
  }
}

async function standing(storage: Storage, place: Place): Promise<{ read: number; done: number }> {
  return { read: await storage.cursor(place.read), done: await storage.cursor(place.done) };
}

async function moveOn(storage: Storage, scope: Scope, place: Place, window: Window): Promise<void> {
  const done = window.turns.at(-1)?.seq ?? 0;
  const all = [...window.before, ...window.turns];
  const shown = all.at(-(window.seen.length + 1))?.seq ?? 0;
  await storage.commit(
    scope,
    [
      { op: "cursor-put", name: place.read, seq: shown },
      { op: "cursor-put", name: place.done, seq: done },
      { op: "cursor-put", name: place.begun, seq: 0 },
    ],
    CAUSE,
  );
}

/** Forgets where the design stands in the scope and everything it made there; the journal stays. */
export async function startOver(memory: OpenPreset, storage: Storage, scope: Scope): Promise<void> {
  const place = placeOf(memory, scope);
  const { collection } = memory.service;
  for (;;) {
    const memories = await storage.scan(scope, { collection, limit: PAGE, own: true, filter: memoriesOnly });
    if (memories.length === 0) break;
    for (const { id } of memories) await memory.service.delete(scope, id);
  }
  await storage.commit(
    scope,
    Object.values(place).map((name) => ({ op: "cursor-put" as const, name, seq: 0 })),
    CAUSE,
  );
}

/** How many of the scope's turns the design has not taken up. */
export async function waitingTurns(memory: OpenPreset, storage: Storage, scope: Scope): Promise<number> {
  const { done } = await standing(storage, placeOf(memory, scope));
  let count = 0;
  for await (const _ of ownTurns(storage, scope, done)) count++;
  return count;
}

async function turnsBetween(storage: Storage, scope: Scope, from: number, to: number): Promise<Turn[]> {
  if (from >= to) return [];
  const turns = await turnsAfter(storage, scope, from);
  return turns.filter(({ seq }) => seq <= to);
}

/** The next of the scope's own turns; none: there are no more. */
async function turnsAfter(storage: Storage, scope: Scope, after: number): Promise<Turn[]> {
  for (let from = after; ; ) {
    const page = await storage.turns(scope, { after: from, limit: PAGE });
    const own = page.filter((turn) => turn.scope === scope);
    const last = page.at(-1);
    if (own.length > 0 || last === undefined) return own;
    from = last.seq;
  }
}
