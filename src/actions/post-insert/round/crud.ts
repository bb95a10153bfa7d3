/**
 * Mem0's four events on stored memories (B.0.2, C-28). ADD: the new one stays. UPDATE: the known one gives way to it, or to
 * what the two say together. DELETE: the contradicted one gives way; both stay readable (C-11, mem0#4536). NOOP: the new
 * one gives way to the known one.
 */
import type { Entry } from "../../../base/entry.ts";
import type { EntryId } from "../../../base/ids.ts";
import type { CycleHandle, PostInsertContext } from "../../../pipeline/action.ts";
import type { ServiceInsert } from "../../../services/service.ts";
import { decideCrud } from "../../../tasks/decide-crud.ts";
import type { CrudEvent } from "../../../tasks/rules/conflict.ts";
import { mergedEntry } from "./merge.ts";

export interface CrudRound {
  readonly id: EntryId;
  readonly fresh: ServiceInsert;
  /** Vector fields of what may be written. */
  readonly fields: readonly string[];
  readonly near: readonly Entry[];
  readonly cycle: CycleHandle;
}

export interface CrudOutcome {
  readonly event: CrudEvent;
  readonly retired: readonly EntryId[];
}

export async function decideAndCarryOut(
  round: CrudRound,
  context: PostInsertContext,
  prompt: string,
): Promise<CrudOutcome> {
  const { fresh } = round;
  const near = round.near.filter((known) => isNoNewer(known, fresh));
  const memories = near.map(({ content }) => content);
  const { decisions } = await context.think(decideCrud, { facts: [fresh.content], memories }, prompt);
  const { event, id, text } = decisions[0] ?? ADD;
  // Numbers are places in what was shown: only here do they become ids (B.0.9, 6).
  return carryOutCrud(round, context, { event, text, known: id === null ? undefined : near[id] });
}

/** Old talk may be told late: it decides nothing about what was said after it. */
export function isNoNewer(known: Entry, { happenedAt }: ServiceInsert): boolean {
  return happenedAt === undefined || known.happenedAt <= happenedAt;
}

export const ADD = { event: "ADD", id: null, text: "" } as const;

export interface CrudDecision {
  readonly event: CrudEvent;
  /** For UPDATE: what is to be remembered. */
  readonly text: string;
  readonly known: Entry | undefined;
}

export async function carryOutCrud(
  { id, fresh, fields, cycle }: Omit<CrudRound, "near">,
  context: PostInsertContext,
  { event, text, known }: CrudDecision,
): Promise<CrudOutcome> {
  if (event === "ADD" || known === undefined) return { event: "ADD", retired: [] };
  if (event === "NOOP") {
    await cycle.delete([id], { supersededBy: known.id });
    return { event, retired: [id] };
  }
  const isFused = event === "UPDATE" && text.trim() !== fresh.content.trim();
  if (!isFused) {
    await cycle.delete([known.id], { supersededBy: id });
    return { event, retired: [known.id] };
  }
  const retired = [known.id, id];
  const merging = { text, fresh, known: [known], kind: known.kind, fields };
  await cycle.delete(retired);
  await cycle.insert([await mergedEntry(merging, context)]);
  return { event, retired };
}
