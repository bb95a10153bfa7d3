/**
 * One commit: consecutive writes of one kind are handled as a batch, their events collected and written last, all in
 * one transaction. The event counter is raised first, which in every engine makes committers queue: events become
 * visible in the order of their places, so an index that has seen place n will never be shown an older one later.
 */
import type { Clock } from "../../base/clock.ts";
import { MemoryError } from "../../base/errors.ts";
import type { Scope } from "../../base/scope.ts";
import type { Cause, Commit, Write } from "../storage.ts";
import { type CommitContext, createEventLog, lastPerKey, raise, type WriteOf } from "./commit-context.ts";
import type { Sql, SqlDriver } from "./driver.ts";
import { insertEntries, removeEntries, touchEntries, updateEntries } from "./entry-writes.ts";
import { eraseEntries, eraseVectors } from "./erasure.ts";
import { insertJobs, settleJobs } from "./jobs.ts";
import { appendTurns, eraseTurns } from "./journal.ts";
import { joinIndexes, leaveIndexes, putEdges, putVectors, removeEdges } from "./link-writes.ts";
import { restoreEntries } from "./restore.ts";
import { undoEvents } from "./undo.ts";

const INSERT_EVENT = `INSERT INTO events
  (seq, at, actor, cause, operation, collection, scope, subject, changed, before_state, after_state, change_seq, undoes)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const PUT_CURSOR =
  "INSERT INTO cursors (name, seq) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET seq = excluded.seq";

/** Writes that change no entry. */
const WITHOUT_EVENT: ReadonlySet<Write["op"]> = new Set([
  "turn-append",
  "turn-erase",
  "job-put",
  "job-settle",
  "cursor-put",
]);

export interface CommitRequest {
  readonly scope: Scope;
  readonly writes: readonly Write[];
  readonly cause: Cause;
  readonly registry: number | undefined;
  readonly collection: string | undefined;
  readonly lastTurn: number | undefined;
}

export function commit(driver: SqlDriver, clock: Clock, request: CommitRequest): Promise<Commit> {
  const { scope, writes, cause, registry, collection, lastTurn } = request;
  const work = async (sql: Sql): Promise<Commit> => {
    const now = clock.now();
    const turnCount = writes.filter(({ op }) => op === "turn-append").length;
    // Mostly one event a write; what a removal logs beyond that is added at the end, and unused places stay empty.
    const eventCount = writes.filter(({ op }) => !WITHOUT_EVENT.has(op)).length;
    const counters = await raise(sql, { event: eventCount, turn: turnCount });
    if (registry !== undefined && registry !== counters.registry) {
      throw new MemoryError(
        "version_conflict",
        "A collection or an index was made or dropped meanwhile. Valid: read the registry, then try again.",
      );
    }
    if (lastTurn !== undefined) await refuseTurnsAfter(sql, scope, lastTurn);
    const previous = counters.event - eventCount;
    const events = createEventLog(previous + 1, now, cause);
    const firstTurn = counters.turn - turnCount + 1;
    const context: CommitContext = { sql, words: driver.words, scope, collection, now, log: events.log };
    const turns: number[] = [];
    for (const run of runs(writes)) turns.push(...(await applyRun(context, run, firstTurn + turns.length)));
    if (events.rows.length > 0) await sql.many(INSERT_EVENT, events.rows);
    const beyond = Math.max(0, events.rows.length - eventCount);
    if (beyond > 0) await raise(sql, { event: beyond });
    return { previous, seq: counters.event + beyond, turns };
  };
  return driver.write(work, { light: writes.every(isLook) });
}

/** Nobody is told that a look was counted: that one goes lost in a power cut is no reason for every recall to wait. */
function isLook(write: Write): boolean {
  if (write.op !== "entry-touch") return false;
  const { addUseful = 0, addStrength = 0, strength } = write.touch;
  return addUseful === 0 && addStrength === 0 && strength === undefined;
}

async function refuseTurnsAfter(sql: Sql, scope: Scope, place: number): Promise<void> {
  const rows = await sql.all("SELECT seq FROM turns WHERE scope = ? AND seq > ? LIMIT 1", [scope, place]);
  if (rows.length === 0) return;
  throw new MemoryError(
    "version_conflict",
    `The scope "${scope}" has said something after the place ${place} of the journal. Valid: read on, then try again.`,
  );
}

async function applyRun(
  context: CommitContext,
  run: readonly Write[],
  firstTurn: number,
): Promise<readonly number[]> {
  switch (run[0]?.op) {
    case undefined:
      break;
    case "turn-append":
      return appendTurns(context, only(run, "turn-append"), firstTurn);
    case "turn-erase":
      await eraseTurns(context, only(run, "turn-erase"));
      break;
    case "entry-insert":
      await insertEntries(context, only(run, "entry-insert"));
      break;
    case "entry-update":
      await updateEntries(context, only(run, "entry-update"));
      break;
    case "entry-touch":
      await touchEntries(context, only(run, "entry-touch"));
      break;
    case "entry-remove":
      await removeEntries(context, only(run, "entry-remove"));
      break;
    case "entry-erase":
      await eraseEntries(context, only(run, "entry-erase"));
      break;
    case "entry-restore":
      await restoreEntries(context, only(run, "entry-restore"));
      break;
    case "event-undo":
      await undoEvents(context, only(run, "event-undo"));
      break;
    case "vector-put":
      await putVectors(context, only(run, "vector-put"));
      break;
    case "vector-erase":
      await eraseVectors(context, only(run, "vector-erase"));
      break;
    case "index-join":
      await joinIndexes(context, only(run, "index-join"));
      break;
    case "index-leave":
      await leaveIndexes(context, only(run, "index-leave"));
      break;
    case "edge-put":
      await putEdges(context, only(run, "edge-put"));
      break;
    case "edge-remove":
      await removeEdges(context, only(run, "edge-remove"));
      break;
    case "job-put":
      await insertJobs(context, only(run, "job-put"));
      break;
    case "job-settle":
      await settleJobs(context, only(run, "job-settle"));
      break;
    case "cursor-put":
      await context.sql.many(
        PUT_CURSOR,
        lastPerKey(only(run, "cursor-put"), ({ name }) => name).map(({ name, seq }) => [
          name,
          seq === "journal" ? firstTurn - 1 : seq,
        ]),
      );
      break;
  }
  return [];
}

function* runs(writes: readonly Write[]): Generator<readonly Write[]> {
  let start = 0;
  for (let end = 1; end <= writes.length; end++) {
    if (end < writes.length && writes[end]?.op === writes[start]?.op) continue;
    yield writes.slice(start, end);
    start = end;
  }
}

function only<Op extends Write["op"]>(run: readonly Write[], op: Op): WriteOf<Op>[] {
  return run.filter((write): write is WriteOf<Op> => write.op === op);
}
