/** What was said goes into the journal before anything clever happens to it; the pipeline takes it from there. */
import { type Clock, systemClock } from "../base/clock.ts";
import { createIds } from "../base/ids.ts";
import type { Scope } from "../base/scope.ts";
import { makeTurn, type NewTurn, type Turn } from "../base/turn.ts";
import type { Storage } from "../storage/storage.ts";

/** All of them or none, in one transaction; with the places they got. */
export async function appendTurns(
  storage: Storage,
  scope: Scope,
  turns: readonly NewTurn[],
  clock: Clock = systemClock,
): Promise<Turn[]> {
  if (turns.length === 0) return [];
  const ids = createIds(clock);
  const recordedAt = clock.now();
  const made = turns.map((turn) => makeTurn(turn, { id: ids.turn(), scope, recordedAt }));
  const { turns: places } = await storage.commit(
    scope,
    made.map((turn) => ({ op: "turn-append", turn })),
    { actor: "pipeline", cause: "append-turns" },
  );
  return made.map((turn, place) => ({ ...turn, seq: places[place] ?? 0 }));
}
