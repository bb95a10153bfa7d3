/**
 * What was said is written down, and asked to be taken up, in one transaction: when this returns it cannot be lost. A
 * design that asks no model takes it up before it returns, so that the next question finds it; one that does goes on in
 * the background. What somebody judged is taken up before it returns in every design. Bad input is refused before anything
 * is written; after that nothing is thrown: what could not be taken up is told, and tried again.
 */
import { z } from "zod";
import { MemoryError } from "../base/errors.ts";
import { createIds, type EntryId, type TurnId } from "../base/ids.ts";
import { parseInput } from "../base/parse-input.ts";
import type { Scope } from "../base/scope.ts";
import { makeTurn, type NewTurn, type Turn } from "../base/turn.ts";
import { throwIfAborted } from "../models/abort.ts";
import { isJudged } from "../pipeline/judgment.ts";
import { type Derived, takenUpOf } from "./derive.ts";
import { type JudgedMemory, judgedTurn, refuseJudgment } from "./judged-memory.ts";
import { memoriesOf } from "./memories-of.ts";
import type { Running } from "./running.ts";

export type Rememberable = string | NewTurn | JudgedMemory | readonly (string | NewTurn | JudgedMemory)[];

export interface RememberOptions {
  /**
   * journal: returns as soon as it is safe; memory: when it has been taken up.
   * @default memory without a model, and for judged memories
   */
  readonly wait?: "journal" | "memory" | undefined;
  /** Ends the waiting: what is written down by then stays, and is taken up later. */
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

const optionsSchema = z.strictObject({
  wait: z.enum(["journal", "memory"]).optional(),
  signal: z.instanceof(AbortSignal).optional(),
});

export async function remember(
  running: Running,
  scope: Scope,
  said: Rememberable,
  options: RememberOptions = {},
): Promise<Remembered> {
  const { wait, signal } = parseInput(optionsSchema, options, "options of remember");
  const { storage, worker, clock, isThinking } = running;
  const given = listOf(said).map(asTurn);
  if (given.length === 0) return { turns: [], memories: [], derived: null, delayed: null };
  const ids = createIds(clock);
  const recordedAt = clock.now();
  const made = given.map((turn) => makeTurn(turn, { id: ids.turn(), scope, recordedAt }));
  throwIfAborted(signal, "Remembering");
  const { turns: places } = await storage.commit(
    scope,
    [...made.map((turn) => ({ op: "turn-append" as const, turn })), worker.ask(scope)],
    { actor: "runtime", cause: "remember" },
  );
  const turns = made.map((turn, at) => ({ ...turn, seq: places[at] ?? 0 }));
  const isAllJudged = turns.every(isJudged);
  const waits = wait ?? (isThinking && !turns.some(isJudged) ? "journal" : "memory");
  // Who asked for nothing else does not wait for a model either because one of several was judged.
  const judgedOnly = isAllJudged || (wait === undefined && isThinking);
  if (waits === "memory") return takenUp(running, scope, turns, { judgedOnly, signal });
  worker.kick();
  return { turns: idsOf(turns), memories: null, derived: null, delayed: null };
}

async function takenUp(
  running: Running,
  scope: Scope,
  turns: readonly Turn[],
  how: { readonly judgedOnly: boolean; readonly signal: AbortSignal | undefined },
): Promise<Remembered> {
  const { derived, delayed } = await running.worker.flush(scope, { finish: false, ...how }).then(
    (done) => ({ derived: done, delayed: null }),
    (error: unknown) => ({ derived: null, delayed: reasonOf(error) }),
  );
  const done = await takenUpOf(running.design, running.storage, scope, turns);
  const memories = await memoriesOf(running, scope, done);
  return { turns: idsOf(turns), memories, derived, delayed };
}

function idsOf(turns: readonly Turn[]): TurnId[] {
  return turns.map(({ id }) => id);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const VALID =
  "Valid: a text, a turn { text, … }, a judged memory { judgment, … }, or a list of these, not of lists.";

type One = Exclude<Rememberable, readonly unknown[]>;

function listOf(said: Rememberable): readonly One[] {
  return isList(said) ? said : [said];
}

function isList(said: Rememberable): said is readonly One[] {
  return Array.isArray(said);
}

function asTurn(one: One): NewTurn {
  if (typeof one === "string") return { text: one };
  if (typeof one !== "object" || one === null || Array.isArray(one))
    throw new MemoryError("input_invalid", `That cannot be remembered. ${VALID}`);
  if ("judgment" in one) return judgedTurn(one);
  refuseJudgment(one);
  return one;
}
