/**
 * The rounds of post_insert: for each entry retrieve → delete → insert, each at most once and in this order, whichever
 * actions of the stage take part (S0-11, C-27). What is deleted leaves only when what takes its place is stored: at once
 * where that is named; in the same transaction where it is the first of what the round inserts; at the end of the action
 * where the round inserts nothing; and not at all where the insert failed.
 */
import { MemoryError } from "../base/errors.ts";
import type { EntryId } from "../base/ids.ts";
import type { CycleHandle, DeleteHow, PostInsertHandle } from "./action.ts";
import { forbidden, type HandleRun, refusing, withoutDeletes } from "./handles.ts";

const ORDER = ["retrieve", "delete", "insert"] as const;
type Step = (typeof ORDER)[number];

/** What is left of an entry's round. */
interface Round {
  readonly entry: EntryId;
  readonly done: Set<Step>;
  deletion: (DeleteHow & { readonly ids: readonly EntryId[] }) | undefined;
}

/** What the rounds of one action did to the memory. */
export interface RoundChanges {
  readonly added: EntryId[];
  /** Superseded: kept, out of recall. */
  readonly retired: EntryId[];
  readonly deleted: EntryId[];
}

export interface Rounds {
  /** For one action: what it may do, and what is left to do when it has run to its end. */
  open(run: HandleRun): { readonly handle: PostInsertHandle; finish(): Promise<RoundChanges> };
}

/** For the entries that were just inserted; the stage has one of these. */
export function createRounds(inserted: readonly EntryId[]): Rounds {
  const rounds = new Map<EntryId, Round>();
  const add = (entry: EntryId): void => {
    if (!rounds.has(entry)) rounds.set(entry, { entry, done: new Set(), deletion: undefined });
  };
  inserted.forEach(add);
  return {
    open(run) {
      const { service, scope } = run;
      const changes: RoundChanges = { added: [], retired: [], deleted: [] };
      const handle: PostInsertHandle = {
        ...refusing(run.stage),
        cycle(entry) {
          const round = rounds.get(entry);
          if (round !== undefined) return cycleOf(round, run, changes);
          const why = "which neither was just inserted nor waits for a decision";
          throw forbidden(run.stage, `start a round for the entry ${entry}, ${why}`);
        },
        async optimize(request) {
          run.check("optimize");
          return service.optimize(scope, request);
        },
        async status() {
          run.check("read the pending items");
          const status = await service.getStatus(scope);
          // What waits is decided in a round of its own, as if its entry had just come (S0-20).
          for (const { entry } of status.pendingItems) add(entry);
          return status;
        },
        async acknowledge(pending) {
          run.check("acknowledge a pending item");
          return service.acknowledge(scope, pending);
        },
        async leave(entry, action, details) {
          run.check("leave a pending item");
          return service.leave(scope, { entry, action, details });
        },
      };
      return {
        handle,
        async finish() {
          for (const round of rounds.values()) await carryOut(round, run, round.entry, changes);
          return changes;
        },
      };
    },
  };
}

function cycleOf(round: Round, run: HandleRun, changes: RoundChanges): CycleHandle {
  const { service, scope, stage } = run;
  const step = (name: Step): void => {
    run.check(name);
    if (round.done.has(name)) throw forbidden(stage, `${name} twice for one entry`);
    const later = ORDER.slice(ORDER.indexOf(name) + 1).find((one) => round.done.has(one));
    if (later !== undefined) throw forbidden(stage, `${name} after ${later}`);
    round.done.add(name);
  };
  return {
    ...refusing(stage),
    async retrieve(query) {
      step("retrieve");
      return service.retrieve(scope, { ...query, touch: false });
    },
    async delete(ids, how = {}) {
      step("delete");
      round.deletion = { ...how, ids };
      if (how.supersededBy !== undefined) await carryOut(round, run, how.supersededBy, changes);
    },
    async insert(entries) {
      step("insert");
      const { deletion } = round;
      round.deletion = undefined;
      const isReplaced =
        deletion !== undefined && deletion.hard !== true && deletion.supersededBy === undefined;
      const ids: EntryId[] = [];
      for (const [place, entry] of entries.entries()) {
        const given = withoutDeletes(entry, stage);
        // In one transaction: there is no moment at which both are found, or neither.
        const whole = place === 0 && isReplaced ? { ...given, supersedes: deletion.ids } : given;
        ids.push(await service.insert(scope, whole));
      }
      changes.added.push(...ids);
      if (isReplaced && ids.length > 0) {
        changes.retired.push(...deletion.ids);
        return ids;
      }
      round.deletion = deletion;
      await carryOut(round, run, ids[0] ?? round.entry, changes);
      return ids;
    },
  };
}

async function carryOut(
  round: Round,
  { service, scope }: HandleRun,
  successor: EntryId,
  changes: RoundChanges,
): Promise<void> {
  const { deletion } = round;
  round.deletion = undefined;
  if (deletion === undefined) return;
  if (deletion.hard === true) {
    for (const id of deletion.ids) await service.delete(scope, id);
    changes.deleted.push(...deletion.ids);
    return;
  }
  const by = deletion.supersededBy ?? successor;
  if (deletion.ids.includes(by)) {
    throw new MemoryError(
      "input_invalid",
      `The entry ${by} cannot take its own place. Valid: supersededBy another entry, an insert, or hard.`,
    );
  }
  await service.supersede(scope, deletion.ids, by);
  changes.retired.push(...deletion.ids);
}
