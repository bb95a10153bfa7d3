/**
 * What a stage may do to the store, as objects it is handed (S0-9 … S0-14, C-27). Every handle has every method, so that
 * an action that tries what its stage may not gets a clear error and not a missing function; what is typed is only what is
 * allowed. A handle ends with the run of the action it was made for. Looks through a handle are not counted as looks: the
 * pipeline counts what it hands out at the end.
 */
import { MemoryError } from "../base/errors.ts";
import type { EntryId } from "../base/ids.ts";
import type { Scope } from "../base/scope.ts";
import type { MemoryService, ServiceInsert } from "../services/service.ts";
import type { CycleHandle, InsertHandle, PostInsertHandle, ReadHandle } from "./action.ts";
import { RIGHTS, type Stage } from "./stage.ts";

/** All that can be asked of a store; each stage is handed this, with most of it refusing. */
type AnyHandle = ReadHandle & InsertHandle & PostInsertHandle & Pick<CycleHandle, "delete">;

/** The run of one action: while it is open, its handles work. */
export interface HandleRun {
  readonly stage: Stage;
  readonly service: MemoryService;
  readonly scope: Scope;
  /** Throws when the run is over. */
  check(operation: string): void;
  end(): void;
}

export function startHandles(stage: Stage, service: MemoryService, scope: Scope): HandleRun {
  let isOpen = true;
  return {
    stage,
    service,
    scope,
    check(operation) {
      if (!isOpen) throw forbidden(stage, `${operation} after it had ended`);
    },
    end() {
      isOpen = false;
    },
  };
}

export function refusing(stage: Stage): AnyHandle {
  const refuse = (operation: string) => async (): Promise<never> => {
    throw forbidden(stage, operation);
  };
  return {
    retrieve: refuse("retrieve"),
    insert: refuse("insert"),
    delete: refuse("delete"),
    optimize: refuse("optimize"),
    status: refuse("read the pending items"),
    acknowledge: refuse("acknowledge a pending item"),
    leave: refuse("leave a pending item"),
    cycle() {
      throw forbidden(stage, "start a round of retrieve, delete and insert");
    },
  };
}

export function readHandle(run: HandleRun): ReadHandle {
  const handle = refusing(run.stage);
  if (RIGHTS[run.stage].retrieve === "never") return handle;
  return {
    ...handle,
    async retrieve(query) {
      run.check("retrieve");
      return run.service.retrieve(run.scope, { ...query, touch: false });
    },
  };
}

export interface Stored {
  readonly id: EntryId;
  readonly entry: ServiceInsert;
}

/** For one draft; `stored` is what was stored and the id it got, whatever the action says. */
export function insertHandle(run: HandleRun): { readonly handle: InsertHandle; stored(): Stored } {
  let done: Stored | undefined;
  let isAsked = false;
  const handle: InsertHandle = {
    ...refusing(run.stage),
    async insert(entry) {
      run.check("insert");
      if (isAsked) throw forbidden(run.stage, "insert twice for one entry");
      isAsked = true;
      const id = await run.service.insert(run.scope, withoutDeletes(entry, run.stage));
      done = { id, entry };
      return id;
    },
  };
  return {
    handle,
    stored() {
      if (done !== undefined) return done;
      throw new MemoryError(
        "invariant",
        "An action of the stage memory_insert ended without inserting its draft.",
      );
    },
  };
}

/** Taking another's place is a deletion: a stage that may not delete cannot do it by inserting. */
export function withoutDeletes(entry: ServiceInsert, stage: Stage): ServiceInsert {
  if (entry.supersedes === undefined || entry.supersedes.length === 0) return entry;
  throw forbidden(stage, "supersede entries by an insert; what is to leave recall goes through delete");
}

export function forbidden(stage: Stage, what: string): MemoryError {
  const { retrieve, insert, delete: remove } = RIGHTS[stage];
  return new MemoryError(
    "operation_forbidden",
    `An action of the stage ${stage} tried to ${what}. Valid there for each entry, while it runs: retrieve ${retrieve}, delete ${remove}, insert ${insert}, in this order.`,
    { details: { stage } },
  );
}
