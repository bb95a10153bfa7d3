/**
 * What was said is written down, and asked to be taken up, in one transaction: when this returns it cannot be lost. A
 * design that asks no model takes it up before it returns, so that the next question finds it; one that does goes on in
 * the background.
 */
import { MemoryError } from "../base/errors.ts";
import { createIds, type EntryId, type TurnId } from "../base/ids.ts";
import type { Scope } from "../base/scope.ts";
import { makeTurn, type NewTurn } from "../base/turn.ts";
import type { Derived } from "./derive.ts";
import type { JudgedMemory } from "./judged-memory.ts";
import type { Running } from "./running.ts";

export type Rememberable = string | NewTurn | JudgedMemory | readonly (string | NewTurn | JudgedMemory)[];

export interface RememberOptions {
  /** journal: returns as soon as it is safe; memory: when it has been taken up. @default memory without a model */
  readonly wait?: "journal" | "memory" | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Remembered {
  readonly turns: readonly TurnId[];
  /** The memories that stand for it now, those that said the same before among them; null: not waited for. */
  readonly memories: readonly EntryId[] | null;
  /** What was taken up, where it was waited for. */
  readonly derived: Derived | null;
  /** Why it is not taken up yet though it was waited for; it is in the journal and will be tried again. */
  readonly delayed: string | null;
}

export async function remember(
  { storage, worker, clock, isThinking }: Running,
  scope: Scope,
  said: Rememberable,
  { wait = isThinking ? "journal" : "memory", signal }: RememberOptions = {},
): Promise<Remembered> {
  const given = asTurns(said);
  if (given.length === 0) return { turns: [], memories: [], derived: null, delayed: null };
  const ids = createIds(clock);
  const recordedAt = clock.now();
  const turns = given.map((turn) => makeTurn(turn, { id: ids.turn(), scope, recordedAt }));
  await storage.commit(
    scope,
    [...turns.map((turn) => ({ op: "turn-append" as const, turn })), worker.ask(scope)],
    { actor: "runtime", cause: "remember" },
  );
  const written = turns.map(({ id }) => id);
  if (wait === "memory") {
    const derived = await worker.flush(scope, { finish: false, signal });
    return { turns: written, memories: [], derived, delayed: null };
  }
  worker.kick();
  return { turns: written, memories: null, derived: null, delayed: null };
}

function asTurns(said: Rememberable): NewTurn[] {
  const all = typeof said === "string" ? [said] : isList(said) ? said : [said];
  return all.map(asTurn);
}

function asTurn(one: string | NewTurn | JudgedMemory): NewTurn {
  if (typeof one === "string") return { text: one };
  if ("judgment" in one) throw new MemoryError("invariant", "judged memories are being written");
  return one;
}

function isList(said: Exclude<Rememberable, string>): said is readonly (string | NewTurn | JudgedMemory)[] {
  if (said === null || typeof said !== "object") {
    throw new MemoryError(
      "input_invalid",
      "Nothing to remember. Valid: a text, a turn { text, … }, a judged memory { judgment, … }, or a list of these.",
    );
  }
  return Array.isArray(said);
}
