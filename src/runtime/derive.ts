/**
 * From the journal to memories: what a design has not taken up yet is cut into windows and goes through its pipeline, one
 * window after another; what somebody judged goes through it by itself, and at once. Where it stands is written down with
 * each window, so that whatever stops it (a model that is down, a kill, a closed laptop) costs a window that is done again,
 * never a turn and never a memory twice: what a window left half done is taken back before it is done anew.
 */
import type { Scope } from "../base/scope.ts";
import type { Turn } from "../base/turn.ts";
import { throwIfAborted } from "../models/abort.ts";
import { isJudged } from "../pipeline/judgment.ts";
import type { InsertResult } from "../pipeline/plan.ts";
import { nextWindow, turnsToCut, type Window } from "../pipeline/windows.ts";
import type { OpenPreset } from "../preset/open.ts";
import { memoriesOnly } from "../services/graph/entity.ts";
import type { Storage, Write } from "../storage/storage.ts";
import { type Place, placeOf } from "./place.ts";
import { takeBack } from "./take-back.ts";
import { saidAgain, sameJudgment } from "./take-up-judged.ts";
import { saidBetween, UnreadTurns } from "./unread-turns.ts";

export interface DeriveOptions {
  /** Nothing more will come for now: what waits for a full window or the end of a session is taken up, too. @default false */
  readonly finish?: boolean | undefined;
  /** Only what somebody judged is taken up; what was said waits for another time. @default false */
  readonly judgedOnly?: boolean | undefined;
  /** Ends the work at once; a window that is half done is taken back when the work goes on. */
  readonly signal?: AbortSignal | undefined;
  /** Asked before every window: false ends the work there. */
  readonly goOn?: (() => boolean) | undefined;
  /** Told after every window, and after every turn that somebody judged. */
  readonly onWindow?: ((done: WindowDone) => void) | undefined;
}

export interface WindowDone {
  readonly turns: readonly Turn[];
  readonly result: InsertResult;
}

export interface Derived {
  readonly windows: number;
  /** Turns taken up, those that somebody judged among them, and those that wait for their window to fill. */
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
  options: DeriveOptions = {},
): Promise<Derived> {
  const { finish = false, judgedOnly = false, signal, goOn = () => true, onWindow } = options;
  const place = placeOf(memory, scope);
  await takeBack(memory, storage, scope);
  const stand = await standing(storage, place);
  const unread = new UnreadTurns(storage, scope, stand);
  const work: Work = { memory, storage, scope, place, unread, signal, ...stand, isBegun: false };
  const cut = memory.preset.input.window;
  const wanted = judgedOnly ? Number.POSITIVE_INFINITY : turnsToCut(cut);
  let seen: readonly Turn[] = await saidBetween(storage, scope, stand.read, stand.done);
  let [windows, turns] = [0, 0];
  const next = async (): Promise<Window | Turn | undefined> => {
    await unread.readOn(wanted);
    if (!goOn()) return undefined;
    const window = judgedOnly ? undefined : nextWindow(seen, unread.fresh, cut, finish);
    const [judged] = unread.judged;
    // In the order they were said, but what was judged does not wait for a window to fill.
    if (judged === undefined || (window !== undefined && lastOf(window) < judged.seq)) return window;
    return judged;
  };
  for (let task = await next(); task !== undefined; ) {
    throwIfAborted(signal, "Taking up the journal");
    const done = "seq" in task ? await takeUpOne(work, task) : await takeUpWindow(work, task);
    if (!("seq" in task)) {
      seen = task.seen;
      windows++;
    }
    turns += done.turns.length;
    task = await next();
    await moveOn(work, seen, task !== undefined);
    onWindow?.(done);
  }
  return { windows, turns, waiting: unread.fresh.length };
}

/** The state of one run. */
interface Work extends Standing {
  readonly memory: OpenPreset;
  readonly storage: Storage;
  readonly scope: Scope;
  readonly place: Place;
  readonly unread: UnreadTurns;
  readonly signal: AbortSignal | undefined;
  /** Whether it is written down that work has begun. */
  isBegun: boolean;
}

interface Standing {
  read: number;
  done: number;
  judged: number;
}

async function standing(storage: Storage, place: Place): Promise<Standing> {
  return {
    read: await storage.cursor(place.read),
    done: await storage.cursor(place.done),
    judged: await storage.cursor(place.judged),
  };
}

function lastOf({ fresh }: Window): number {
  return fresh.at(-1)?.seq ?? 0;
}

async function takeUpWindow(work: Work, window: Window): Promise<WindowDone> {
  const { memory, scope, unread, signal } = work;
  await begin(work);
  const result = await memory.insert(scope, window.turns, { signal, before: window.before });
  unread.fresh = unread.fresh.slice(window.fresh.length);
  const all = [...window.before, ...window.turns];
  work.read = all.at(-(window.seen.length + 1))?.seq ?? 0;
  work.done = lastOf(window);
  return { turns: window.fresh, result };
}

async function takeUpOne(work: Work, turn: Turn): Promise<WindowDone> {
  const { memory, storage, scope, unread, signal } = work;
  const known = await sameJudgment(memory, storage, scope, turn);
  let result: InsertResult = { inserted: [], stages: [] };
  if (known === undefined) {
    await begin(work);
    result = await memory.insert(scope, [turn], { signal });
  } else {
    const { collection } = memory.service;
    const news = saidAgain(known, turn);
    if (news.length > 0) await storage.commit(scope, news, CAUSE, { collection });
  }
  unread.judged = unread.judged.slice(1);
  return { turns: [turn], result };
}

/** From here on, what is stored is taken back unless the work comes to its end. */
async function begin(work: Work): Promise<void> {
  const { storage, scope, place, isBegun } = work;
  if (isBegun) return;
  await storage.commit(scope, [await begunNow(storage, place)], CAUSE);
  work.isBegun = true;
}

async function begunNow(storage: Storage, place: Place): Promise<Write> {
  const { seq } = await storage.feed.head();
  return { op: "cursor-put", name: place.begun, seq: seq + 1 };
}

/** One commit says that this is done and, where more follows, that the next has begun. */
async function moveOn(work: Work, seen: readonly Turn[], more: boolean): Promise<void> {
  const { storage, scope, place, unread } = work;
  work.judged = Math.max(work.judged, unread.judgedUpTo);
  // Past what was judged, so that it is not read again and again.
  work.done = Math.max(work.done, unread.saidUpTo);
  if (seen.length === 0) work.read = work.done;
  const put = (name: string, seq: number): Write => ({ op: "cursor-put", name, seq });
  await storage.commit(
    scope,
    [
      put(place.read, work.read),
      put(place.done, work.done),
      put(place.judged, work.judged),
      more ? await begunNow(storage, place) : put(place.begun, 0),
    ],
    CAUSE,
  );
  work.isBegun = more;
}

/**
 * Forgets where the design stands in the scope and everything it made there; the journal stays. Stopped half-way it is taken
 * back like a window: memories that are gone while the design stands where it stood would never be made again.
 */
export async function startOver(memory: OpenPreset, storage: Storage, scope: Scope): Promise<void> {
  const place = placeOf(memory, scope);
  const { collection } = memory.service;
  await storage.commit(scope, [await begunNow(storage, place)], CAUSE);
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

/** Of these turns of the scope's own, those that the design has done with: what came of the others may be taken back. */
export async function takenUpOf(
  memory: OpenPreset,
  storage: Storage,
  scope: Scope,
  turns: readonly Turn[],
): Promise<Turn[]> {
  const { done, judged } = await standing(storage, placeOf(memory, scope));
  return turns.filter((turn) => turn.seq <= (isJudged(turn) ? judged : done));
}

/** How many of the scope's turns the design has not taken up. */
export async function waitingTurns(memory: OpenPreset, storage: Storage, scope: Scope): Promise<number> {
  const unread = new UnreadTurns(storage, scope, await standing(storage, placeOf(memory, scope)));
  await unread.readOn(Number.POSITIVE_INFINITY);
  return unread.fresh.length + unread.judged.length;
}

/** Whether there are any: read no further than to the first. */
export async function hasWaiting(memory: OpenPreset, storage: Storage, scope: Scope): Promise<boolean> {
  const unread = new UnreadTurns(storage, scope, await standing(storage, placeOf(memory, scope)));
  await unread.readOn(1);
  return unread.fresh.length + unread.judged.length > 0;
}
