/**
 * What a stage may do to the store, as objects it is handed (S0-9 … S0-14, C-27). Every handle has every method, so that
 * an action that tries what its stage may not gets a clear error and not a missing function; what is typed is only what is
 * allowed. "Once" is counted for each memory entry. Looks through a handle are not counted as looks: the pipeline counts
 * what it hands out at the end.
 */
import { MemoryError } from "../base/errors.ts";
import type { EntryId } from "../base/ids.ts";
import type { Scope } from "../base/scope.ts";
import type { MemoryService, ServiceInsert, ServiceQuery } from "../services/service.ts";
import type { CycleHandle, DeleteHow, InsertHandle, PostInsertHandle, ReadHandle } from "./action.ts";
import { RIGHTS, type Stage } from "./stage.ts";

/** All that can be asked of a store; each stage is handed this, with most of it refusing. */
type AnyHandle = ReadHandle & InsertHandle & PostInsertHandle & Pick<CycleHandle, "delete">;

export function refusing(stage: Stage): AnyHandle {
  const refuse = (operation: string) => (): never => {
    throw forbidden(stage, operation);
  };
  return {
    retrieve: refuse("retrieve"),
    insert: refuse("insert"),
    delete: refuse("delete"),
    cycle: refuse("start a round of retrieve, delete and insert"),
    optimize: refuse("optimize"),
    status: refuse("read the pending items"),
    acknowledge: refuse("acknowledge a pending item"),
  };
}

export function readHandle(stage: Stage, service: MemoryService, scope: Scope): ReadHandle {
  const handle = refusing(stage);
  if (RIGHTS[stage].retrieve === "never") return handle;
  return { ...handle, retrieve: (query) => service.retrieve(scope, { ...query, touch: false }) };
}

/** For one draft. */
export function insertHandle(service: MemoryService, scope: Scope): InsertHandle {
  const stage = "memory_insert";
  const once = counter(stage);
  return {
    ...refusing(stage),
    async insert(entry) {
      once("insert");
      return service.insert(scope, entry);
    },
  };
}

export interface PostInsertRound {
  readonly handle: PostInsertHandle;
  /** Carries out what rounds without an insert have left to delete. */
  finish(): Promise<void>;
}

/** For the entries that were just inserted. */
export function postInsertHandle(
  service: MemoryService,
  scope: Scope,
  inserted: readonly EntryId[],
): PostInsertRound {
  const stage = "post_insert";
  const rounds = new Map(inserted.map((id) => [id, makeRound(service, scope, id)]));
  return {
    handle: {
      ...refusing(stage),
      cycle(entry) {
        const round = rounds.get(entry);
        if (round !== undefined) return round.handle;
        throw forbidden(
          stage,
          `start a round for the entry ${entry}, which neither was just inserted nor waits for a decision`,
        );
      },
      optimize: (request) => service.optimize(scope, request),
      async status() {
        const status = await service.getStatus(scope);
        // What waits is decided in a round of its own, as if its entry had just come (S0-20).
        for (const { entry } of status.pendingItems) {
          if (!rounds.has(entry)) rounds.set(entry, makeRound(service, scope, entry));
        }
        return status;
      },
      acknowledge: (pending) => service.acknowledge(scope, pending),
    },
    async finish() {
      for (const round of rounds.values()) await round.finish();
    },
  };
}

interface Deletion extends DeleteHow {
  readonly ids: readonly EntryId[];
}

function makeRound(
  service: MemoryService,
  scope: Scope,
  entry: EntryId,
): { readonly handle: CycleHandle; finish(): Promise<void> } {
  const once = counter("post_insert", ["retrieve", "delete", "insert"]);
  let deletion: Deletion | undefined;
  const finish = async (successor = entry): Promise<void> => {
    const due = deletion;
    deletion = undefined;
    if (due === undefined) return;
    if (due.hard === true) for (const id of due.ids) await service.delete(scope, id);
    else await service.supersede(scope, due.ids, due.supersededBy ?? successor);
  };
  const handle: CycleHandle = {
    async retrieve(query: ServiceQuery) {
      once("retrieve");
      return service.retrieve(scope, { ...query, touch: false });
    },
    async delete(ids, how = {}) {
      once("delete");
      deletion = { ...how, ids };
    },
    async insert(entries: readonly ServiceInsert[]) {
      once("insert");
      const ids: EntryId[] = [];
      for (const one of entries) ids.push(await service.insert(scope, one));
      await finish(ids[0]);
      return ids;
    },
  };
  return { handle: { ...refusing("post_insert"), ...handle }, finish };
}

/** Refuses what was done before, and what comes too late in the order. */
function counter(stage: Stage, order: readonly string[] = []): (operation: string) => void {
  const done: string[] = [];
  return (operation) => {
    if (done.includes(operation)) throw forbidden(stage, `${operation} twice for one entry`);
    const later = done.find((one) => order.indexOf(one) > order.indexOf(operation));
    if (later !== undefined) throw forbidden(stage, `${operation} after ${later}`);
    done.push(operation);
  };
}

function forbidden(stage: Stage, what: string): MemoryError {
  const { retrieve, insert, delete: remove } = RIGHTS[stage];
  return new MemoryError(
    "operation_forbidden",
    `An action of the stage ${stage} tried to ${what}. Valid there for each entry: retrieve ${retrieve}, delete ${remove}, insert ${insert}, in this order.`,
    { details: { stage } },
  );
}
